import type { JsonAnswer } from '../../backend/backend-client.ts';
import { BackendError } from '../../errors.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';
import { pathOfCall } from '../../wire/content-calls.ts';
import { servedType } from '../../wire/described-types.ts';

export type CallBackend = (call: string, signal: AbortSignal) => Promise<JsonAnswer>;

const COUNTED_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 429]);

const CALLS = 'site_backend_calls_total';

/** Counts calls by outcome: `ok`, a status, the kind of failure, or `aborted`. */
export function countedCalls(
  callBackend: CallBackend,
  metrics: Pick<Metrics, 'count' | 'stamp'>,
): CallBackend {
  return async (call, signal) => {
    const path = pathOfCall(call);
    // Count unknown paths as `other`, so that the number of the metric's labels stays bounded.
    const type = servedType(path) ? path : 'other';
    try {
      const answer = await callBackend(call, signal);
      metrics.count(CALLS, type, 'ok');
      metrics.stamp('site_backend_last_success_timestamp_seconds');
      return answer;
    } catch (error) {
      metrics.count(CALLS, type, signal.aborted ? 'aborted' : outcomeOf(error));
      if (!signal.aborted) metrics.stamp('site_backend_last_failure_timestamp_seconds');
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
