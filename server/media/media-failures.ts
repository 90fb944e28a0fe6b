import type { IncomingHttpHeaders } from 'node:http';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import { BackendError } from '../errors.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';

/** The origin forbids storing a medium, so it can only be passed on to one visitor. */
export class NotStorableError extends BackendError {
  constructor(mediaPath: string) {
    super('not-storable', `GET ${mediaPath}`, 'the origin forbids to store the file');
  }
}

/** @returns the directive that forbids storing an answer (RFC 9111, 5.2.2.5 and 5.2.2.7), or null. */
export function refusedStorage(headers: IncomingHttpHeaders): string | null {
  const directives = (headers['cache-control'] ?? '')
    .split(',')
    .map(directive => (directive.split('=', 1)[0] ?? '').trim().toLowerCase());
  const refused = ['private', 'no-store'].filter(name => directives.includes(name));
  return refused.length > 0 ? refused.join(', ') : null;
}

/** The pause between equal log entries about a file or a silent server, in ms. */
const QUIET_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/** Files of a silent server share one entry a minute. The breaker logs why it refuses calls. */
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
