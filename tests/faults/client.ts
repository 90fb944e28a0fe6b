import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** Headers of a visitor's browser. */
export const BROWSER_HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en-GB,en;q=0.9',
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
} as const;

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Decompressed body. */
  text: string;
  /** Times to the first byte and to the last byte. */
  firstByteMs: number;
  ms: number;
}

export interface AskOptions {
  agent?: Agent;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Closes the connection after this time in ms. */
  cutAfterMs?: number;
}

/** @returns an agent that keeps its connections open. */
export function keepAlive(maxSockets = 64): Agent {
  return new Agent({ keepAlive: true, maxSockets });
}

/** Sends a request and reads the complete response. Rejects if the response is missing or incomplete. */
export function ask(base: string, path: string, options: AskOptions = {}): Promise<Reply> {
  const { agent, method = 'GET', headers = {}, body, cutAfterMs } = options;
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const client = request({
      hostname,
      port,
      path,
      method,
      headers: { ...BROWSER_HEADERS, ...headers },
      ...(agent ? { agent } : { agent: false }),
    });
    const timer =
      cutAfterMs === undefined
        ? undefined
        : setTimeout(() => client.destroy(new Error('cut off')), cutAfterMs);
    client.once('error', error => {
      clearTimeout(timer);
      reject(error);
    });
    client.once('response', response => {
      const firstByteMs = performance.now() - from;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        clearTimeout(timer);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: decompress(Buffer.concat(chunks), response.headers['content-encoding']),
          firstByteMs,
          ms: performance.now() - from,
        });
      });
    });
    client.end(body);
  });
}

function decompress(body: Buffer, encoding: string | undefined): string {
  if (body.byteLength === 0) return '';
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}

/**
 * Calls `work` for each item, at most `atOnce` at a time. @returns the results, in the order of the items.
 */
export async function forEachAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

/** @returns the number of responses by status, such as `{ 200: 500 }`. Status 0 means no response. */
export function statusesOf(replies: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Sends a request. A failed request becomes a response with status 0. */
export function askAnyway(base: string, path: string, options: AskOptions = {}): Promise<Reply> {
  const from = performance.now();
  return ask(base, path, options).catch((error: unknown) => {
    const ms = performance.now() - from;
    return { status: 0, headers: {}, text: String(error), firstByteMs: ms, ms };
  });
}
