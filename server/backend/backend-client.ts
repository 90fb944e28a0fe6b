import { pipeline, type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { BackendError } from '../errors.ts';
import { jsonSize } from '../ops/json-size.ts';
import { inSlices, ownTick } from '../ops/slices.ts';
import { createHttpCall, type HttpAnswer, type HttpCall } from './http-call.ts';

/** The largest accepted response, in bytes. Real content is far smaller. */
export const MAX_ANSWER_BYTES = 5 * 1024 * 1024;
/** Limit for the values in a response: parsing blocks the event loop. Real content has far fewer. */
const MAX_VALUES = 250_000;
const MAX_KEYS = 15_000;
/** A response above this size, in bytes, is parsed in a tick with no other work. */
const LARGE_BYTES = 100_000;
/** Base of the pause before a failed GET is repeated, in ms. The pause is random, up to twice as long. */
const RETRY_DELAY_MS = 50;

/** Limit for connections to each path, so that a content type that hangs does not block the others. */
const MAX_CONNECTIONS = 64;
const MAX_FILE_CONNECTIONS = 16;
const FILES = 'files';

export interface BackendClientOptions {
  /** The backend's address, without `/api` and without a trailing slash. */
  baseUrl: string;
  token: string | null;
  headers: Readonly<Record<string, string>>;
  headersOfCall?: () => Readonly<Record<string, string>>;
  /** The deadline of a call, in ms. It includes the retry and the body. */
  timeoutMs: number;
}

/** The shortest header value that counts as a secret. Shorter values, such as `main`, may be logged. */
const SHORTEST_SECRET = 8;

export interface JsonAnswer {
  readonly text: string;
  readonly body: unknown;
}

interface PostOptions {
  headers?: Readonly<Record<string, string>>;
  timeoutMs?: number | undefined;
  /** Secret values of the body. The log must hide them if a refusal repeats them. */
  secrets?: readonly string[];
}

export type BackendClient = ReturnType<typeof createBackendClient>;

export function createBackendClient({
  baseUrl,
  token,
  headers,
  headersOfCall = () => ({}),
  timeoutMs,
}: BackendClientOptions) {
  // Calls follow no redirects: credentials must not reach another server, and a POST must be sent once.
  const pools = new Map<string, HttpCall>();
  const credentials: Record<string, string> = {
    ...headers,
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };

  /** @param name a name from the code, never from a request, so the number of pools is bounded. */
  function connectionsOf(name: string): HttpCall {
    const most = name === FILES ? MAX_FILE_CONNECTIONS : MAX_CONNECTIONS;
    const known = pools.get(name) ?? createHttpCall(most);
    pools.set(name, known);
    return known;
  }

  /** Hide these values in the log, because the backend's error messages may repeat them. */
  const secrets = [token, ...Object.values(headers)].filter(
    (value): value is string => value !== null && value.length >= SHORTEST_SECRET,
  );
  const withoutSecrets = (text: string, others: readonly string[] = []) =>
    [...secrets, ...others].reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);

  return {
    baseUrl,

    /**
     * @param connections the name of the connection pool; by default the path.
     * @throws BackendError; the signal's reason after an abort.
     */
    getJson(pathAndQuery: string, signal: AbortSignal, connections?: string): Promise<JsonAnswer> {
      const [path = ''] = pathAndQuery.split('?', 1);
      const name = `GET ${path}`;
      const call = connectionsOf(connections ?? path);
      return withDeadline(name, signal, timeoutMs, async bounded => {
        const request = { headers: { ...headersOfCall(), ...credentials, ...JSON_HEADERS }, signal: bounded };
        let answer: HttpAnswer;
        try {
          answer = await call(baseUrl + pathAndQuery, request);
        } catch (error) {
          if (bounded.aborted) throw error;
          await delay(RETRY_DELAY_MS + Math.random() * RETRY_DELAY_MS, undefined, { signal: bounded });
          answer = await call(baseUrl + pathAndQuery, request);
        }
        if (!isOk(answer)) throw await refusalOf(name, answer, withoutSecrets);
        const body = await readBounded(name, answer);
        if (body.byteLength > LARGE_BYTES) await checkSize(name, body);
        return parseJson(name, body.toString('utf8'));
      });
    },

    /** Throws a BackendError with the reason of a refusal. Never retries: the backend may have acted. */
    postJson(
      path: string,
      body: string,
      signal: AbortSignal,
      { headers: extra, timeoutMs: limitMs = timeoutMs, secrets: others }: PostOptions = {},
    ): Promise<void> {
      const name = `POST ${path}`;
      const headers = { ...headersOfCall(), ...credentials, 'Content-Type': 'application/json', ...extra };
      const post = async (bounded: AbortSignal) => {
        const answer = await connectionsOf(path)(baseUrl + path, {
          method: 'POST',
          headers,
          body,
          signal: bounded,
        });
        if (!isOk(answer)) throw await refusalOf(name, answer, text => withoutSecrets(text, others));
        answer.body.destroy();
      };
      return withDeadline(name, signal, limitMs, post);
    },

    /** Accepts any status. The deadline covers the headers only, as bodies of files may be large. */
    getFile(
      path: string,
      signal: AbortSignal,
      extra: Record<string, string> = {},
      connections = FILES,
    ): Promise<HttpAnswer> {
      return withDeadline(`GET ${path}`, signal, timeoutMs, bounded =>
        connectionsOf(connections)(baseUrl + path, {
          headers: { ...headersOfCall(), ...credentials, ...extra },
          signal: bounded,
        }),
      );
    },
  };
}

