import type { IncomingHttpHeaders } from 'node:http';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import { BackendError } from '../errors.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';

/** The origin forbids storing a media file, so each visitor gets it streamed from the origin. */
export class NotStorableError extends BackendError {
  constructor(mediaPath: string) {
    super('not-storable', `GET ${mediaPath}`, 'the origin forbids to store the file');
  }
}

/** @returns the directives that forbid storing a response (RFC 9111, 5.2.2.5 and 5.2.2.7), or null. */
export function refusedStorage(headers: IncomingHttpHeaders): string | null {
  const directives = (headers['cache-control'] ?? '')
    .split(',')
    .map(directive => (directive.split('=', 1)[0] ?? '').trim().toLowerCase());
  const refused = ['private', 'no-store'].filter(name => directives.includes(name));
  return refused.length > 0 ? refused.join(', ') : null;
}

/** The shortest time between log entries about the same file or unresponsive server, in ms. */
const QUIET_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/** Files of an unresponsive server share one log entry a minute. The breaker logs its own refusals. */
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
        code: 'media-file-failed',
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
