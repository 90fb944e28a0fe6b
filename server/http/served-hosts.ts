import type { IncomingMessage } from 'node:http';
import { type Config, HOST } from '../config.ts';

/** Express's `trust proxy fn`: whether the forwarded headers of a peer count. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** @returns the host that was asked for: what a trusted proxy says of it, else the Host header; empty without either. */
export function requestedHost({ headers, socket }: IncomingMessage, trusts: TrustsProxy): string {
  const forwarded = headers['x-forwarded-host'];
  if (typeof forwarded !== 'string' || forwarded === '' || !trusts(socket.remoteAddress ?? '', 0))
    return headers.host ?? '';
  return forwarded.split(',', 1)[0]?.trim() ?? '';
}

/**
 * @returns whether a host is one of this site's. A configured host without a port is meant with any; without PUBLIC_URL
 * every host is served that can be read.
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
