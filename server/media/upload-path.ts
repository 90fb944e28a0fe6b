/**
 * @param path a path that can be decoded.
 * @returns the path in one spelling, however the client has percent-encoded it.
 */
export function uploadPath(path: string): string {
  return path
    .split('/')
    .map(segment => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}
