import type { Logger } from '../ops/log.ts';
import type { BackendClient } from './backend-client.ts';
import { type Breaker, createBreaker } from './breaker.ts';

/** The calls that tell whether the API works. They are cheap, and no visitor can choose them. */
const PROBES = ['/api/main-page', '/api/categories?pagination%5BpageSize%5D=1'];

/** The calls of the content API, behind their breaker. */
export interface GuardedClient extends Pick<BackendClient, 'baseUrl' | 'getJson' | 'postJson'> {
  readonly breaker: Breaker;
}

/**
 * Puts a breaker in front of the content API. Media have breakers of their own (`server/media/media-origins.ts`): a file says nothing
 * about the API. POSTs are not guarded, because the outbox has its own back-off for each message.
 *
 * @param timeoutMs the deadline of the client's calls.
 * @param onUp called when the API is back after it was down.
 */
export function guardClient(
  client: BackendClient,
  timeoutMs: number,
  log: Logger,
  onUp: () => void = () => {},
): GuardedClient {
  const breaker = createBreaker({
    probes: PROBES.map(call => signal => client.getJson(call, signal, 'probe')),
    timeoutMs,
    lines: {
      down: 'the content backend is down: it is asked once a second until it answers',
      up: 'the content backend is back',
      remedy: 'check that the CMS runs, and that it answers at CONTENT_BASE_URL within CONTENT_TIMEOUT_MS',
    },
    onUp,
    log,
  });
  return {
    breaker,
    baseUrl: client.baseUrl,
    getJson: (path, signal) =>
      breaker.guard(`GET ${path.split('?', 1)[0]}`, path, () => client.getJson(path, signal)),
    postJson: (...call) => client.postJson(...call),
  };
}
