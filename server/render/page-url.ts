/** Parses the path and query of a page. `//host/path` is a path here and must not be parsed as the address of another host. */
export function urlOf(url: string): URL {
  return new URL(`http://localhost${url.replace(/^\/+/, '/')}`);
}
