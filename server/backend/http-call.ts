import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A response. The caller must read the body to the end or destroy it. */
export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PURGE';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** An abort closes the connection at any time. An unfinished body then fails with the signal's reason. */
  signal: AbortSignal;
}

/** Makes one request, without a retry. @throws the connection's error; the signal's reason after an abort. */
export type HttpCall = (address: string, request: HttpRequest) => Promise<HttpAnswer>;

/** @param maxConnections the most connections to one host. Further requests wait. */
export function createHttpCall(maxConnections: number): HttpCall {
  const options = { keepAlive: true, maxSockets: maxConnections, scheduling: 'lifo' } as const;
  const http = { request: httpRequest, agent: new HttpAgent(options) };
  let https: typeof http | null = null;

  /** Loads the module at the first HTTPS request, so that the start stays fast. */
  function overHttps(): typeof http {
    const { Agent, request } = process.getBuiltinModule('node:https');
    https ??= { request, agent: new Agent(options) };
    return https;
  }

  return (address, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const url = new URL(address);
      const { request, agent } = url.protocol === 'https:' ? overHttps() : http;
      const sent = request(url, { method, agent, headers: { 'User-Agent': 'node', ...headers } });
      let answer: Readable | undefined;
      const onAbort = () => {
        answer?.destroy(signal.reason);
        sent.destroy(signal.reason);
      };
      signal.addEventListener('abort', onAbort);
      sent.once('close', () => signal.removeEventListener('abort', onAbort));
      // After the headers, `reject` has no effect, because the body emits the error.
      sent.on('error', reject);
      sent.once('response', response => {
        answer = response;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response });
      });
      sent.end(body);
    });
}
