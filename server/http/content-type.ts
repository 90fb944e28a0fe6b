import path from 'node:path';
import { contentType } from 'mime-types';

/** @returns the content type of a file by its name, with the charset of a text. */
export function contentTypeOf(name: string): string {
  const extension = path.extname(name);
  // The name that browsers know longest. The registered one is `image/vnd.microsoft.icon`.
  if (extension === '.ico') return 'image/x-icon';
  return contentType(extension) || 'application/octet-stream';
}
