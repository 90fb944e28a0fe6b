import type { IncomingMessage } from 'node:http';
import proxyAddress, { compile } from 'proxy-addr';
import { type Config, HOST } from '../../config/config.ts';
import { boundedMap } from '../../ops/bounded-map.ts';
import type { ProcessLogger } from '../../ops/log.ts';
import { oneLine } from '../../ops/one-line.ts';

/** Whether a peer's forwarded headers count. Express accepts such a function as `trust proxy`. */
export type TrustsProxy = (address: string, hop: number) => boolean;

export function trustedProxies({ trustProxy }: Pick<Config, 'trustProxy'>): TrustsProxy {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  const addresses = trustProxy === false ? [] : trustProxy.split(',').map(address => address.trim());
  return compile(addresses);
}

/** @returns a function that finds the client's address, or null if that may be the address of a proxy. */
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

/** @returns the host reported by a trusted proxy, or the Host header; empty without both. */
export function requestedHost({ headers, socket }: IncomingMessage, trusts: TrustsProxy): string {
  const forwarded = headers['x-forwarded-host'];
  if (typeof forwarded !== 'string' || forwarded === '' || !trusts(socket.remoteAddress ?? '', 0))
    return headers.host ?? '';
  return forwarded.split(',', 1)[0]?.trim() ?? '';
}

/** Limit for refused hosts logged in a day, because scanners invent hosts. The metrics count all. */
const MAX_NAMED = 20;

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
      { code: 'http-host-refused', host: name, remedy },
      'a host was refused with 421, because PUBLIC_URL and ALLOWED_HOSTS lack it',
    );
  };
}

/** A configured host without a port allows every port. Without PUBLIC_URL every host is served. */
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
