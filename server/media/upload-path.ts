/** @returns the one spelling of a path, whatever the client has percent-encoded. The path can be decoded. */
export function uploadPath(path: string): string {
  return path
    .split('/')
    .map(segment => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}
