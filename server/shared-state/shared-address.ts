import * as z from 'zod';

/** Where the shared store is, decoded from SHARED_URL. */
export interface SharedAddress {
  /** The store's host and port, or those of the Sentinels. IPv6 addresses are without brackets. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** The name of the group that the Sentinels watch; null for a single server. */
  readonly sentinelGroup: string | null;
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** The password of the Sentinels themselves. */
  readonly sentinelPassword: string | null;
  readonly database: number;
}

const SCHEME = /^(rediss?)(\+sentinel)?:$/;

/**
 * Decodes an address:
 *
 * - `redis://user:password@host:6379/0`, or `rediss:` with TLS;
 * - `redis+sentinel://user:password@one:26379,two:26379/group/0?sentinelPassword=…`, or `rediss+sentinel:` with TLS to the Sentinels and to the store.
 *
 * @returns null for an address of another form.
 */
export function parseSharedAddress(text: string): SharedAddress | null {
  // URL knows one host. The first stands in its place; the others are read from the list.
  const { before, list, after } = partsAround(text);
  const hosts = list.split(',').map(host => `redis://${host}`);
  if (list === '' || !hosts.every(host => URL.canParse(host)) || !URL.canParse(`${before}host${after}`))
    return null;
  const url = new URL(`${before}host${after}`);
  const [, scheme, sentinel] = SCHEME.exec(url.protocol) ?? [];
  if (scheme === undefined || url.hash || (sentinel === undefined && hosts.length > 1)) return null;
  const path = url.pathname.split('/').slice(1).filter(Boolean);
  const group = sentinel === undefined ? null : (path.shift() ?? '');
  const [database = '0', ...rest] = path;
  if (group === '' || rest.length > 0 || !/^\d{1,4}$/.test(database)) return null;
  const decoded = (part: string) => (part === '' ? null : decodeURIComponent(part));
  return {
    hosts: hosts.map(host => {
      const { hostname, port } = new URL(host);
      const defaultPort = sentinel === undefined ? 6_379 : 26_379;
      return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
    }),
    sentinelGroup: group,
    tls: scheme === 'rediss',
    username: decoded(url.username),
    password: decoded(url.password),
    sentinelPassword: url.searchParams.get('sentinelPassword'),
    database: Number(database),
  };
}

/** @returns an address in three parts: the protocol with user and password, the list of hosts, and what follows it. */
function partsAround(text: string): { before: string; list: string; after: string } {
  const start = text.indexOf('://') + '://'.length;
  const end = text.slice(start).search(/[/?#]/);
  const authority = end < 0 ? text.slice(start) : text.slice(start, start + end);
  const list = authority.slice(authority.lastIndexOf('@') + 1);
  const before = text.slice(0, start + authority.length - list.length);
  return { before, list, after: text.slice(start + authority.length) };
}

/** @returns the address for the log, without user and password. */
export function shownAddress({ hosts, sentinelGroup, tls }: SharedAddress): string {
  const shown = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
  return `${tls ? 'rediss' : 'redis'}${sentinelGroup === null ? '' : '+sentinel'}://${shown}${sentinelGroup === null ? '' : `/${sentinelGroup}`}`;
}

/** The variable SHARED_URL. */
export const sharedAddress = z.string().transform((value, context): SharedAddress => {
  const address = parseSharedAddress(value);
  if (address) return address;
  const message = 'wants an address such as redis://host:6379, rediss://user:password@host:6379/0';
  context.addIssue({ code: 'custom', message: `${message} or redis+sentinel://one:26379,two:26379/group` });
  return z.NEVER;
});
