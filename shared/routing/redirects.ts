import { canonicalForm } from './canonical-form.ts';
import { decodeUri } from './decode-uri.ts';

export interface PayloadRedirect {
  to: string;
  statusCode: number;
  external: boolean;
}

export const REDIRECT_STATUSES = [301, 302, 307, 308] as const;
type RedirectStatus = (typeof REDIRECT_STATUSES)[number];
export const DEFAULT_REDIRECT_STATUS: RedirectStatus = 307;

/** The status of an address that is gone. Such a row has no target. */
export const GONE_STATUS = 410;

export interface RedirectRule {
  id: string;
  /** The path's key (`pathKey`); for a wildcard, the key of the part before `/**`. */
  from: string;
  wildcard: boolean;
  /** A site path with query and hash, or an absolute address; empty for a gone address. */
  to: string;
  /** Whether the part of the path that matched the wildcard is added to `to`. */
  joinsRest: boolean;
  external: boolean;
  statusCode: RedirectStatus | typeof GONE_STATUS;
}

export interface RedirectTable {
  exact: ReadonlyMap<string, RedirectRule>;
  /** Wildcards by key. The longest one that matches a path wins. */
  wildcards: ReadonlyMap<string, RedirectRule>;
}

/** The longest chain of redirects. A longer one counts as endless. */
export const MAX_HOPS = 20;

/**
 * @returns the form for comparing paths: decoded, canonical, without empty segments and trailing slash. An
 *   encoded slash stays encoded, so a key has as many segments as its path. Null if decoding fails.
 */
export function pathKey(path: string): string | null {
  const segments: string[] = [];
  for (const segment of segmentsOf(path)) {
    const decoded = decodeUri(segment);
    if (decoded === null) return null;
    segments.push(decoded.replaceAll('/', '%2f'));
  }
  return canonicalForm(`/${segments.join('/')}`);
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(segment => segment !== '');
}

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
 * Follows a chain of redirects to its end, so that the visitor is redirected once, with the first row's
 * status. Query and hash stay unless the target has others.
 * @returns null if no row matches, the path is gone (`isGone`), or the chain has no end.
 */
export function resolveRedirect(
  table: RedirectTable,
  path: string,
  search = '',
  hash = '',
): PayloadRedirect | null {
  const { rules, end } = followRedirects(table, { path, search, hash });
  const first = rules[0];
  if (!first || !end || first.statusCode === GONE_STATUS) return null;
  return {
    to: end.path + end.search + end.hash,
    statusCode: first.statusCode,
    external: rules.at(-1)?.external ?? false,
  };
}

/** @returns the ids of all rows in the chain of redirects that begins with a path. */
export function usedRows(table: RedirectTable, path: string): readonly string[] {
  return followRedirects(table, { path, search: '', hash: '' }).rules.map(({ id }) => id);
}

export function isGone(table: RedirectTable, path: string): boolean {
  return matchRule(table, pathKey(path))?.statusCode === GONE_STATUS;
}

/**
 * @returns the rules of a chain and the address at its end; null for an endless chain. A chain ends before a
 *   gone address. If the first address is gone, its rule is the only one.
 */
export function followRedirects(
  table: RedirectTable,
  start: Address,
): { rules: readonly RedirectRule[]; end: Address | null } {
  const rules: RedirectRule[] = [];
  let current = start;
  // Follow one hop more: `isOnLoop` expects a loop of MAX_HOPS redirects to reach its first one again.
  while (rules.length <= MAX_HOPS) {
    const rule = matchRule(table, pathKey(current.path));
    if (!rule) return { rules, end: current };
    if (rule.statusCode === GONE_STATUS) return { rules: rules.length > 0 ? rules : [rule], end: current };
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

/** Skips wildcards for files of builds, because browsers must get a 404 for a missing script. */
function matchRule(table: RedirectTable, key: string | null): RedirectRule | undefined {
  if (key === null) return undefined;
  const exact = table.exact.get(key);
  if (exact || `${key}/`.startsWith('/assets/')) return exact;
  if (table.wildcards.size === 0) return undefined;
  for (let above = key; above !== ''; above = above.slice(0, above.lastIndexOf('/'))) {
    const rule = table.wildcards.get(above);
    if (rule) return rule;
  }
  return table.wildcards.get('/');
}

/** Removes empty segments and encodes backslashes: `/old//evil.example` could name another host. */
function targetOf(rule: RedirectRule, path: string): string {
  if (!rule.joinsRest) return rule.to;
  const target = splitAddress(rule.to);
  const rest = segmentsOf(path)
    .slice(segmentsOf(rule.from).length)
    .map(segment => `/${segment.replaceAll('\\', '%5C')}`)
    .join('');
  return (target.path.replace(/\/$/, '') + rest || '/') + target.search + target.hash;
}
