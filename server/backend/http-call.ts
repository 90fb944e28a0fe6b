import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** An answer whose head has come. The caller reads its body to the end or destroys it. */
export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PURGE';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** An abort closes the connection, also in the middle of the body, which then fails with the signal's reason. */
  signal: AbortSignal;
}

/**
 * One request over http or https, without a retry. A redirect is an answer like any other.
 *
 * @throws the error of the connection; the signal's reason.
 */
export type HttpCall = (address: string, request: HttpRequest) => Promise<HttpAnswer>;

/** @param maxConnections to one host, open or being opened. Further requests wait for one. */
export function createHttpCall(maxConnections: number): HttpCall {
  const options = { keepAlive: true, maxSockets: maxConnections, scheduling: 'lifo' } as const;
  const http = { request: httpRequest, agent: new HttpAgent(options) };
  let https: typeof http | null = null;

  /** Loads the module with the first request that needs it, because it would be a part of each start. */
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
