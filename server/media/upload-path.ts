import { REPEATED_SLASHES } from '../addresses/safe-address.ts';

/** Normalises percent-encoding and repeated slashes of a decodable path. */
export function uploadPath(path: string): string {
  return path
    .replace(REPEATED_SLASHES, '/')
    .split('/')
    .map(segment => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}
