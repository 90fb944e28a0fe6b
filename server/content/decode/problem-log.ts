import type { Logger } from '../../ops/log.ts';
import type { RedirectProblem } from '../redirect-table.ts';
import type { ContentProblem } from './decode-fields.ts';

/** Problems that are remembered as logged. At this number all are forgotten, so they may be logged again. */
const MAX_REMEMBERED = 5_000;

/**
 * @returns functions that log each problem of the content once. Content is decoded again at each revalidation, and would repeat its
 * problems in the log every minute.
 */
export function createProblemLog(log: Logger) {
  const logged = new Set<string>();

  function once(key: string, write: () => void): void {
    if (logged.has(key)) return;
    if (logged.size >= MAX_REMEMBERED) logged.clear();
    logged.add(key);
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
