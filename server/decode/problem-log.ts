import { LRUCache } from 'lru-cache';
import { siteTypes } from '../../site/types.ts';
import type { RedirectProblem } from '../addresses/redirect-table.ts';
import type { Logger } from '../ops/log.ts';
import { levelOf } from '../ops/log-codes.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import type { ContentProblem } from '../wire/decode-context.ts';

/** Limit for stored problems. Above it, the source that was decoded longest ago is forgotten. */
const MAX_KNOWN = 5_000;
/** Limit for the log. Further problems of a source share one log entry. */
const MAX_OF_SOURCE = 500;

export interface KnownProblem extends ContentProblem {
  since: string;
  count: number;
}

export type ProblemLog = ReturnType<typeof createProblemLog>;

/** `from` is the path of the redirect that the reason is about. */
interface LoggedProblem extends ContentProblem {
  from?: string;
}

interface Known {
  problem: LoggedProblem;
  since: number;
  count: number;
  /** The sources with this problem: an article is in several lists. */
  sources: Set<string>;
}

/** @param onFound called with each logged problem. @param fileOf finds the content file of an entry. */
export function createProblemLog(
  log: Logger,
  onFound: (kind: ContentProblem['kind']) => void = () => {},
  now: () => number = steadyNow,
  fileOf: (id: string) => string | null = () => null,
) {
  const known = new Map<string, Known>();
  const keysOf = new LRUCache<string, ReadonlySet<string>>({
    maxSize: MAX_KNOWN,
    sizeCalculation: keys => keys.size,
    dispose(keys, source, reason) {
      if (reason !== 'set') for (const key of keys) forget(key, source);
    },
  });

  function forget(key: string, source: string): void {
    const entry = known.get(key);
    entry?.sources.delete(source);
    if (entry?.sources.size === 0) known.delete(key);
  }

  function add(key: string, source: string, problem: LoggedProblem): void {
    const before = known.get(key);
    if (before && !isChangedSince(before.problem, problem)) {
      before.count += 1;
      before.sources.add(source);
      return;
    }
    known.delete(key);
    known.set(key, { problem, since: now(), count: 1, sources: new Set(before?.sources).add(source) });
    onFound(problem.kind);
    write(problem);
  }

  /** Logs a problem again only after a change of its row. @param source the key of a request, or a name. */
  function replace(source: string, problems: readonly LoggedProblem[]): void {
    const keys = new Set<string>();
    for (const problem of bounded(problems)) {
      const { kind, type, id, field, from, reason } = problem;
      const key = JSON.stringify([kind, type, id, field, from, reason]);
      if (keys.has(key)) continue;
      keys.add(key);
      add(key, source, problem);
    }
    for (const key of keysOf.get(source) ?? []) if (!keys.has(key)) forget(key, source);
    if (keys.size > 0) keysOf.set(source, keys);
    else keysOf.delete(source);
  }

  function write({ kind, type, id, field, from, reason }: LoggedProblem): void {
    const file = id === null ? null : fileOf(id);
    const place = { type, id, ...(file !== null && { file }), field, ...(from !== undefined && { from }) };
    log[levelOf(kind)]({ code: `content-${kind}`, ...place, reason }, `content: ${kind}`);
  }

  function bounded(problems: readonly LoggedProblem[]): readonly LoggedProblem[] {
    const next = problems[MAX_OF_SOURCE];
    if (!next) return problems;
    const reason = `${problems.length - MAX_OF_SOURCE} further problems are not listed`;
    const rest = { kind: 'not-listed' as const, type: next.type, id: null, field: null, updatedAt: null };
    return [...problems.slice(0, MAX_OF_SOURCE), { ...rest, reason }];
  }

  return {
    replace,
    redirects(problems: readonly RedirectProblem[]): void {
      const common = { kind: 'redirect-left-out', type: siteTypes.redirect.path, updatedAt: null } as const;
      replace(
        'redirect table',
        problems.map(problem => ({ ...common, ...problem })),
      );
    },
    newest(limit: number): readonly KnownProblem[] {
      const newest = [...known.values()].slice(-limit).reverse();
      return newest.map(({ problem: { from, ...problem }, since, count }) => ({
        ...problem,
        reason: from ? `${from}: ${problem.reason}` : problem.reason,
        since: new Date(since).toISOString(),
        count,
      }));
    },
  };
}

/** Compare dates: this copy of the content may be older than the one with the known problem. */
function isChangedSince(before: ContentProblem, now: ContentProblem): boolean {
  return before.updatedAt !== null && now.updatedAt !== null && now.updatedAt > before.updatedAt;
}
