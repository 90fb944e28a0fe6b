import type { Logger } from '../../ops/log.ts';
import type { RedirectProblem } from '../redirect-table.ts';
import type { ContentProblem } from './decode-fields.ts';

/** Problems remembered at the most. Beyond this number all are forgotten and may be logged again. */
const MAX_REMEMBERED = 5_000;

/**
 * @returns receivers that write each problem of the content to the log once. Content is decoded again at every
 * revalidation, and one line repeated every minute would bury all others.
 */
export function createProblemLog(log: Logger) {
  const said = new Set<string>();

  function once(key: string, write: () => void): void {
    if (said.has(key)) return;
    if (said.size >= MAX_REMEMBERED) said.clear();
    said.add(key);
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
