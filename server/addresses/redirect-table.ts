import { fail, ok, type Result } from '../../shared/result.ts';
import {
  DEFAULT_REDIRECT_STATUS,
  followRedirects,
  GONE_STATUS,
  MAX_HOPS,
  pathKey,
  REDIRECT_STATUSES,
  type RedirectRule,
  type RedirectTable,
  resolveRedirect,
  splitAddress,
} from '../../shared/routing/redirects.ts';
import { atOnce, type Steps } from '../ops/slices.ts';
import { isGiven } from '../wire/decode-context.ts';
import { entryOf, textOf } from '../wire/wire.ts';
import { safeRedirectTarget } from './safe-address.ts';

export interface RedirectRow {
  id: string;
  from: unknown;
  to: unknown;
  statusCode?: unknown;
}

export interface RedirectProblem {
  id: string;
  from: string;
  field: 'from' | 'to' | 'statusCode';
  reason: string;
}

type Fault = Pick<RedirectProblem, 'field' | 'reason'>;

/** Decodes the editors' redirects. One without an id gets its position as the id, such as `#3`. */
export function redirectRows(rows: readonly unknown[]): readonly RedirectRow[] {
  return rows.map((row, index): RedirectRow => {
    const entry = entryOf(row);
    return {
      id: entry?.id ?? `#${index + 1}`,
      from: entry?.attributes.from,
      to: entry?.attributes.to,
      statusCode: entry?.attributes.statusCode,
    };
  });
}

/**
 * Builds the table. Reports and skips rows that are invalid, repeat a `from`, loop, or exceed MAX_HOPS.
 * @param rows the redirects. Of two rows with the same `from` the earlier one counts.
 * @param origin the site's origin. A target with this origin is stored as a path.
 * @param hosts the hosts outside of the site that targets may have (REDIRECT_HOSTS); null allows all.
 */
export function buildRedirectTable(...rows: Parameters<typeof redirectTableSteps>) {
  return atOnce(redirectTableSteps(...rows));
}

export function* redirectTableSteps(
  rows: readonly RedirectRow[],
  origin: string | null = null,
  hosts: readonly string[] | null = null,
): Steps<{ table: RedirectTable; problems: readonly RedirectProblem[] }> {
  const problems: RedirectProblem[] = [];
  const accepted: { row: RedirectRow; rule: RedirectRule }[] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    yield;
    const decoded = decodeRule(row, origin, hosts);
    if (!decoded.ok) {
      problems.push(problem(row, decoded.error));
      continue;
    }
    const rule = decoded.value;
    const identity = `${rule.wildcard ? '**' : ''}${rule.from}`;
    if (seen.has(identity)) {
      problems.push(problem(row, { field: 'from', reason: 'an earlier row has the same path' }));
      continue;
    }
    seen.add(identity);
    accepted.push({ row, rule });
  }

  // Skip all rows of a loop. A row that leads into the loop stays, because its target no longer redirects.
  const withoutLoops = yield* without(accepted, isOnLoop, 'it leads back to itself');
  // Skip longer loops and chains. `isOnLoop` misses them: `followRedirects` stops after MAX_HOPS rows.
  const finite = yield* without(withoutLoops, isEndless, `it does not end within ${MAX_HOPS} redirects`);
  return { table: tableOf(finite.map(({ rule }) => rule)), problems };

  function* without(rows: typeof accepted, isBad: typeof isOnLoop, reason: string): Steps<typeof accepted> {
    const table = tableOf(rows.map(({ rule }) => rule));
    const good: typeof accepted = [];
    for (const row of rows) {
      if (isBad(row.rule, table)) problems.push(problem(row.row, { field: 'to', reason }));
      else good.push(row);
      yield;
    }
    return good;
  }
}

function tableOf(rules: readonly RedirectRule[]): RedirectTable {
  const byFrom = (all: readonly RedirectRule[]) => new Map(all.map(rule => [rule.from, rule]));
  return {
    exact: byFrom(rules.filter(rule => !rule.wildcard)),
    wildcards: byFrom(rules.filter(rule => rule.wildcard)),
  };
}

/** Whether a chain passes the rule twice and never ends. A chain that ends is no loop, even if it does so. */
function isOnLoop(rule: RedirectRule, table: RedirectTable): boolean {
  return chainsFrom(rule, table).some(
    ({ rules, end }) => end === null && rules.indexOf(rule) !== rules.lastIndexOf(rule),
  );
}

function isEndless(rule: RedirectRule, table: RedirectTable): boolean {
  return chainsFrom(rule, table).some(({ end }) => end === null);
}

