import type { DiskHealth } from '../cache/disk-health.ts';
import { BackendError } from '../errors.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';
import { NotStorableError } from './cache-directives.ts';

/** A line about one file, or about one server that gives no answers, is not repeated for this time, in ms. */
const QUIET_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/**
 * @returns a function that logs why a file could not be fetched. All files that a server gives no answer for have one line in a minute.
 *   A file that its breaker has refused has none, because the breaker has logged the reason.
 */
export function createFailureLog(
  log: Logger,
  health: DiskHealth,
): (mediaPath: string, error: unknown, isStored: boolean) => Promise<void> {
  const logged = boundedMap<true>(MAX_REMEMBERED, { ttl: QUIET_MS });
  return async (mediaPath, error, isStored) => {
    if (error instanceof NotStorableError || (await health.explains(error))) return;
    const kind = error instanceof BackendError ? error.kind : null;
    if (kind === 'refused-by-breaker') return;
    const isSilent = kind === 'unreachable' || kind === 'timeout';
    const key = isSilent ? serverOf(mediaPath) : mediaPath;
    if (logged.has(key)) return;
    logged.set(key, true);
    log.warn(
      {
        path: mediaPath,
        reason: error instanceof Error ? error.message : String(error),
        ...(error instanceof Error && error.cause instanceof Error ? { cause: error.cause.message } : {}),
        effect: isStored ? 'the stored file is served' : 'the file is a 503',
      },
      'media: a file could not be fetched',
    );
  };
}

function serverOf(mediaPath: string): string {
  return mediaPath.startsWith('/') ? 'backend' : new URL(mediaPath).origin;
}
