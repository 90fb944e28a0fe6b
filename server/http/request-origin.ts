import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';

/**
 * `https://host` of the public site, for absolute addresses and for the key of a stored page. Null: the answer names no host, so that all
 * hosts share it. Such an answer has no canonical address, is not for search engines, and is not stored by caches in front.
 */
export type SiteOrigin = string | null;

/** A host that names this machine (RFC 6761, 6.3), with an optional port. */
const LOOPBACK_HOST = /^(?:(?:[a-z\d-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/;

/** @returns whether a host, with or without a port, names this machine. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOST.test(host.toLowerCase());

/** @returns whether an IP address is one of this machine's loopback interface. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && LOOPBACK_ADDRESS.test(address);
}

/**
 * @returns a function that gives the origin of a request. PUBLIC_URL fixes it for all requests. Without PUBLIC_URL a browser on this machine
 *   has the origin that it asked for, so that the site can be tried whole; any other host may be made up, and its requests have none.
 */
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
