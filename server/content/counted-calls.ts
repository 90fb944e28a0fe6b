import type { JsonAnswer } from '../backend/backend-client.ts';
import { BackendError } from '../errors.ts';
import { pathOfCall } from './content-calls.ts';
import { isServedPath } from './described-types.ts';

/** Calls the backend under a signal. */
export type CallBackend = (call: string, signal: AbortSignal) => Promise<JsonAnswer>;

/** The statuses that are counted apart. All others are counted by their first digit. */
const COUNTED_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 429]);

/**
 * @param count called at the end of each call, with the path of a described type and an outcome: `ok`, a status, the kind of the failure,
 *   or `aborted`.
 * @returns calls that are counted.
 */
export function countedCalls(
  callBackend: CallBackend,
  count: (type: string, outcome: string) => void,
): CallBackend {
  return async (call, signal) => {
    const path = pathOfCall(call);
    // The path comes from the program. A label of a metric is checked all the same, so that no change makes it unbounded.
    const type = isServedPath(path) ? path : 'other';
    try {
      const answer = await callBackend(call, signal);
      count(type, 'ok');
      return answer;
    } catch (error) {
      count(type, signal.aborted ? 'aborted' : outcomeOf(error));
      throw error;
    }
  };
}

function outcomeOf(error: unknown): string {
  if (!(error instanceof BackendError)) return 'failed';
  const { kind, status } = error;
  if (status === null) return kind;
  return COUNTED_STATUSES.has(status) ? String(status) : `${Math.floor(status / 100)}xx`;
}
