import { LRUCache } from 'lru-cache';
import { siteTypes } from '../../site/types.ts';
import type { RedirectProblem } from '../addresses/redirect-table.ts';
import type { Logger } from '../ops/log.ts';
import { levelOf, type ProblemKind } from '../ops/log-codes.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import type { ContentProblem } from '../wire/decode-context.ts';

/** Limit for stored problems. Above it, the source that was decoded longest ago is forgotten. */
const MAX_KNOWN = 5_000;
/** Limit for the log. Further problems of a source share one log entry. */
const MAX_OF_SOURCE = 500;

/** A problem of the content that is served now. */
export interface KnownProblem extends ContentProblem {
  /** The time since which the problem exists, in ISO 8601. */
  since: string;
  /** How often the content was decoded with this problem. */
  count: number;
}

export type ProblemLog = ReturnType<typeof createProblemLog>;

interface Known {
  problem: ContentProblem;
  since: number;
  count: number;
  /** The sources with this problem: an article is in several lists. */
  sources: Set<string>;
}

interface Line {
  problem: ContentProblem;
  write: () => void;
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

  function add(key: string, source: string, problem: ContentProblem, write: () => void): void {
    const before = known.get(key);
    if (before && !isChangedSince(before.problem, problem)) {
      before.count += 1;
      before.sources.add(source);
      return;
    }
    known.delete(key);
    known.set(key, { problem, since: now(), count: 1, sources: new Set(before?.sources).add(source) });
    onFound(problem.kind);
    write();
  }

  function replaceWith(source: string, lines: readonly Line[]): void {
    const keys = new Set<string>();
    for (const { problem, write } of bounded(lines)) {
      const key = JSON.stringify([problem.kind, problem.type, problem.id, problem.field, problem.reason]);
      if (keys.has(key)) continue;
      keys.add(key);
      add(key, source, problem, write);
    }
    for (const key of keysOf.get(source) ?? []) if (!keys.has(key)) forget(key, source);
    if (keys.size > 0) keysOf.set(source, keys);
    else keysOf.delete(source);
  }

  function lineOf(problem: ContentProblem): Line {
    const { kind, type, id, field, reason } = problem;
    const write = () => {
      const file = id === null ? null : fileOf(id);
      const place = { type, id, ...(file === null ? {} : { file }), field };
      log[levelOf(kind)]({ code: codeOf(kind), ...place, reason }, messageOf(kind));
    };
    return { problem, write };
  }

  function bounded(lines: readonly Line[]): readonly Line[] {
    const next = lines[MAX_OF_SOURCE];
    if (!next) return lines;
    const reason = `${lines.length - MAX_OF_SOURCE} further problems are not listed`;
    const rest = { kind: 'not-listed' as const, type: next.problem.type, id: null, field: null };
    return [...lines.slice(0, MAX_OF_SOURCE), lineOf({ ...rest, reason, updatedAt: null })];
  }

  return {
    /** Logs a problem again only after a change of its row. @param source the key of a request, or a name. */
    replace: (source: string, problems: readonly ContentProblem[]) =>
      replaceWith(source, problems.map(lineOf)),
    /** Replaces the problems of the redirect table. */
    redirects(problems: readonly RedirectProblem[]): void {
      const type = siteTypes.redirect.path;
      const kind = 'redirect-left-out' as const;
      const lines = problems.map(({ id, from, field, reason }) => ({
        problem: {
          kind,
          ...{ type, id, field, updatedAt: null },
          reason: from === '' ? reason : `${from}: ${reason}`,
        },
        write: () => log.warn({ code: codeOf(kind), type, id, field, from, reason }, messageOf(kind)),
      }));
      replaceWith('redirect table', lines);
    },
    newest(limit: number): readonly KnownProblem[] {
      const newest = [...known.values()].slice(-limit).reverse();
      return newest.map(({ problem, since, count }) => ({
        ...problem,
        since: new Date(since).toISOString(),
        count,
      }));
    },
  };
}

/** Compare dates, because another source may be older than the source of the known problem. */
function isChangedSince(before: ContentProblem, now: ContentProblem): boolean {
  return before.updatedAt !== null && now.updatedAt !== null && now.updatedAt > before.updatedAt;
}

/** The code of a problem in logs, `GET /cache` and metrics. */
const codeOf = (kind: ProblemKind) => `content-${kind}` as const;
const messageOf = (kind: ProblemKind) => `content: ${kind}`;
