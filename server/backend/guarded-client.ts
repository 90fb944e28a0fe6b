import type { Logger } from '../ops/log.ts';
import type { BackendClient } from './backend-client.ts';
import { Breaker } from './breaker.ts';

/** Cheap calls that show whether the API works. No visitor can trigger them. */
const PROBES = ['/api/main-page', '/api/categories?pagination%5BpageSize%5D=1'];

export type GuardedClient = ReturnType<typeof guardClient>;

/**
 * Adds the breaker to the calls of the API. A media file proves nothing about the API, so
 * `server/media/media-origins.ts` guards files. POSTs have no breaker: the outbox backs off for each message.
 */
export function guardClient(client: BackendClient, timeoutMs: number, log: Logger) {
  const listeners: (() => void)[] = [];
  const breaker = new Breaker({
    probes: PROBES.map(call => signal => client.getJson(call, signal, 'probe')),
    timeoutMs,
    lines: {
      code: 'backend',
      down: 'backend: no answer, so it is probed once a second',
      up: 'backend: it answers again',
      remedy: 'check that the CMS runs, and that it answers at CONTENT_BASE_URL within CONTENT_TIMEOUT_MS',
    },
    onUp() {
      for (const listener of listeners) listener();
    },
    log,
  });
  return {
    breaker,
    onRecovery: (listener: () => void) => void listeners.push(listener),
    baseUrl: client.baseUrl,
    getJson: (path: string, signal: AbortSignal) =>
      breaker.guard(`GET ${path.split('?', 1)[0]}`, path, () => client.getJson(path, signal)),
    postJson: (...call: Parameters<BackendClient['postJson']>) => client.postJson(...call),
  };
}
