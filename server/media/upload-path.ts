/** @returns one spelling for one file, whatever was percent-encoded in its path. */
export function uploadPath(path: string): string {
  return path
    .split('/')
    .map(segment => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}
