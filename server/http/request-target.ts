import type { IncomingMessage } from 'node:http';

const SLASH = '/'.charCodeAt(0);
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]+)((?:[/?][^#]*)?)$/i;

/**
 * Brings a request in absolute form, such as `GET http://host/path`, into the usual form (RFC 9112, 3.2.2): the address begins with a slash, and
 * the host of the target replaces that of the header. Everything that reads the request later sees the usual form. A request without a Host header stays as it
 * is, because it is refused in either form (RFC 9112, 3.2).
 */
export function toOriginForm(req: IncomingMessage): void {
  const { url = '', headers } = req;
  if (url.charCodeAt(0) === SLASH || headers.host === undefined) return;
  const [, host, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (host === undefined) return;
  headers.host = host;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
}
