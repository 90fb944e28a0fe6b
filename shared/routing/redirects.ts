import { canonicalForm } from './canonical-form.ts';
import { decodeUri } from './decode-uri.ts';

/** A redirect as the browser's router receives it. */
export interface PayloadRedirect {
  to: string;
  statusCode: number;
  external: boolean;
}

export const REDIRECT_STATUSES = [301, 302, 307, 308] as const;
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];
export const DEFAULT_REDIRECT_STATUS: RedirectStatus = 307;

/** The address is gone for good. Such a row has no target. */
export const GONE_STATUS = 410;

export interface RedirectRule {
  /** The path's key (`pathKey`); for a wildcard, the key of the part before `/**`. */
  from: string;
  wildcard: boolean;
  /** A site path with query and hash, or an absolute address; empty for an address that is gone. */
  to: string;
  /** Whether the part of the path that matched the wildcard is joined to `to`. */
  joinsRest: boolean;
  external: boolean;
  statusCode: RedirectStatus | typeof GONE_STATUS;
}

export interface RedirectTable {
  exact: ReadonlyMap<string, RedirectRule>;
  /** The longest one that matches a path wins. */
  wildcards: ReadonlyMap<string, RedirectRule>;
}

/** A longer chain of redirects counts as endless. */
export const MAX_HOPS = 20;

/**
 * The form in which paths are compared: decoded, canonical, without empty segments and trailing slash.
 * An encoded slash stays encoded: a key has as many segments as its path. Null if it cannot be decoded.
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
 * Follows the chain of redirects to its end: the visitor is redirected once, with the first row's status.
 * Query and hash are carried over unless the target has its own.
 * @returns null when no row matches, the path is gone (`isGone`), or the chain does not end.
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

export function isGone(table: RedirectTable, path: string): boolean {
  return matchRule(table, pathKey(path))?.statusCode === GONE_STATUS;
}

/**
 * The rules that a chain passes, and the address at its end; null for an endless chain.
 * A chain ends before an address that is gone. If the first address is gone, its rule is the only one.
 */
export function followRedirects(
  table: RedirectTable,
  start: Address,
): { rules: readonly RedirectRule[]; end: Address | null } {
  const rules: RedirectRule[] = [];
  let current = start;
  // One more than allowed: a loop of MAX_HOPS rows passes its first row twice, as `isOnLoop` expects.
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

/** Wildcards do not match files of builds: for a missing script a browser must get a 404. */
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

/**
 * Removes empty segments and encodes backslashes of the rest: `/old//evil.example` could name another host.
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
