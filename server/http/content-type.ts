import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { contentType } from 'mime-types';

const UNKNOWN = 'application/octet-stream';

export function contentTypeOf(name: string): string {
  const extension = path.extname(name);
  // All browsers know `image/x-icon`. The registered type is `image/vnd.microsoft.icon`.
  if (extension === '.ico') return 'image/x-icon';
  return contentType(extension) || UNKNOWN;
}

/** The content type by extension, else by bytes: files of `.well-known` often have no extension. */
export function contentTypeOfFile(name: string, body: Buffer): string {
  const known = contentTypeOf(name);
  if (known !== UNKNOWN || !isUtf8(body) || body.includes(0)) return known;
  return isJson(body.toString()) ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
