import { REPEATED_SLASHES } from '../content/safe-address.ts';

/**
 * @param path a path that can be decoded.
 * @returns the path in one spelling, however the client has percent-encoded it, and however often it has repeated its slashes.
 */
export function uploadPath(path: string): string {
  return path
    .replace(REPEATED_SLASHES, '/')
    .split('/')
    .map(segment => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}
