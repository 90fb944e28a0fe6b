import type { PayloadRedirect } from '../payload/payload.ts';
import { canonicalForm } from './canonical-form.ts';
import { decodeUri } from './decode-uri.ts';

/** The statuses that a row of the redirect table may have. */
export const REDIRECT_STATUSES = [301, 302, 307, 308] as const;
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];
/** The status of a row without one. */
export const DEFAULT_REDIRECT_STATUS: RedirectStatus = 307;

/** The status of a row whose address is gone for good. Such a row has no target. */
export const GONE_STATUS = 410;

/** A row of the redirect table, checked: see `server/content/redirects/redirect-table.ts`. */
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
  /** The rules without a wildcard, by `from`. */
  exact: ReadonlyMap<string, RedirectRule>;
  /** The rules with a wildcard, by `from`. The longest one that matches a path wins. */
  wildcards: ReadonlyMap<string, RedirectRule>;
}

/** A chain with more redirects than this counts as endless. */
export const MAX_HOPS = 20;

/**
 * The form in which paths are compared: decoded, composed (NFC), in lower case, without empty segments and without a trailing slash. Paths
 * that differ only in these respects have the same canonical address, so a redirect from one to the other would be a loop. An encoded
 * slash stays encoded, so that a key has as many segments as its path.
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
  return canonicalForm(`/${segments.join('/')}`);
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
 * Looks up a path and follows the chain of redirects to its end, so that the visitor is redirected once, with the first row's status.
 * Query and hash are carried over unless the target has its own.
 *
 * @param path percent-encoded
 * @param search with its `?`, or empty
 * @param hash with its `#`, or empty, as always on the server
 * @returns the redirect; null when no row matches, the path is gone (`isGone`), or the chain does not end.
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

/** @returns whether a row says that the address of a path is gone. */
export function isGone(table: RedirectTable, path: string): boolean {
  return matchRule(table, pathKey(path))?.statusCode === GONE_STATUS;
}

/**
 * @returns the rules that a chain passes, and the address at its end, or null for an endless chain. A chain ends in front of an address that is
 *   gone; if the first address is gone, its rule is the only one.
 */
export function followRedirects(
  table: RedirectTable,
  start: Address,
): { rules: readonly RedirectRule[]; end: Address | null } {
  const rules: RedirectRule[] = [];
  let current = start;
  // Follows one redirect more than allowed. A loop of MAX_HOPS rows then passes its first row twice, and `isOnLoop` finds it by that.
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

/**
 * Wildcards do not match files of builds: a browser that asks for a script of an older build must get a 404 and load the page anew, and not
 * the document of another page.
 */
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
 * The target of a rule for a path. For a wildcard, the rest of the path is joined to it as the client sent it, without empty segments and
 * with encoded backslashes. Otherwise `/old//evil.example` joined to `/` would be the address of another host.
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
