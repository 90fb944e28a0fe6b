import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../../../shared/payload/http-error.ts';
import type { Config } from '../../config/config.ts';
import { MAX_ADDRESS_LENGTH } from '../limits/limits.ts';
import { isSecure } from '../security/content-security-policy.ts';
import { requestedHost, type TrustsProxy } from '../security/served-hosts.ts';
import { type SiteOrigin, siteOrigins } from './request-origin.ts';

/** What every answer to a request needs. The listener opens each request once. */
export interface OpenRequest {
  readonly id: string;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** The error that answers a refused request, even if its page is stored; else null. */
  readonly refusal: HttpError | null;
  readonly origin: SiteOrigin;
  /** Whether a trusted proxy says that the client used plain HTTP, while PUBLIC_URL is https. */
  readonly isPlainHttp: boolean;
}

/** Keeps the ids of different processes apart. */
const PROCESS = randomBytes(9).toString('base64url');
let requests = 0;

function nextId(): string {
  requests += 1;
  return `${PROCESS}-${requests}`;
}

export interface OpenRequestOptions {
  config: Pick<Config, 'publicOrigin' | 'anyHost'>;
  servesHost: (host: string) => boolean;
  /** Whether a request is answered whatever its host. */
  acceptsAnyHost: (req: IncomingMessage) => boolean;
  trusts: TrustsProxy;
}

/** The function that it returns runs before every answer, cache hits included, so it does little. */
export function requestOpener({ config, servesHost, acceptsAnyHost, trusts }: OpenRequestOptions) {
  const originOf = siteOrigins(config);
  const isHttpsSite = isSecure(config);
  return (req: IncomingMessage): OpenRequest => {
    const startedAt = performance.now();
    const host = requestedHost(req, trusts);
    return {
      id: nextId(),
      startedAt,
      refusal: refusalOf(req, servesHost(host) || acceptsAnyHost(req), config.publicOrigin),
      origin: originOf(req, host),
      isPlainHttp: isHttpsSite && forwardedProtocol(req, trusts) === 'http',
    };
  };
}

/** The client's protocol as a trusted proxy reports it; null without a report. */
function forwardedProtocol({ headers, socket }: IncomingMessage, trusts: TrustsProxy): string | null {
  const forwarded = headers['x-forwarded-proto'];
  if (typeof forwarded !== 'string' || forwarded === '' || !trusts(socket.remoteAddress ?? '', 0))
    return null;
  return forwarded.split(',', 1)[0]?.trim().toLowerCase() ?? null;
}

/** Before any work. @param publicOrigin null: every readable host is served. */
function refusalOf(
  { url = '', rawHeaders, headers }: IncomingMessage,
  isServed: boolean,
  publicOrigin: string | null,
): HttpError | null {
  if (url.length > MAX_ADDRESS_LENGTH) return new HttpError('The address is too long.', 414, 'URI Too Long');
  // RFC 9112, 3.2. A proxy in front may have read the other one.
  if (hasTwoHosts(rawHeaders) || headers.host === undefined)
    return new HttpError('The Host header cannot be read.', 400);
  if (isServed) return null;
  return publicOrigin === null
    ? new HttpError('The Host header cannot be read.', 400)
    : new HttpError('This server does not serve that host.', 421, 'Misdirected Request');
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

const SLASH = '/'.charCodeAt(0);
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]+)((?:[/?][^#]*)?)$/i;

/** Rewrites the absolute form, `GET http://host/path`, to the usual form (RFC 9112, 3.2.2). */
export function toOriginForm(req: IncomingMessage): void {
  const { url = '', headers } = req;
  if (url.charCodeAt(0) === SLASH || headers.host === undefined) return;
  const [, host, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (host === undefined) return;
  headers.host = host;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
}
