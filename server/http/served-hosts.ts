import type { IncomingMessage } from 'node:http';
import proxyAddress, { compile } from 'proxy-addr';
import { type Config, HOST } from '../config.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { ProcessLogger } from '../ops/log.ts';
import { oneLine } from '../ops/one-line.ts';

/** Tells whether the forwarded headers of a peer count. Express accepts the same function as its setting `trust proxy`. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** @returns a test of whether a peer is one of the proxies that TRUST_PROXY names, by its number of hops or by its address. */
export function trustedProxies({ trustProxy }: Pick<Config, 'trustProxy'>): TrustsProxy {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  const addresses = trustProxy === false ? [] : trustProxy.split(',').map(address => address.trim());
  return compile(addresses);
}

/**
 * @returns a function that tells a client's address; null for a request that a proxy may have sent for any client: one that TRUST_PROXY does not name, or
 *   one that names no client.
 */
export function clientAddresses(config: Pick<Config, 'trustProxy'>): (req: IncomingMessage) => string | null {
  const trusts = trustedProxies(config);
  return req => {
    const peer = req.socket.remoteAddress;
    const isForwarded = req.headers['x-forwarded-for'] !== undefined;
    if (peer === undefined || (isForwarded && config.trustProxy === false)) return null;
    if (!trusts(peer, 0)) return peer;
    return isForwarded ? proxyAddress(req, trusts) : null;
  };
}

/** @returns the host that the client asked for: the one that a trusted proxy reports, else the Host header; empty without either. */
export function requestedHost({ headers, socket }: IncomingMessage, trusts: TrustsProxy): string {
  const forwarded = headers['x-forwarded-host'];
  if (typeof forwarded !== 'string' || forwarded === '' || !trusts(socket.remoteAddress ?? '', 0))
    return headers.host ?? '';
  return forwarded.split(',', 1)[0]?.trim() ?? '';
}

/** Refused hosts that are named in a day. Scanners make up any number; the metrics count all of them. */
const MAX_NAMED = 20;

/** @returns a function that names a host in the log which was refused with 421. */
export function refusedHosts(log: Pick<ProcessLogger, 'warn'>): (host: string) => void {
  const named = boundedMap<true>(MAX_NAMED, { ttl: 24 * 60 * 60 * 1_000 });
  return host => {
    const name = oneLine(host).slice(0, 253).toLowerCase();
    named.purgeStale();
    if (named.size >= MAX_NAMED || named.has(name)) return;
    named.set(name, true);
    const remedy =
      'add it to ALLOWED_HOSTS, or let the proxy pass on the host that visitors ask for; nothing if it is not yours';
    log.warn(
      { host: name, remedy },
      'a host was refused with 421: PUBLIC_URL and ALLOWED_HOSTS do not name it',
    );
  };
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
  const served = new Set([new URL(publicOrigin).host, ...allowedHosts]);
  return host => {
    if (served.has(host)) return true;
    const asked = host.toLowerCase();
    return HOST.test(asked) && (served.has(asked) || served.has(asked.replace(/:\d+$/, '')));
  };
}
