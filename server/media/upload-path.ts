import { REPEATED_SLASHES } from '../addresses/safe-address.ts';

/** One spelling of a decodable path, whatever its percent-encoding and repeated slashes. */
export function uploadPath(path: string): string {
  return path
    .replace(REPEATED_SLASHES, '/')
    .split('/')
    .map(segment => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}
