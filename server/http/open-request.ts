import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpError } from '../../shared/payload/http-error.ts';
import type { Config } from '../config.ts';
import { isSecure } from './content-security-policy.ts';
import { refusalOf } from './refusal.ts';
import { type SiteOrigin, siteOrigins } from './request-origin.ts';
import { requestedHost, type TrustsProxy } from './served-hosts.ts';

/** The facts that every answer to a request needs. The listener opens each request once and hands these facts to the steps. */
export interface OpenRequest {
  /** For `X-Request-Id` and the log. */
  readonly id: string;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** The error that answers a refused request, even if its page is stored; null for a request that is served. */
  readonly refusal: HttpError | null;
  readonly origin: SiteOrigin;
  /** Whether a trusted proxy says that the client used plain HTTP, while PUBLIC_URL is https. */
  readonly isPlainHttp: boolean;
}

/** The random part of all ids of this process, so that no other process has the same ones. */
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

/** @returns a function that opens a request. The function runs before every answer, cache hits included, so it does little. */
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

/** @returns the client's protocol as a trusted proxy reports it; null without a report. */
function forwardedProtocol({ headers, socket }: IncomingMessage, trusts: TrustsProxy): string | null {
  const forwarded = headers['x-forwarded-proto'];
  if (typeof forwarded !== 'string' || forwarded === '' || !trusts(socket.remoteAddress ?? '', 0))
    return null;
  return forwarded.split(',', 1)[0]?.trim().toLowerCase() ?? null;
}
