import path from 'node:path';
import { contentType } from 'mime-types';

/** @returns the content type of a file by its extension, with a charset for text. */
export function contentTypeOf(name: string): string {
  const extension = path.extname(name);
  // All browsers know `image/x-icon`. The registered type is `image/vnd.microsoft.icon`.
  if (extension === '.ico') return 'image/x-icon';
  return contentType(extension) || 'application/octet-stream';
}
