import type { Logger } from '../../ops/log.ts';

const EVERY_MS = 3_600_000;

/**
 * Logs uses of a former secret, at most one an hour, so that operators know whether it may go.
 * @param now a monotonic clock, in ms.
 */
export function formerSecretNote(
  log: Pick<Logger, 'info'>,
  secret: 'PREVIEW_SECRET_OLD' | 'SUBSCRIBE_SECRET_OLD',
  now: () => number = () => performance.now(),
): () => void {
  let notedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - notedAt < EVERY_MS) return;
    notedAt = now();
    log.info({ code: 'secret-former-used', secret }, 'a former secret is still in use');
  };
}
