import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpError } from '../../shared/payload/http-error.ts';
import { refusalOf } from './refusal.ts';
import { requestedHost, type TrustsProxy } from './served-hosts.ts';

/** The facts that every answer to a request needs. The listener opens each request once and hands these facts to the steps. */
export interface OpenRequest {
  /** For `X-Request-Id` and the log. */
  readonly id: string;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** The error that answers a refused request, even if its page is stored; null for a request that is served. */
  readonly refusal: HttpError | null;
  /** `https://host` of the public site, for absolute addresses. */
  readonly origin: string;
}

export interface OpenRequestOptions {
  /** Null: the origin follows from the host of each request. */
  publicOrigin: string | null;
  servesHost: (host: string) => boolean;
  /** Whether a request is answered whatever its host. */
  acceptsAnyHost: (req: IncomingMessage) => boolean;
  trusts: TrustsProxy;
}

/** @returns a function that opens a request. The function runs before every answer, cache hits included, so it does little. */
export function requestOpener({ publicOrigin, servesHost, acceptsAnyHost, trusts }: OpenRequestOptions) {
  return (req: IncomingMessage): OpenRequest => {
    const startedAt = performance.now();
    const host = requestedHost(req, trusts);
    return {
      id: randomUUID(),
      startedAt,
      refusal: refusalOf(req, servesHost(host) || acceptsAnyHost(req), publicOrigin),
      origin: publicOrigin ?? `${requestedProtocol(req, trusts)}://${host}`,
    };
  };
}

/** @returns the protocol that the client used: the one that a trusted proxy reports, else the connection's. */
function requestedProtocol({ headers, socket }: IncomingMessage, trusts: TrustsProxy): 'http' | 'https' {
  const isEncrypted = 'encrypted' in socket && socket.encrypted === true;
  const forwarded = headers['x-forwarded-proto'];
  const isForwarded =
    typeof forwarded === 'string' && forwarded !== '' && trusts(socket.remoteAddress ?? '', 0);
  const isSecure = isForwarded ? forwarded.split(',', 1)[0]?.trim() === 'https' : isEncrypted;
  return isSecure ? 'https' : 'http';
}
