import { type Agent, type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { request as secureRequest } from 'node:https';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
  json<T = Record<string, unknown>>(): T;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Keeps connections open. By default each request opens a new one. */
  agent?: Agent;
  /** Address of the client, such as 127.0.0.2. */
  localAddress?: string;
}

/**
 * Opens a request with exactly the given path. `fetch` would normalize dots, slashes and backslashes.
 * Redirects are not followed, and bodies are not decompressed. With https the certificate may be of any
 * authority.
 */
export function openRequest(
  base: string,
  path: string,
  { method = 'GET', headers = {}, agent, localAddress }: RequestOptions = {},
): ClientRequest {
  const { protocol, hostname, port } = new URL(base);
  const target = { hostname, port, path, method, headers, localAddress, agent: agent ?? false };
  return protocol === 'https:' ? secureRequest({ ...target, rejectUnauthorized: false }) : request(target);
}

/** Sends a request and collects the answer. */
export function sendRequest(base: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const client = openRequest(base, path, options);
    client.on('error', reject);
    client.on('response', response => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body,
          text: body.toString('utf8'),
          json: () => JSON.parse(body.toString('utf8')),
        });
      });
    });
    client.end(options.body);
  });
}

/** The header with which a browser requests a page. */
export const AS_BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
} as const;

/** Posts fields as a plain form does. */
export function postForm(
  base: string,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return sendRequest(base, path, {
    method: 'POST',
    headers: { ...AS_BROWSER, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

/** Posts a value as JSON. */
export function postJson(base: string, path: string, value: unknown): Promise<Answer> {
  return sendRequest(base, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: typeof value === 'string' ? value : JSON.stringify(value),
  });
}
