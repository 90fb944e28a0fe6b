import type { Logger } from '../../ops/log.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';

const EVERY_MS = 3_600_000;

/**
 * Counts uses of a former secret, and logs at most one an hour, so that operators know whether it may go.
 * @param now a monotonic clock, in ms.
 */
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
