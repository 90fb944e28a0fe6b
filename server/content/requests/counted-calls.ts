import type { JsonAnswer } from '../../backend/backend-client.ts';
import { BackendError } from '../../errors.ts';
import { pathOfCall } from '../../wire/content-calls.ts';
import { isServedPath } from '../../wire/described-types.ts';

export type CallBackend = (call: string, signal: AbortSignal) => Promise<JsonAnswer>;

/** All other statuses are counted by their first digit. */
const COUNTED_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 429]);

/** @param count its outcome is `ok`, a status, the kind of a failure, or `aborted`. */
export function countedCalls(
  callBackend: CallBackend,
  count: (type: string, outcome: string) => void,
): CallBackend {
  return async (call, signal) => {
    const path = pathOfCall(call);
    // The program chooses the path. The check keeps the metric's labels bounded after later changes.
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
