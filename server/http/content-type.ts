import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { contentType } from 'mime-types';

const UNKNOWN = 'application/octet-stream';

export function contentTypeOf(name: string): string {
  const extension = path.extname(name);
  // Use `image/x-icon`, which all browsers know, although `image/vnd.microsoft.icon` is registered.
  if (extension === '.ico') return 'image/x-icon';
  return contentType(extension) || UNKNOWN;
}

/** @returns the content type by extension or by bytes, because `.well-known` files often lack extensions. */
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