/**
 * Aborts the work at a deadline. Once the work has returned an open body, only `signal` aborts the body.
 * @throws BackendError; the signal's own reason when it was aborted.
 */
export async function withDeadline<T>(
  call: string,
  signal: AbortSignal,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // `AbortSignal.any` may be garbage-collected before it fires, so listen to both signals.
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = !controller.signal.aborted;
    controller.abort(new DOMException('The deadline has passed', 'TimeoutError'));
  }, limitMs);
  const onAbort = () => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  // Reject at the deadline even if the work ignores its signal.
  const ended = Promise.withResolvers<never>();
  controller.signal.addEventListener('abort', () => ended.reject(controller.signal.reason));
  ended.promise.catch(() => {});
  try {
    controller.signal.throwIfAborted();
    return await Promise.race([work(controller.signal), ended.promise]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isLate) throw new BackendError('timeout', call, `no answer within ${limitMs} ms`);
    if (error instanceof BackendError) throw error;
    throw new BackendError('unreachable', call, reasonOf(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

const JSON_HEADERS = {
  Accept: 'application/json',
  'Accept-Encoding': 'gzip',
  'Strapi-Response-Format': 'v4',
};

function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

function decompressed({ headers, body }: HttpAnswer): Readable {
  // `pipeline` destroys both streams when one fails, and passes the error to the reader.
  return headers['content-encoding'] === 'gzip' ? pipeline(body, createGunzip(), () => {}) : body;
}

async function readBounded(call: string, answer: HttpAnswer): Promise<Buffer> {
  const announced = Number(answer.headers['content-length'] ?? 0);
  if (announced > MAX_ANSWER_BYTES) {
    answer.body.destroy();
    throw new BackendError(
      'too-large',
      call,
      `an answer of ${announced} bytes, over the ${MAX_ANSWER_BYTES} allowed`,
    );
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body = decompressed(answer);
  // Listeners need half the time of an async iterator, and visitors wait for the body.
  await new Promise<void>((resolve, reject) => {
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= MAX_ANSWER_BYTES) return void chunks.push(chunk);
      const reason = `an answer of more than the ${MAX_ANSWER_BYTES} bytes allowed`;
      // Destroying the body with this error also closes the connection.
      body.destroy(new BackendError('too-large', call, reason));
    });
    body.once('end', resolve);
    body.once('error', reject);
    body.once('close', () => reject(new Error('the answer is not complete')));
  });
  return Buffer.concat(chunks);
}

/** Waits for a tick in which to parse the body. @throws BackendError if parsing would take too long. */
async function checkSize(call: string, body: Buffer): Promise<void> {
  const { values, keys } = await inSlices(jsonSize(body));
  if (values > MAX_VALUES || keys > MAX_KEYS) {
    const counted = `${values} values and about ${keys} different keys`;
    const allowed = `${MAX_VALUES} values and ${MAX_KEYS} keys`;
    throw new BackendError('too-large', call, `an answer of ${counted}, over the ${allowed} allowed`);
  }
  await ownTick();
}

function parseJson(call: string, text: string): JsonAnswer {
  try {
    return { text, body: JSON.parse(text) };
  } catch (error) {
    throw new BackendError('malformed', call, 'the answer is not JSON', { cause: error });
  }
}

/** Reads the reason of a refusal, which Strapi puts into `error.message`. */
async function refusalOf(
  call: string,
  answer: HttpAnswer,
  withoutSecrets: (text: string) => string,
): Promise<BackendError> {
  const { status } = answer;
  let reason = `answered ${status}`;
  try {
    const body: unknown = JSON.parse((await readBounded(call, answer)).toString('utf8'));
    const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
    const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : null;
    if (typeof message === 'string') reason += ` (${withoutSecrets(message).slice(0, 200)})`;
  } catch {}
  return new BackendError('status', call, reason, { status });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
