import type { Logger } from '../../ops/log.ts';
import type { CountedSecret } from '../../ops/metrics/metric-table.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';

const EVERY_MS = 3_600_000;

/** Counts uses of a former secret, and logs at most one an hour: while it is used, operators must keep it. */
export function formerSecretNote(
  { log, metrics }: { readonly log: Pick<Logger, 'info'>; readonly metrics: Pick<Metrics, 'count'> },
  secret: 'PREVIEW_SECRET_OLD' | 'SUBSCRIBE_SECRET_OLD',
  now: () => number = () => performance.now(),
): () => void {
  let notedAt = Number.NEGATIVE_INFINITY;
  return () => {
    metrics.count('site_secret_uses_total', secret, 'used');
    if (now() - notedAt < EVERY_MS) return;
    notedAt = now();
    log.info({ code: 'secret-former-used', secret }, 'a former secret is still in use');
  };
}

/** Counts a call with a secret as `used` if it succeeds, or as `refused` if the response is 401 or 403. */
export async function countedUse<T>(
  metrics: Pick<Metrics, 'count'>,
  secret: CountedSecret,
  call: () => Promise<T>,
): Promise<T> {
  const answer = await call().catch((error: { readonly status?: unknown }) => {
    if (error.status === 401 || error.status === 403)
      metrics.count('site_secret_uses_total', secret, 'refused');
    throw error;
  });
  metrics.count('site_secret_uses_total', secret, 'used');
  return answer;
}
