import * as z from 'zod';
import { withoutTrailingSlashes } from '../../shared/routing/trailing-slashes.ts';
import { parsed } from './config-values.ts';

export interface SharedAddress {
  /** Hosts of the store, or of the Sentinels. IPv6 addresses have no brackets. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** The group of the Sentinels; null for a single server. */
  readonly sentinelGroup: string | null;
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  readonly sentinelPassword: string | null;
  readonly database: number;
}

const SCHEME = /^(rediss?)(\+sentinel)?:$/;

/**
 * Parses `redis://user:password@host:6379/0` and
 * `redis+sentinel://user:password@one:26379,two:26379/group/0?sentinelPassword=…`. `rediss` adds TLS.
 */
export function parseSharedAddress(text: string): SharedAddress | null {
  // Parse the address with the placeholder `host`, because URL accepts one host. `list` has the real ones.
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

/** Splits an address into three parts: protocol with credentials, list of hosts, rest. */
function partsAround(text: string): { before: string; list: string; after: string } {
  const start = text.indexOf('://') + '://'.length;
  const end = text.slice(start).search(/[/?#]/);
  const authority = end < 0 ? text.slice(start) : text.slice(start, start + end);
  const list = authority.slice(authority.lastIndexOf('@') + 1);
  const before = text.slice(0, start + authority.length - list.length);
  return { before, list, after: text.slice(start + authority.length) };
}

export function shownAddress({ hosts, sentinelGroup, tls }: SharedAddress): string {
  const shown = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
  return `${tls ? 'rediss' : 'redis'}${sentinelGroup === null ? '' : '+sentinel'}://${shown}${sentinelGroup === null ? '' : `/${sentinelGroup}`}`;
}

export const sharedAddress = parsed(
  parseSharedAddress,
  'wants an address such as redis://host:6379, rediss://user:password@host:6379/0 or redis+sentinel://one:26379,two:26379/group',
);

type QueueAddress =
  | { readonly engine: 'redis'; readonly redis: SharedAddress }
  | { readonly engine: 'postgres'; readonly url: string };

export interface QueueConfig {
  readonly address: QueueAddress;
  readonly name: string;
  readonly isTrusted: boolean;
}

export const queueAddress = parsed((text): QueueAddress | null => {
  const redis = /^redis/.test(text) ? parseSharedAddress(text) : null;
  if (redis) return Object.freeze({ engine: 'redis', redis });
  const url = URL.parse(text);
  const isPostgres =
    url && /^postgres(?:ql)?:$/.test(url.protocol) && url.hostname && url.pathname.length > 1;
  return isPostgres ? Object.freeze({ engine: 'postgres', url: text }) : null;
}, 'wants an address such as redis://user:password@host:6379/0, rediss://host:6379 or postgres://user:password@host:5432/database');

export const queueName = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'wants letters, digits, dots, hyphens and underscores, 100 at most');

interface QueueVariables {
  OUTBOX_URL?: QueueAddress | undefined;
  OUTBOX_QUEUE?: string | undefined;
  OUTBOX_TRUST: boolean;
  PUBLIC_URL?: string | undefined;
}

/** Names the queue after the site's host by default, so that staging and production on one server differ. */
export function queueConfig({
  OUTBOX_URL: address,
  OUTBOX_QUEUE: name,
  OUTBOX_TRUST: isTrusted,
  PUBLIC_URL: publicUrl,
}: QueueVariables): QueueConfig | null {
  if (!address) return null;
  const host = URL.parse(publicUrl ?? '')?.host.replaceAll(/[^\w.-]/g, '-');
  return Object.freeze({ address, name: name ?? (host ? `outbox-${host}` : 'outbox'), isTrusted });
}

export type CdnAddress =
  | { readonly kind: 'varnish'; readonly urls: readonly string[] }
  | { readonly kind: 'fastly' | 'cloudflare'; readonly id: string };

function parseCdnAddress(text: string): CdnAddress | null {
  const kind = text.split(':', 1)[0] ?? '';
  const rest = text.slice(kind.length + 1);
  if (kind === 'fastly' || kind === 'cloudflare') return isId(rest) ? { kind, id: rest } : null;
  if (kind !== 'varnish') return null;
  const urls = rest.split(',').map(url => url.trim());
  const isAddress = (url: string) => URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
  return urls.every(isAddress) ? { kind: 'varnish', urls: urls.map(withoutTrailingSlashes) } : null;
}

/** Whether a vendor's id is safe in a path: without dots and characters that need encoding. */
function isId(text: string): boolean {
  return text !== '' && text.length <= 64 && encodeURIComponent(text) === text && !text.includes('.');
}

export const cdnAddress = parsed(
  parseCdnAddress,
  'wants varnish:http://10.0.0.1:6081 (several addresses with commas), fastly:SERVICE_ID or cloudflare:ZONE_ID',
);
