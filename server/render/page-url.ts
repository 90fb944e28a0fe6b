/** `//host/path` is a path here, and not the address of another host. */
export function urlOf(url: string): URL {
  return new URL(`http://localhost${url.replace(/^\/+/, '/')}`);
}
