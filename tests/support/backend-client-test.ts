import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import {
  type BackendClient,
  type BackendClientOptions,
  createBackendClient,
} from '../../server/backend/backend-client.ts';
import { BackendError } from '../../server/errors.ts';
import { eventually } from './eventually.ts';
import { close, listen } from './listen.ts';
import { patient } from './patience.ts';

/** A deadline that only a deliberately hanging call reaches. */
export const PATIENT_MS = patient(20_000);
/** A short deadline for deliberately hanging calls. A busy machine still has time to connect. */
export const SHORT_MS = 400;

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Backend {
  url: string;
  requests: Received[];
  /** Open connections. */
  open: Set<Socket>;
}

/** @param count the number of the request, from 1 */
export type Handler = (res: ServerResponse, count: number, req: IncomingMessage) => void;

export function clientOf(
  { url }: { url: string },
  options: Partial<BackendClientOptions> = {},
): BackendClient {
  return createBackendClient({ baseUrl: url, token: null, headers: {}, timeoutMs: PATIENT_MS, ...options });
}

export const never = () => new AbortController().signal;

/** @returns the `BackendError` of a failing call. A successful call fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<BackendError> {
  const outcome = await call.then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) expect.fail(`answered ${JSON.stringify(outcome.value)}`);
  expect(outcome.error).toBeInstanceOf(BackendError);
  return outcome.error as BackendError;
}

export const closed = (backend: Backend) => eventually(() => expect(backend.open.size).toBe(0));

export const json: Handler = res =>
  void res.setHeader('Content-Type', 'application/json').end('{"data":[1]}');

/** Writes a body without an end, until the client closes the connection. */
export const endless: Handler = res => {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const more = () => {
    while (!res.destroyed && res.write(chunk));
    if (!res.destroyed) res.once('drain', more);
  };
  more();
};

/**
 * Gives each test `startBackend`, which starts a server on a real socket. The test's handler answers its
 * requests.
 */
export const backendClientTest = test.extend('startBackend', async ({}, { onCleanup }) => {
  const servers: Server[] = [];
  onCleanup(async () => {
    await Promise.all(servers.map(close));
  });
  return async (handle: Handler): Promise<Backend> => {
    const requests: Received[] = [];
    const open = new Set<Socket>();
    const server = createServer(async (req, res) => {
      const received: Received = { method: req.method, url: req.url, headers: req.headers, body: '' };
      requests.push(received);
      const count = requests.length;
      for await (const chunk of req) received.body += chunk;
      handle(res, count, req);
    });
    server.on('connection', socket => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    servers.push(server);
    return { url: await listen(server), requests, open };
  };
});
