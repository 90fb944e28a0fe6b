import type { BackendClient } from '../backend/backend-client.ts';
import { createHttpCall, type HttpAnswer, type HttpCall } from '../backend/http-call.ts';
import { BackendError } from '../errors.ts';

/**
 * GETs a file: a path from the backend, an absolute address from its origin. The deadline covers the head of the answer.
 *
 * @returns the answer, whatever its status. Redirects are not followed.
 * @throws BackendError
 */
export type FetchFile = (
  address: string,
  signal: AbortSignal,
  headers?: Record<string, string>,
) => Promise<HttpAnswer>;

/** Most connections to one origin other than the backend. A page may have many pictures. */
const MAX_CONNECTIONS = 16;

/** @param timeoutMs the deadline for the head of an answer from other origins; the backend's client has its own. */
export function createFetchFile(backend: Pick<BackendClient, 'getFile'>, timeoutMs: number): FetchFile {
  const call = createHttpCall(MAX_CONNECTIONS);
  return (address, signal, headers = {}) =>
    address.startsWith('/')
      ? backend.getFile(address, signal, headers)
      : fetchElsewhere(call, address, signal, headers, timeoutMs);
}

/** Fetches without credentials. Redirects are not followed, because the media policy has accepted this origin alone. */
async function fetchElsewhere(
  call: HttpCall,
  address: string,
  signal: AbortSignal,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<HttpAnswer> {
  signal.throwIfAborted();
  // AbortSignal.any is avoided for the reason in `backend-client.ts`.
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  try {
    return await call(address, { headers, signal: controller.signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new BackendError('unreachable', `GET ${address}`, 'the file could not be fetched', {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}
