import type { PayloadRedirect } from '../payload/payload.ts';
import { decodeUri } from './decode-uri.ts';

/** The statuses that a row may have. */
export const REDIRECT_STATUSES = [301, 302, 307, 308] as const;
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];
/** The status of a row without one. */
export const DEFAULT_REDIRECT_STATUS: RedirectStatus = 307;

/** A row of the redirect table, checked: see `server/content/redirect-table.ts`. */
export interface RedirectRule {
  /** Comparison key of the path (`pathKey`), for a wildcard the part before its `/**`. */
  from: string;
  wildcard: boolean;
  /** A site path with query and hash, or an absolute address. A wildcard's rest is joined to it when `joinsRest`. */
  to: string;
  joinsRest: boolean;
  external: boolean;
  statusCode: RedirectStatus;
}

export interface RedirectTable {
  /** By key. */
  exact: ReadonlyMap<string, RedirectRule>;
  /** Longest first. */
  wildcards: readonly RedirectRule[];
}

/** Chains with more hops than this count as endless. */
export const MAX_HOPS = 20;

/**
 * The form in which paths are compared: decoded, composed (NFC), lower case, without empty segments and the trailing
 * slash. Paths that differ only in these have one canonical address, so a row between two such
 * forms would be a loop. An encoded slash stays encoded, so that a key has as many segments as its path.
 *
 * @returns null for a path that cannot be decoded.
 */
export function pathKey(path: string): string | null {
  const segments: string[] = [];
  for (const segment of segmentsOf(path)) {
    const decoded = decodeUri(segment);
    if (decoded === null) return null;
    segments.push(decoded.replaceAll('/', '%2f'));
  }
  return `/${segments.join('/')}`.toLowerCase().normalize('NFC');
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(segment => segment !== '');
}

/** Splits an address into path, query (with `?`) and hash (with `#`). */
export function splitAddress(address: string): Address {
  const [beforeHash = '', ...hash] = address.split('#');
  const [path = '', ...search] = beforeHash.split('?');
  return {
    path,
    search: search.length > 0 ? `?${search.join('?')}` : '',
    hash: hash.length > 0 ? `#${hash.join('#')}` : '',
  };
}

interface Address {
  path: string;
  search: string;
  hash: string;
}

/**
 * Looks a path up and follows the chain to its end: the visitor makes one hop, with the first row's status.
 * The query and the hash are carried over unless the target has its own.
 *
 * @param path percent-encoded
 * @param search with its `?`, or empty
 * @param hash with its `#`, or empty; the server never sees one
 * @returns null where no row matches, and for a chain that does not end.
 */
export function resolveRedirect(
  table: RedirectTable,
  path: string,
  search = '',
  hash = '',
): PayloadRedirect | null {
  const { rules, end } = followRedirects(table, { path, search, hash });
  const first = rules[0];
  if (!first || !end) return null;
  return {
    to: end.path + end.search + end.hash,
    statusCode: first.statusCode,
    external: rules.at(-1)?.external ?? false,
  };
}

/** @returns the rules that a chain passes, and where it ends: null when it does not. */
export function followRedirects(
  table: RedirectTable,
  start: Address,
): { rules: readonly RedirectRule[]; end: Address | null } {
  const rules: RedirectRule[] = [];
  let current = start;
  // One hop more than allowed, so that a ring of MAX_HOPS rows reaches its first row again.
  while (rules.length <= MAX_HOPS) {
    const rule = matchRule(table, pathKey(current.path));
    if (!rule) return { rules, end: current };
    rules.push(rule);
    const target = splitAddress(targetOf(rule, current.path));
    current = {
      path: target.path,
      search: target.search || current.search,
      hash: target.hash || current.hash,
    };
    if (rule.external) return { rules, end: current };
  }
  return { rules, end: null };
}

function matchRule(table: RedirectTable, key: string | null): RedirectRule | undefined {
  if (key === null) return undefined;
  return (
    table.exact.get(key) ??
    table.wildcards.find(({ from }) => key === from || key.startsWith(from === '/' ? '/' : `${from}/`))
  );
}

/**
 * Joins the rest of the path, as the client sent it, to a target that ends in a wildcard. Empty segments and backslashes
 * are removed or encoded: `/old//evil.example` joined to `/` would be the address of another host.
 */
function targetOf(rule: RedirectRule, path: string): string {
  if (!rule.joinsRest) return rule.to;
  const target = splitAddress(rule.to);
  const rest = segmentsOf(path)
    .slice(segmentsOf(rule.from).length)
    .map(segment => `/${segment.replaceAll('\\', '%5C')}`)
    .join('');
  return (target.path.replace(/\/$/, '') + rest || '/') + target.search + target.hash;
}
