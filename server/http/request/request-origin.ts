import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config/config.ts';

/** Headers of proxies: RFC 7239 and earlier ones. */
export const FORWARDED_HEADERS = [
  'x-forwarded-for',
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
];

/**
 * The origin of the public site, for absolute addresses and page keys. Null: the response contains no host,
 * so all hosts share it, and search engines and CDNs must not store it.
 */
export type SiteOrigin = string | null;

/** A host name of this machine (RFC 6761, 6.3) with an optional port. */
const LOOPBACK_HOST = /^(?:(?:[a-z\d-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/;

export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOST.test(host.toLowerCase());

export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && LOOPBACK_ADDRESS.test(address);
}

/**
 * Whether a request comes from this machine, for a loopback host, and not through a proxy. DNS rebinding can
 * lead another host's name here.
 */
export function isOnThisMachine({ headers, socket }: IncomingMessage): boolean {
  const isForwarded = FORWARDED_HEADERS.some(name => headers[name] !== undefined);
  return isLoopbackAddress(socket.remoteAddress) && isLoopbackHost(headers.host ?? '') && !isForwarded;
}

/** Finds the origin. Without PUBLIC_URL, only browsers on this machine have one: the requested host. */
export function siteOrigins({
  publicOrigin,
  anyHost,
}: Pick<Config, 'publicOrigin' | 'anyHost'>): (req: IncomingMessage, host: string) => SiteOrigin {
  if (publicOrigin !== null || anyHost) return () => publicOrigin;
  return ({ socket }, host) => {
    if (!isLoopbackAddress(socket.remoteAddress) || !isLoopbackHost(host)) return null;
    return `${'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'}://${host.toLowerCase()}`;
  };
}
