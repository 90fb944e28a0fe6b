import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** An answer whose headers have arrived. The caller reads its body to the end or destroys it. */
export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PURGE';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** An abort closes the connection at any time. A body that is being read fails with the signal's reason. */
  signal: AbortSignal;
}

/** One request, without a retry. @throws the error of the connection; the signal's reason. */
export type HttpCall = (address: string, request: HttpRequest) => Promise<HttpAnswer>;

/** @param maxConnections the most connections to one host. Further requests wait. */
export function createHttpCall(maxConnections: number): HttpCall {
  const options = { keepAlive: true, maxSockets: maxConnections, scheduling: 'lifo' } as const;
  const http = { request: httpRequest, agent: new HttpAgent(options) };
  let https: typeof http | null = null;

  /** Loads the module with the first request that needs it, so that starts stay fast. */
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
      // Errors after the head are emitted by the body.
      sent.on('error', reject);
      sent.once('response', response => {
        answer = response;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response });
      });
      sent.end(body);
    });
}
