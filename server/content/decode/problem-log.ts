import { LRUCache } from 'lru-cache';
import type { Logger } from '../../ops/log.ts';
import type { RedirectProblem } from '../redirect-table.ts';
import type { ContentProblem } from './decode-fields.ts';

/** Most problems that are remembered as logged. Beyond it the one that was reported longest ago is forgotten. */
const MAX_LOGGED = 5_000;

/**
 * @returns functions that log each problem of the content once. Content is decoded again at each revalidation, and would repeat its
 * problems in the log every minute.
 */
export function createProblemLog(log: Logger) {
  const logged = new LRUCache<string, true>({ max: MAX_LOGGED });

  function once(key: string, write: () => void): void {
    // `get` counts as a use, so a problem that is reported at each revalidation stays remembered.
    if (logged.get(key)) return;
    logged.set(key, true);
    write();
  }

  return {
    content({ kind, type, id, reason }: ContentProblem): void {
      once(`${kind} ${type} ${id} ${reason}`, () => log.warn({ type, id, reason }, `content: ${kind}`));
    },
    redirects(problems: readonly RedirectProblem[]): void {
      for (const { id, from, reason } of problems) {
        once(`redirect ${id} ${from} ${reason}`, () =>
          log.warn({ type: 'redirects', id, from, reason }, 'content: redirect left out'),
        );
      }
    },
  };
}
