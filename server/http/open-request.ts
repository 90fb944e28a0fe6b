import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpError } from '../../shared/payload/http-error.ts';
import { refusalOf } from './refusal.ts';
import { requestedHost, type TrustsProxy } from './served-hosts.ts';

/** A request as the listener opens it, once: for the answers that it gives itself and for the steps of the application alike. */
export interface OpenRequest {
  /** For `X-Request-Id` and the log. */
  readonly id: string;
  /** On the clock of `performance`, in ms. */
  readonly startedAt: number;
  /** The error of a request that is not answered at all, whether a page is stored for it or not; else null. */
  readonly refusal: HttpError | null;
  /** `https://host` of the public site, for absolute addresses. */
  readonly origin: string;
}

export interface OpenRequestOptions {
  /** Null: the request's own host serves. */
  publicOrigin: string | null;
  servesHost: (host: string) => boolean;
  trusts: TrustsProxy;
}

/** @returns a function that opens a request. It runs before every answer, so it does no more than every answer needs. */
export function requestOpener({ publicOrigin, servesHost, trusts }: OpenRequestOptions) {
  return (req: IncomingMessage): OpenRequest => {
    const startedAt = performance.now();
    const host = requestedHost(req, trusts);
    return {
      id: randomUUID(),
      startedAt,
      refusal: refusalOf(req, servesHost(host), publicOrigin),
      origin: publicOrigin ?? `${requestedProtocol(req, trusts)}://${host}`,
    };
  };
}

/** @returns the protocol that the client used, by a trusted proxy or else the connection. */
function requestedProtocol({ headers, socket }: IncomingMessage, trusts: TrustsProxy): 'http' | 'https' {
  const isEncrypted = 'encrypted' in socket && socket.encrypted === true;
  const forwarded = headers['x-forwarded-proto'];
  const isForwarded =
    typeof forwarded === 'string' && forwarded !== '' && trusts(socket.remoteAddress ?? '', 0);
  const isSecure = isForwarded ? forwarded.split(',', 1)[0]?.trim() === 'https' : isEncrypted;
  return isSecure ? 'https' : 'http';
}
