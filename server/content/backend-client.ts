import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, fetch, type Response } from 'undici';
import { BackendError } from '../errors.ts';

/** An answer of over this many bytes is cut off: nothing the site shows is that large. */
export const MAX_ANSWER_BYTES = 5 * 1024 * 1024;
/** A GET that failed before any byte came is tried once more after this many ms, plus as many again at random. */
const RETRY_DELAY_MS = 50;

/** A backend that hangs must not collect connections. Calls beyond wait for one, under their own deadline. */
const MAX_CONNECTIONS = 64;

export interface BackendClientOptions {
  /** Without `/api` and without a trailing slash. */
  baseUrl: string;
  token: string | null;
  headers: Readonly<Record<string, string>>;
  /** For a call in all, its retry and its body included. */
  timeoutMs: number;
}

/** A shorter header value is no secret: `1`, `main`. */
const SHORTEST_SECRET = 8;

/** HTTP to the content backend: credentials, one deadline a call, a bound on its size. Knows nothing of content. */
export interface BackendClient {
  /** The backend's own address, for telling its media from others'. */
  readonly baseUrl: string;
  /**
   * @param pathAndQuery such as `/api/categories?…`
   * @param signal aborted when nobody waits for the answer any more.
   * @returns the decoded JSON.
   * @throws BackendError; the signal's own reason when it was aborted.
   */
  getJson(pathAndQuery: string, signal: AbortSignal): Promise<unknown>;
  /**
   * POSTs a JSON body and ignores the answer's. Never tried twice: the backend may have acted already.
   * @param timeoutMs where the client's own is too short.
   */
  postJson(
    path: string,
    body: string,
    signal: AbortSignal,
    headers?: Record<string, string>,
    timeoutMs?: number,
  ): Promise<void>;
  /**
   * GETs a file. The deadline covers the answer's head only: a large picture may take its time.
   * @returns the answer, whatever its status.
   */
  getFile(path: string, signal: AbortSignal, headers?: Record<string, string>): Promise<Response>;
}

/** @returns a client for one backend. */
export function createBackendClient({
  baseUrl,
  token,
  headers,
  timeoutMs,
}: BackendClientOptions): BackendClient {
  /** A redirect is not followed: the credentials are for this backend, and a POST must not be sent again. */
  const redirect = 'manual';
  const credentials: Record<string, string> = {
    ...headers,
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };

  /** What may not be in any log line, even if the backend's errors repeat what it was sent. */
  const secrets = [token, ...Object.values(headers)].filter(
    (value): value is string => value !== null && value.length >= SHORTEST_SECRET,
  );
  const withoutSecrets = (text: string) =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);

  const dispatcher = new Agent({ connections: MAX_CONNECTIONS });

  /** Gives the work a deadline of its own and says which of the two ended it. */
  async function withDeadline<T>(
    call: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
    limitMs = timeoutMs,
  ) {
    // Not `AbortSignal.any`: a signal of that kind is held by nobody, and one that is collected tells nobody any more.
    const controller = new AbortController();
    const late = new DOMException('The deadline has passed', 'TimeoutError');
    const timer = setTimeout(() => controller.abort(late), limitMs);
    const leave = () => controller.abort(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    // The deadline holds whatever becomes of the work.
    const ended = Promise.withResolvers<never>();
    controller.signal.addEventListener('abort', () => ended.reject(controller.signal.reason));
    ended.promise.catch(() => {});
    try {
      controller.signal.throwIfAborted();
      return await Promise.race([work(controller.signal), ended.promise]);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (controller.signal.reason === late)
        throw new BackendError('timeout', call, `no answer within ${limitMs} ms`);
      if (error instanceof BackendError) throw error;
      throw new BackendError('unreachable', call, reasonOf(error), { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    baseUrl,

    getJson(pathAndQuery, signal) {
      const call = `GET ${pathAndQuery.split('?', 1)[0]}`;
      return withDeadline(call, signal, async bounded => {
        const request = {
          headers: { ...credentials, Accept: 'application/json', 'Strapi-Response-Format': 'v4' },
          signal: bounded,
          redirect,
          dispatcher,
        } as const;
        let response: Response;
        try {
          response = await fetch(baseUrl + pathAndQuery, request);
        } catch (error) {
          if (bounded.aborted) throw error;
          await delay(RETRY_DELAY_MS + Math.random() * RETRY_DELAY_MS, undefined, { signal: bounded });
          response = await fetch(baseUrl + pathAndQuery, request);
        }
        if (!response.ok) {
          const message = await errorMessage(call, response, withoutSecrets);
          throw new BackendError('status', call, message, { status: response.status });
        }
        return parseJson(call, await readBounded(call, response));
      });
    },

    postJson(path, body, signal, extra = {}, limitMs = timeoutMs) {
      const call = `POST ${path}`;
      const post = async (bounded: AbortSignal) => {
        const response = await fetch(baseUrl + path, {
          method: 'POST',
          headers: { ...credentials, 'Content-Type': 'application/json', ...extra },
          body,
          signal: bounded,
          redirect,
          dispatcher,
        });
        await response.body?.cancel();
        if (!response.ok) {
          throw new BackendError('status', call, `answered ${response.status}`, { status: response.status });
        }
      };
      return withDeadline(call, signal, post, limitMs);
    },

    getFile(path, signal, extra = {}) {
      // The deadline ends with the head: its timer is cleared when fetch returns, and the body goes on under `signal` alone.
      return withDeadline(`GET ${path}`, signal, bounded =>
        fetch(baseUrl + path, {
          headers: { ...credentials, ...extra },
          signal: bounded,
          redirect,
          dispatcher,
        }),
      );
    },
  };
}

async function readBounded(call: string, response: Response): Promise<string> {
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > MAX_ANSWER_BYTES) {
    await response.body?.cancel();
    throw new BackendError(
      'too-large',
      call,
      `an answer of ${announced} bytes, over the ${MAX_ANSWER_BYTES} allowed`,
    );
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop by an error cancels the body, and with it the connection.
    if (bytes > MAX_ANSWER_BYTES) {
      throw new BackendError(
        'too-large',
        call,
        `an answer of more than the ${MAX_ANSWER_BYTES} bytes allowed`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What an answer was parsed from. */
interface Source {
  digest: string;
  /** Of the text, in characters. */
  length: number;
}

const sources = new WeakMap<object, Source>();

/** @returns what an answer of `getJson` was parsed from: the same text, the same answer; null for what is none. */
export function sourceOf(answer: unknown): Source | null {
  return typeof answer === 'object' && answer !== null ? (sources.get(answer) ?? null) : null;
}

function parseJson(call: string, text: string): unknown {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null)
      sources.set(answer, {
        digest: createHash('sha256').update(text).digest('base64url'),
        length: text.length,
      });
    return answer;
  } catch (error) {
    throw new BackendError('malformed', call, 'the answer is not JSON', { cause: error });
  }
}

/** Strapi says in `error.message` what it did not like; that helps whoever reads the log. */
async function errorMessage(
  call: string,
  response: Response,
  withoutSecrets: (text: string) => string,
): Promise<string> {
  const head = `answered ${response.status}`;
  try {
    const body: unknown = JSON.parse(await readBounded(call, response));
    const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
    const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : null;
    return typeof message === 'string' ? `${head} (${withoutSecrets(message).slice(0, 200)})` : head;
  } catch {
    return head;
  }
}

/** fetch says 'fetch failed' and hides the reason in `cause`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