function chainsFrom(rule: RedirectRule, table: RedirectTable) {
  const base = rule.from === '/' ? '' : rule.from.split('/').map(encodeURIComponent).join('/');
  const starts = rule.wildcard ? [base || '/', `${base}/a-path-that-no-row-names`] : [base || '/'];
  return starts.map(path => followRedirects(table, { path, search: '', hash: '' }));
}

function decodeRule(
  row: RedirectRow,
  origin: string | null,
  hosts: readonly string[] | null,
): Result<RedirectRule, Fault> {
  // Do not call `textOf`, which replaces lone surrogates. A path with one is refused: no request has it.
  const from = typeof row.from === 'string' ? row.from.trim() : null;
  if (!from?.startsWith('/') || from.startsWith('//'))
    return faultOf('from', 'wants a path that begins with a slash');
  if (/[?#]/.test(from)) return faultOf('from', 'wants a path without query and hash');
  const wildcard = from.endsWith('/**');
  const { id } = row;
  const key = pathKey(wildcard ? from.slice(0, -3) || '/' : from);
  if (key === null || key.includes('*') || !key.isWellFormed())
    return faultOf('from', 'cannot be read as a path');

  const statusCode = statusOf(row.statusCode);
  if (!statusCode)
    return faultOf('statusCode', `wants one of ${REDIRECT_STATUSES.join(', ')} or ${GONE_STATUS}`);
  if (statusCode === GONE_STATUS)
    return ok({ id, from: key, wildcard, to: '', joinsRest: false, external: false, statusCode });

  if (!isGiven(row.to))
    return faultOf('to', `is empty, and only a row of the status ${GONE_STATUS} needs no target`);
  const to = splitAddress(textOf(row.to) ?? '');
  const joinsRest = to.path.endsWith('/**');
  if (joinsRest && !wildcard) return faultOf('to', "ends in /** but 'from' does not");
  const targetPath = joinsRest ? to.path.slice(0, -3) || '/' : to.path;
  const target = targetOf(targetPath + to.search + to.hash, origin);
  if (!target) return faultOf('to', 'wants a path of the site or an http(s) address');
  if (target.external && new URL(target.to).host.includes('*'))
    return faultOf('to', 'has a * in its host: the end /** needs its slash');
  if (target.external && hosts !== null && !isListed(new URL(target.to), hosts))
    return faultOf('to', 'leads to a host that REDIRECT_HOSTS does not name');

  return ok({ id, from: key, wildcard, to: target.to, joinsRest, external: target.external, statusCode });
}

/** Turns an absolute address of the site into a path, because the search for loops compares paths. */
function targetOf(to: string, origin: string | null): { to: string; external: boolean } | null {
  const target = safeRedirectTarget(to);
  if (!target?.external || origin === null) return target;
  const url = new URL(target.to);
  if (url.host !== new URL(origin).host) return target;
  const path = safeRedirectTarget(url.pathname + url.search + url.hash);
  // A path that begins with `//` leads to another host: `https://site//host` must not become `//host`.
  return path?.external ? null : path;
}

function isListed({ host, hostname }: URL, hosts: readonly string[]): boolean {
  return hosts.includes(host) || hosts.includes(hostname);
}

function statusOf(value: unknown): RedirectRule['statusCode'] | null {
  const text = textOf(value);
  if (text === null)
    return value === null || value === undefined || value === '' ? DEFAULT_REDIRECT_STATUS : null;
  return ([...REDIRECT_STATUSES, GONE_STATUS] as const).find(status => status === Number(text)) ?? null;
}

function faultOf(field: Fault['field'], says: string): Result<never, Fault> {
  return fail({ field, reason: `'${field}' ${says}` });
}

function problem(row: RedirectRow, fault: Fault): RedirectProblem {
  return { id: row.id, from: textOf(row.from) ?? '', ...fault };
}

const MAX_RENAMES = 5;

/**
 * Finds redirects from an entry's current path back to one of its former paths.
 * @param presentPath finds the current path of the entry that formerly had the given path; null if none had.
 * @returns the former path; null if no redirect leads back.
 */
export async function leadsBack(
  table: RedirectTable,
  path: string,
  presentPath: (path: string) => Promise<string | null>,
): Promise<string | null> {
  const start = pathKey(path);
  let at = path;
  for (let renames = 0; renames < MAX_RENAMES; renames += 1) {
    const redirect = resolveRedirect(table, at);
    if (!redirect || redirect.external) return null;
    const former = splitAddress(redirect.to).path;
    const present = await presentPath(former);
    if (present === null) return null;
    if (pathKey(present) === start) return former;
    at = present;
  }
  return null;
}
