import {
  DEFAULT_REDIRECT_STATUS,
  followRedirects,
  pathKey,
  REDIRECT_STATUSES,
  type RedirectRule,
  type RedirectStatus,
  type RedirectTable,
} from '../../shared/redirects.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { safeRedirectTarget } from './safe-address.ts';
import { entryOf, textOf } from './wire.ts';

/** A row as the content backend or the site's configuration has it. */
export interface RedirectRow {
  id: string;
  from: unknown;
  to: unknown;
  statusCode?: unknown;
}

/** A row that is not in the table, or not as it was meant, and why. */
export interface RedirectProblem {
  id: string;
  from: string;
  reason: string;
}

/** @returns the rows of `/api/redirects`; a row without an id is numbered by its place. */
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
 * Builds the table. A row with a bad target, one shadowed by an earlier row of the same `from`, one that leads to
 * itself or into a loop is left out and named in `problems`: a request never finds it.
 *
 * @param rows earlier ones win.
 * @param origin the site's own, so that an absolute address of the site itself counts as a path.
 */
export function buildRedirectTable(
  rows: readonly RedirectRow[],
  origin: string | null = null,
): { table: RedirectTable; problems: readonly RedirectProblem[] } {
  const problems: RedirectProblem[] = [];
  const accepted: { row: RedirectRow; rule: RedirectRule }[] = [];
  const taken = new Set<string>();
  for (const row of rows) {
    const decoded = decodeRule(row, origin);
    if (!decoded.ok) {
      problems.push(problem(row, decoded.error));
      continue;
    }
    const rule = decoded.value;
    const identity = ruleIdentity(rule);
    if (taken.has(identity)) {
      problems.push(problem(row, 'an earlier row has the same path'));
      continue;
    }
    taken.add(identity);
    accepted.push({ row, rule });
  }

  // A row on a loop goes, and all the loop's rows with it; rows that only lead there then lead to a plain path.
  const whole = tableOf(accepted.map(({ rule }) => rule));
  const sound = accepted.filter(({ row, rule }) => {
    const loops = comesBack(rule, whole);
    if (loops) problems.push(problem(row, 'it leads back to itself'));
    return !loops;
  });
  return { table: tableOf(sound.map(({ rule }) => rule)), problems };
}

function tableOf(rules: readonly RedirectRule[]): RedirectTable {
  return {
    exact: new Map(rules.filter(rule => !rule.wildcard).map(rule => [rule.from, rule])),
    wildcards: rules.filter(rule => rule.wildcard).sort((a, b) => b.from.length - a.from.length),
  };
}

/** Whether a chain that begins at the rule passes it again. A wildcard is tried with its base and with a path below it. */
function comesBack(rule: RedirectRule, table: RedirectTable): boolean {
  const base = rule.from === '/' ? '' : rule.from.split('/').map(encodeURIComponent).join('/');
  const starts = rule.wildcard ? [base || '/', `${base}/a-path-that-no-row-names`] : [base || '/'];
  return starts.some(path => {
    const { rules } = followRedirects(table, { path, search: '', hash: '' });
    return rules.indexOf(rule) !== rules.lastIndexOf(rule);
  });
}

function decodeRule(row: RedirectRow, origin: string | null): Result<RedirectRule> {
  const from = textOf(row.from);
  if (!from?.startsWith('/') || from.startsWith('//'))
    return fail("'from' wants a path that begins with a slash");
  if (/[?#]/.test(from)) return fail("'from' wants a path without query and hash");
  const wildcard = from.endsWith('/**');
  const key = pathKey(wildcard ? from.slice(0, -3) || '/' : from);
  if (key === null || key.includes('*')) return fail("'from' cannot be read as a path");

  const to = textOf(row.to);
  const joinsRest = to?.endsWith('/**') ?? false;
  if (joinsRest && !wildcard) return fail("'to' ends in /** but 'from' does not");
  const target = safeRedirectTarget(ownPath(joinsRest ? to?.slice(0, -3) || '/' : to, origin));
  if (!target) return fail("'to' wants a path of the site or an http(s) address");

  const statusCode = statusOf(row.statusCode);
  if (!statusCode) return fail(`'statusCode' wants one of ${REDIRECT_STATUSES.join(', ')}`);
  return ok({ from: key, wildcard, to: target.to, joinsRest, external: target.external, statusCode });
}

/** An absolute address of the site itself is a path: as an external one it would escape the search for loops. */
function ownPath(to: string | null | undefined, origin: string | null): string | null | undefined {
  if (!to || !origin || !URL.canParse(to)) return to;
  const url = new URL(to);
  return url.origin === origin ? url.pathname + url.search + url.hash : to;
}

function statusOf(value: unknown): RedirectStatus | null {
  if (value === null || value === undefined || value === '') return DEFAULT_REDIRECT_STATUS;
  return REDIRECT_STATUSES.find(status => status === Number(value)) ?? null;
}

function ruleIdentity(rule: RedirectRule): string {
  return `${rule.wildcard ? '**' : ''}${rule.from}`;
}

function problem(row: RedirectRow, reason: string): RedirectProblem {
  return { id: row.id, from: String(row.from), reason };
}
