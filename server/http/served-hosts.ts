import type { IncomingMessage } from 'node:http';
import { compile } from 'proxy-addr';
import { type Config, HOST } from '../config.ts';

/** Tells whether the forwarded headers of a peer count. Express accepts the same function as its setting `trust proxy`. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** @returns a test of whether a peer is one of the proxies that TRUST_PROXY names, by its number of hops or by its address. */
export function trustedProxies({ trustProxy }: Pick<Config, 'trustProxy'>): TrustsProxy {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  const addresses = trustProxy === false ? [] : trustProxy.split(',').map(address => address.trim());
  return compile(addresses);
}

/** @returns the host that the client asked for: the one that a trusted proxy reports, else the Host header; empty without either. */
export function requestedHost({ headers, socket }: IncomingMessage, trusts: TrustsProxy): string {
  const forwarded = headers['x-forwarded-host'];
  if (typeof forwarded !== 'string' || forwarded === '' || !trusts(socket.remoteAddress ?? '', 0))
    return headers.host ?? '';
  return forwarded.split(',', 1)[0]?.trim() ?? '';
}

/**
 * @returns a test of whether a host is one of this site's. A configured host without a port matches every port. Without
 * PUBLIC_URL, and with `any`, every readable host is served.
 */
export function servedHosts({
  publicOrigin,
  allowedHosts,
}: Pick<Config, 'publicOrigin' | 'allowedHosts'>): (host: string) => boolean {
  if (publicOrigin === null) return host => HOST.test(host);
  return oneOfHosts([new URL(publicOrigin).host, ...allowedHosts]);
}

/** @returns a test of whether a host is one of a list. A host of the list without a port matches every port. */
export function oneOfHosts(hosts: readonly string[]): (host: string) => boolean {
  const listed = new Set(hosts);
  return host => {
    if (listed.has(host)) return true;
    const asked = host.toLowerCase();
    return HOST.test(asked) && (listed.has(asked) || listed.has(asked.replace(/:\d+$/, '')));
  };
}
