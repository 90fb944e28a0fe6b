import { type BackendClient, withDeadline } from '../backend/backend-client.ts';
import { Breaker, type Probe } from '../backend/breaker.ts';
import { createHttpCall, type HttpAnswer } from '../backend/http-call.ts';
import type { Logger } from '../ops/log.ts';

/**
 * Fetches a path from the backend, or an absolute address from its origin. Follows no redirects. The deadline
 * covers only the wait for the headers.
 * @returns the response, whatever its status. @throws BackendError
 */
export type FetchFile = (
  address: string,
  signal: AbortSignal,
  headers?: Record<string, string>,
) => Promise<HttpAnswer>;

export type MediaOrigins = ReturnType<typeof createMediaOrigins>;

const BACKEND = 'backend';
/** Limit for an origin other than the backend. A page may have many pictures. */
const MAX_CONNECTIONS = 16;
/** Fixed paths that probes request. Any response, even a 404, shows that the server works. */
const BACKEND_PROBES = ['/uploads/', '/favicon.ico'];
const ORIGIN_PROBES = ['/', '/favicon.ico'];

interface MediaOriginsOptions {
  backend: Pick<BackendClient, 'getFile'>;
  mediaOrigins: readonly string[];
  timeoutMs: number;
  log: Logger;
}

/** The servers of media files. Each has a breaker, so that an outage of one does not affect the others. */
export function createMediaOrigins({ backend, mediaOrigins, timeoutMs, log }: MediaOriginsOptions) {
  const call = createHttpCall(MAX_CONNECTIONS);
  const probeCall = createHttpCall(1);
  const breakerOf = (name: string, probes: readonly Probe[]): [string, Breaker] => [
    name,
    new Breaker({
      probes,
      timeoutMs,
      lines: {
        code: 'media-origin',
        down: `media: ${name} is down: it is asked once a second until it answers`,
        up: `media: ${name} is back`,
      },
      log,
    }),
  ];
  const breakers = new Map([
    breakerOf(
      BACKEND,
      BACKEND_PROBES.map(path => signal => headOf(backend.getFile(path, signal, {}, 'probe'))),
    ),
    ...mediaOrigins.map(origin =>
      breakerOf(
        origin,
        ORIGIN_PROBES.map(path => signal => headOf(probeCall(origin + path, { headers: {}, signal }))),
      ),
    ),
  ]);

  const fetchFile: FetchFile = (address, signal, headers = {}) => {
    const isUpload = address.startsWith('/');
    const breaker = breakers.get(isUpload ? BACKEND : new URL(address).origin);
    const work = () =>
      isUpload
        ? backend.getFile(address, signal, headers)
        : // Send no credentials and follow no redirects: the media policy has accepted only this origin.
          withDeadline(`GET ${address}`, signal, timeoutMs, bounded =>
            call(address, { headers, signal: bounded }),
          );
    // Every origin that the media policy accepts has a breaker.
    return breaker ? breaker.guard(`GET ${address}`, address, work) : work();
  };

  return {
    fetchFile,
    /** Whether each server is up. The key is its origin, or `backend`. */
    states: () => new Map(Array.from(breakers, ([name, { isUp }]) => [name, isUp])),
    /** Closes the breaker for the backend's files. Call it when an event shows that the backend is up. */
    reset: () => breakers.get(BACKEND)?.reset(),
    stop() {
      for (const breaker of breakers.values()) breaker.stop();
    },
  };
}

async function headOf(answer: Promise<HttpAnswer>): Promise<void> {
  (await answer).body.destroy();
}
