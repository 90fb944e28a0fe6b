import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../../../shared/payload/http-error.ts';
import type { Config } from '../../config/config.ts';
import { MAX_ADDRESS_LENGTH } from '../limits/limits.ts';
import { isSecure } from '../security/content-security-policy.ts';
import { requestedHost, type TrustsProxy } from '../security/served-hosts.ts';
import { type SiteOrigin, siteOrigins } from './request-origin.ts';

export interface OpenRequest {
  readonly id: string;
  /** The time of the start by `performance.now()`. */
  readonly startedAt: number;
  /** The error to answer with, even if the page is stored; null for an accepted request. */
  readonly refusal: HttpError | null;
  /** The host that the client has asked for, as a trusted proxy reports it; empty if unknown. */
  readonly host: string;
  readonly origin: SiteOrigin;
  /** Whether the client used plain HTTP, as a trusted proxy says, while PUBLIC_URL is https. */
  readonly isPlainHttp: boolean;
}

/** A random prefix, so that request ids of different processes differ. */
const PROCESS = randomBytes(9).toString('base64url');
let requests = 0;

function nextId(): string {
  requests += 1;
  return `${PROCESS}-${requests}`;
}

const FORWARDED_ID = /^[\w.:=+-]{1,128}$/;

/** @returns the id that a trusted proxy sends, so that both logs agree; null without a usable one. */
function forwardedId({ headers, socket }: IncomingMessage, trusts: TrustsProxy): string | null {
  const id = headers['x-request-id'];
  if (typeof id !== 'string' || !trusts(socket.remoteAddress ?? '', 0)) return null;
  return FORWARDED_ID.test(id) ? id : null;
}

export interface OpenRequestOptions {
  config: Pick<Config, 'publicOrigin' | 'anyHost'>;
  servesHost: (host: string) => boolean;
  acceptsAnyHost: (req: IncomingMessage) => boolean;
  trusts: TrustsProxy;
}

/** @returns a function that runs for every request, even for cache hits, so it must be fast. */
export function requestOpener({ config, servesHost, acceptsAnyHost, trusts }: OpenRequestOptions) {
  const originOf = siteOrigins(config);
  const isHttpsSite = isSecure(config);
  return (req: IncomingMessage): OpenRequest => {
    const startedAt = performance.now();
    const host = requestedHost(req, trusts);
    return {
      id: forwardedId(req, trusts) ?? nextId(),
      startedAt,
      host,
      refusal: refusalOf(req, servesHost(host) || acceptsAnyHost(req), config.publicOrigin),
      origin: originOf(req, host),
      isPlainHttp: isHttpsSite && forwardedProtocol(req, trusts) === 'http',
    };
  };
}

/** @returns the client's protocol as a trusted proxy reports it; null if none does. */
export function forwardedProtocol({ headers, socket }: IncomingMessage, trusts: TrustsProxy): string | null {
  const forwarded = headers['x-forwarded-proto'];
  if (typeof forwarded !== 'string' || forwarded === '' || !trusts(socket.remoteAddress ?? '', 0))
    return null;
  return forwarded.split(',', 1)[0]?.trim().toLowerCase() ?? null;
}

/** Refuses a request before any work. @param publicOrigin null allows every readable host. */
function refusalOf(
  { url = '', rawHeaders, headers }: IncomingMessage,
  isServed: boolean,
  publicOrigin: string | null,
): HttpError | null {
  if (url.length > MAX_ADDRESS_LENGTH) return new HttpError('The address is too long.', 414, 'URI Too Long');
  // Refuse two Host headers (RFC 9112, 3.2): a proxy may have read the one that this server ignores.
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

/** Turns the absolute form, `GET http://host/path`, into the usual form (RFC 9112, 3.2.2). */
export function toOriginForm(req: IncomingMessage): void {
  const { url = '', headers } = req;
  if (url.charCodeAt(0) === SLASH || headers.host === undefined) return;
  const [, host, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (host === undefined) return;
  headers.host = host;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
}
