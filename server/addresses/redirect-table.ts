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
  splitAddress,
} from '../../shared/routing/redirects.ts';
import { atOnce, type Steps } from '../ops/slices.ts';
import { isGiven } from '../wire/decode-context.ts';
import { entryOf, textOf } from '../wire/wire.ts';
import { safeRedirectTarget } from './safe-address.ts';

/** An unchecked row of the content backend or of `site-redirects.ts`. */
export interface RedirectRow {
  id: string;
  from: unknown;
  to: unknown;
  statusCode?: unknown;
}

export interface RedirectProblem {
  id: string;
  from: string;
  /** The field that an editor has to correct. */
  field: 'from' | 'to' | 'statusCode';
  reason: string;
}

type Fault = Pick<RedirectProblem, 'field' | 'reason'>;

/** A row without an id gets the number of its place, such as `#3`. */
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
 * Leaves out and reports rows that are invalid, repeat a `from`, or form a loop or too long a chain.
 * @param rows the earlier of two rows with one `from` wins. @param origin the site's: its absolute addresses
 * count as paths. @param hosts the only other hosts, from REDIRECT_HOSTS; null: any host.
 */
export function buildRedirectTable(...rows: Parameters<typeof redirectTableSteps>): BuiltTable {
  return atOnce(redirectTableSteps(...rows));
}

interface BuiltTable {
  table: RedirectTable;
  problems: readonly RedirectProblem[];
}

/** As `buildRedirectTable`, one row in each step. */
export function* redirectTableSteps(
  rows: readonly RedirectRow[],
  origin: string | null = null,
  hosts: readonly string[] | null = null,
): Steps<BuiltTable> {
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
    const identity = ruleIdentity(rule);
    if (seen.has(identity)) {
      problems.push(problem(row, { field: 'from', reason: 'an earlier row has the same path' }));
      continue;
    }
    seen.add(identity);
    accepted.push({ row, rule });
  }

  // Leaves out all rows of a loop. A row that led into it stays: nothing matches its target any more.
  const withoutLoops = yield* without(accepted, isOnLoop, 'it leads back to itself');
  // This finds loops of more than MAX_HOPS rows: the chain is cut off before it reaches its first row again.
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

/** Whether an endless chain passes the rule again. A chain that ends may pass it twice. */
function isOnLoop(rule: RedirectRule, table: RedirectTable): boolean {
  return chainsFrom(rule, table).some(
    ({ rules, end }) => end === null && rules.indexOf(rule) !== rules.lastIndexOf(rule),
  );
}

function isEndless(rule: RedirectRule, table: RedirectTable): boolean {
  return chainsFrom(rule, table).some(({ end }) => end === null);
}

/** A wildcard is followed from its base and from a path below it. */
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
  // Not `textOf`, which would repair a lone surrogate: no request can ask for such a path.
  const from = typeof row.from === 'string' ? row.from.trim() : null;
  if (!from?.startsWith('/') || from.startsWith('//'))
    return faultOf('from', 'wants a path that begins with a slash');
  if (/[?#]/.test(from)) return faultOf('from', 'wants a path without query and hash');
  const wildcard = from.endsWith('/**');
  const key = pathKey(wildcard ? from.slice(0, -3) || '/' : from);
  if (key === null || key.includes('*') || !key.isWellFormed())
    return faultOf('from', 'cannot be read as a path');

  const statusCode = statusOf(row.statusCode);
  if (!statusCode)
    return faultOf('statusCode', `wants one of ${REDIRECT_STATUSES.join(', ')} or ${GONE_STATUS}`);
  if (statusCode === GONE_STATUS)
    return ok({ from: key, wildcard, to: '', joinsRest: false, external: false, statusCode });

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

  return ok({ from: key, wildcard, to: target.to, joinsRest, external: target.external, statusCode });
}

/** An absolute address of the site becomes a path, because loops are searched in paths. */
function targetOf(to: string, origin: string | null): { to: string; external: boolean } | null {
  const target = safeRedirectTarget(to);
  if (!target?.external || origin === null) return target;
  const url = new URL(target.to);
  if (url.host !== new URL(origin).host) return target;
  const path = safeRedirectTarget(url.pathname + url.search + url.hash);
  // `https://site//host` must not become `//host`.
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

function ruleIdentity(rule: RedirectRule): string {
  return `${rule.wildcard ? '**' : ''}${rule.from}`;
}

/** @param says the rest of the sentence that begins with the field. */
function faultOf(field: Fault['field'], says: string): Result<never, Fault> {
  return fail({ field, reason: `'${field}' ${says}` });
}

function problem(row: RedirectRow, fault: Fault): RedirectProblem {
  return { id: row.id, from: textOf(row.from) ?? '', ...fault };
}
