import { readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type BackendClient,
  type BackendClientOptions,
  createBackendClient,
  MAX_ANSWER_BYTES,
} from '../../server/backend/backend-client.ts';
import { BackendError } from '../../server/errors.ts';
import { CAPTURE_SETS } from '../support/decoding.ts';
import { capture } from '../support/fake-backend.ts';
import { close, listen } from '../support/listen.ts';

/** Long enough that only what hangs on purpose runs into it. In ms. */
const PATIENT_MS = 20_000;
const SHORT_MS = 150;

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

interface Backend {
  url: string;
  requests: Received[];
  /** Connections that are open now. */
  open: Set<Socket>;
}

/** @param count the number of the request, from 1 */
type Handler = (res: ServerResponse, count: number, req: IncomingMessage) => void;

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(close));
});

/** A backend on a real socket that does with each request what the test wants. */
async function startBackend(handle: Handler): Promise<Backend> {
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
}

function clientOf({ url }: { url: string }, options: Partial<BackendClientOptions> = {}): BackendClient {
  return createBackendClient({ baseUrl: url, token: null, headers: {}, timeoutMs: PATIENT_MS, ...options });
}

const never = () => new AbortController().signal;

/** The error of a call that has to fail as one of the backend's. */
async function failureOf(call: Promise<unknown>): Promise<BackendError> {
  const outcome = await call.then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) expect.fail(`answered ${JSON.stringify(outcome.value)}`);
  expect(outcome.error).toBeInstanceOf(BackendError);
  return outcome.error as BackendError;
}

const closed = (backend: Backend) => vi.waitFor(() => expect(backend.open.size).toBe(0), { timeout: 10_000 });

const json: Handler = res => void res.setHeader('Content-Type', 'application/json').end('{"data":[1]}');

/** Writes for as long as somebody reads. */
const endless: Handler = res => {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const more = () => {
    while (!res.destroyed && res.write(chunk));
    if (!res.destroyed) res.once('drain', more);
  };
  more();
};

describe('a GET', () => {
  it('sends credentials, the extra headers and the format, and no cookies', async () => {
    const backend = await startBackend(json);
    const client = clientOf(backend, { token: 'secret', headers: { 'X-Site': 'main', 'X-Empty': '' } });
    expect(await client.getJson('/api/categories?pagination[page]=1&q=a%20b', never())).toEqual({
      data: [1],
    });
    expect(backend.requests).toHaveLength(1);
    const [request] = backend.requests;
    expect(request).toMatchObject({
      method: 'GET',
      url: '/api/categories?pagination[page]=1&q=a%20b',
      body: '',
    });
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer secret',
      accept: 'application/json',
      'strapi-response-format': 'v4',
      'x-site': 'main',
      'x-empty': '',
    });
    expect(request?.headers).not.toHaveProperty('cookie');
  });

  it('sends no credentials where there are none, and takes no cookies along', async () => {
    const backend = await startBackend((res, count, req) => {
      res.setHeader('Set-Cookie', 'session=1; Path=/');
      json(res, count, req);
    });
    const client = clientOf(backend);
    await client.getJson('/api/a', never());
    await client.getJson('/api/b', never());
    for (const { headers } of backend.requests) {
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
    }
  });

  it('asks below the path of the base address', async () => {
    const backend = await startBackend(json);
    await clientOf({ url: `${backend.url}/cms` }).getJson('/api/a', never());
    expect(backend.requests[0]?.url).toBe('/cms/api/a');
  });

  it('reads text in UTF-8 whose characters straddle chunks', async () => {
    const body = Buffer.from('{"name":"José 💶"}');
    const backend = await startBackend(res => {
      for (const byte of body) res.write(Buffer.of(byte));
      res.end();
    });
    expect(await clientOf(backend).getJson('/api/a', never())).toEqual({ name: 'José 💶' });
  });

  it('asks for a packed answer and unpacks it', async () => {
    const backend = await startBackend(
      res => void res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"name":"José"}')),
    );
    expect(await clientOf(backend).getJson('/api/a', never())).toEqual({ name: 'José' });
    expect(backend.requests[0]?.headers['accept-encoding']).toBe('gzip');
  });

  it('takes an answer of just the bytes allowed', async () => {
    const text = `"${'x'.repeat(MAX_ANSWER_BYTES - 2)}"`;
    const backend = await startBackend(res => void res.end(text));
    expect(await clientOf(backend).getJson('/api/a', never())).toHaveLength(MAX_ANSWER_BYTES - 2);
  });
});

describe('a POST', () => {
  it('sends its body as it is, with credentials and its own headers', async () => {
    const backend = await startBackend((res, count, req) => json(res, count, req));
    const client = clientOf(backend, { token: 'secret', headers: { 'X-Site': 'main' } });
    await client.postJson('/api/email/send', '{"a":"é"}', never(), { 'Idempotency-Key': 'k-1' });
    const [request] = backend.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/api/email/send', body: '{"a":"é"}' });
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'idempotency-key': 'k-1',
      'x-site': 'main',
    });
    expect(request?.headers).not.toHaveProperty('cookie');
  });

  it('does not care for what the answer says, be it HTML, nothing or without end', async () => {
    for (const handle of [endless, (res: ServerResponse) => void res.end('<html>')]) {
      const backend = await startBackend(handle);
      await expect(clientOf(backend).postJson('/api/email/send', '{}', never())).resolves.toBeUndefined();
    }
    const empty = await startBackend(res => void res.writeHead(204).end());
    await expect(clientOf(empty).postJson('/api/email/send', '{}', never())).resolves.toBeUndefined();
  });

  it('is never sent twice', async () => {
    const reset = await startBackend((_res, _count, req) => void req.socket.resetAndDestroy());
    expect((await failureOf(clientOf(reset).postJson('/api/email/send', '{}', never()))).kind).toBe(
      'unreachable',
    );
    expect(reset.requests).toHaveLength(1);

    const failing = await startBackend(res => void res.writeHead(503).end());
    const error = await failureOf(clientOf(failing).postJson('/api/email/send', '{}', never()));
    expect(error).toMatchObject({ kind: 'status', status: 503, call: 'POST /api/email/send' });
    expect(failing.requests).toHaveLength(1);
  });
});

describe('the deadline', () => {
  it('ends a call that is not answered at all, and its connection', async () => {
    const backend = await startBackend(() => {});
    const client = clientOf(backend, { timeoutMs: SHORT_MS });
    const error = await failureOf(client.getJson('/api/settings?populate=*', never()));
    expect(error).toMatchObject({ kind: 'timeout', call: 'GET /api/settings', status: null });
    expect(error.message).toContain(`${SHORT_MS} ms`);
    expect(backend.requests).toHaveLength(1);
    await closed(backend);
  });

  it('ends a call whose body hangs', async () => {
    const backend = await startBackend(res => void res.write('{"data":'));
    const error = await failureOf(clientOf(backend, { timeoutMs: SHORT_MS }).getJson('/api/a', never()));
    expect(error.kind).toBe('timeout');
    await closed(backend);
  });

  it('ends a call whose body drips', async () => {
    const backend = await startBackend(res => {
      const drip = setInterval(() => res.write(' '), 10);
      res.once('close', () => clearInterval(drip));
    });
    const error = await failureOf(clientOf(backend, { timeoutMs: SHORT_MS }).getJson('/api/a', never()));
    expect(error.kind).toBe('timeout');
    await closed(backend);
  });

  it('ends a call whose error answer hangs', async () => {
    const backend = await startBackend(res => void res.writeHead(500).write('{"data":null'));
    const error = await failureOf(clientOf(backend, { timeoutMs: SHORT_MS }).getJson('/api/a', never()));
    expect(error.kind).toBe('timeout');
    await closed(backend);
  });

  it('is one for both attempts', async () => {
    const backend = await startBackend((_res, count, req) => {
      if (count === 1) req.socket.resetAndDestroy();
    });
    const error = await failureOf(clientOf(backend, { timeoutMs: 2 * SHORT_MS }).getJson('/api/a', never()));
    expect(error.kind).toBe('timeout');
    expect(backend.requests).toHaveLength(2);
    await closed(backend);
  });

  it('ends a POST', async () => {
    const backend = await startBackend(() => {});
    const client = clientOf(backend, { timeoutMs: SHORT_MS });
    expect((await failureOf(client.postJson('/api/email/send', '{}', never()))).kind).toBe('timeout');
    expect(backend.requests).toHaveLength(1);
    await closed(backend);
  });

  it('of a file is for its head alone', async () => {
    let finish = () => {};
    const backend = await startBackend((res, _count, req) => {
      if (req.url !== '/uploads/large.jpg') return;
      res.write('half and ');
      finish = () => void res.end('half');
    });
    const client = clientOf(backend, { timeoutMs: SHORT_MS });
    const file = await client.getFile('/uploads/large.jpg', never());
    // A call that begins after the head has come, and hangs: when it is over, so is the time of the file's head.
    expect((await failureOf(client.getJson('/api/hangs', never()))).kind).toBe('timeout');
    finish();
    expect(await text(file.body)).toBe('half and half');

    const silent = await failureOf(client.getFile('/uploads/silent.jpg', never()));
    expect(silent).toMatchObject({ kind: 'timeout', call: 'GET /uploads/silent.jpg' });
  });
});

describe('a connection that fails', () => {
  const cut: [string, (socket: Socket) => void][] = [
    ['is reset', socket => void socket.resetAndDestroy()],
    ['is closed', socket => void socket.destroy()],
  ];

  it.each(cut)('(it %s) before any byte has come is tried once more', async (_, end) => {
    const backend = await startBackend((res, count, req) => {
      if (count === 1) end(req.socket);
      else json(res, count, req);
    });
    const client = clientOf(backend, { token: 'secret' });
    expect(await client.getJson('/api/a?b=c', never())).toEqual({ data: [1] });
    expect(backend.requests.map(({ url }) => url)).toEqual(['/api/a?b=c', '/api/a?b=c']);
    expect(backend.requests[1]?.headers.authorization).toBe('Bearer secret');
  });

  it.each(cut)('(it %s) each time is tried twice and no more', async (_, end) => {
    const backend = await startBackend((_res, _count, req) => end(req.socket));
    const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(error).toMatchObject({ kind: 'unreachable', call: 'GET /api/a' });
    expect(backend.requests).toHaveLength(2);
  });

  it.each(cut)('(it %s) after the head has come is not tried again', async (_, end) => {
    const backend = await startBackend((res, _count, req) => {
      res.write('{"data":', () => end(req.socket));
    });
    const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(error.kind).toBe('unreachable');
    expect(backend.requests).toHaveLength(1);
  });

  it('is refused where nobody listens', async () => {
    const server = createServer();
    const url = await listen(server);
    await close(server);
    const client = clientOf({ url });
    for (const call of [
      () => client.getJson('/api/a?token=x', never()),
      () => client.postJson('/api/a', '{}', never()),
    ]) {
      const error = await failureOf(call());
      expect(error.kind).toBe('unreachable');
      expect(error.message).toContain('ECONNREFUSED');
      // The log has the reason in full; neither has the query.
      expect(error.cause).toBeInstanceOf(Error);
      expect(error.message).not.toContain('token');
    }
  });

  it('is no reason to ask again for what was answered with an error', async () => {
    const backend = await startBackend(res => void res.writeHead(503).end());
    await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(backend.requests).toHaveLength(1);
  });
});

describe('an answer that is too large', () => {
  it('is cut off where it announces its length, and the connection closed', async () => {
    const backend = await startBackend(res => {
      res.writeHead(200, { 'Content-Length': MAX_ANSWER_BYTES + 1 }).write('{');
    });
    const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(error.kind).toBe('too-large');
    expect(error.message).toContain(String(MAX_ANSWER_BYTES + 1));
    await closed(backend);
  });

  it('is cut off where it does not, and the connection closed', async () => {
    const backend = await startBackend(endless);
    expect((await failureOf(clientOf(backend).getJson('/api/a', never()))).kind).toBe('too-large');
    await closed(backend);
  });

  it('is measured unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(MAX_ANSWER_BYTES + 1, ' '));
    expect(packed.length).toBeLessThan(MAX_ANSWER_BYTES / 100);
    const backend = await startBackend(
      res => void res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed),
    );
    expect((await failureOf(clientOf(backend).getJson('/api/a', never()))).kind).toBe('too-large');
  });

  it('is cut off too where it explains an error, which stays what it is', async () => {
    const backend = await startBackend((res, count, req) => {
      res.writeHead(500);
      endless(res, count, req);
    });
    const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(error).toMatchObject({ kind: 'status', status: 500 });
    expect(error.message).toBe('GET /api/a: answered 500');
    await closed(backend);
  });
});

describe('an answer that is no JSON', () => {
  it.each([
    ['HTML with status 200', '<!doctype html><title>Maintenance</title>'],
    ['JSON that breaks off', '{"data":[{"id":1,'],
    ['nothing', ''],
    ['two values', '{}{}'],
    ['a half character', Buffer.of(0x22, 0xc3)],
  ])('(%s) is malformed, and not asked for again', async (_, body) => {
    const backend = await startBackend(res => void res.end(body));
    const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(error).toMatchObject({ kind: 'malformed', call: 'GET /api/a', status: null });
    expect(backend.requests).toHaveLength(1);
  });

  it('(status 204) is malformed', async () => {
    const backend = await startBackend(res => void res.writeHead(204).end());
    expect((await failureOf(clientOf(backend).getJson('/api/a', never()))).kind).toBe('malformed');
  });
});

describe('an error of the backend', () => {
  const folder = (set: string) => path.resolve(import.meta.dirname, '../captures', set, 'errors');
  const recorded = CAPTURE_SETS.flatMap(set => readdirSync(folder(set)).map(file => [set, file] as const));

  it('was recorded in each version', () => {
    expect(recorded).toHaveLength(18);
  });

  it.each(recorded)('as recorded from %s (%s) has its status and its message', async (set, file) => {
    const body = capture(set, `errors/${file}`);
    const { status, message } = body.error as { status: number; message: string };
    const backend = await startBackend(res => {
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
    const error = await failureOf(clientOf(backend).getJson('/api/things?filters[nope]=1', never()));
    expect(file.startsWith(String(status))).toBe(true);
    expect(error).toMatchObject({ kind: 'status', status, call: 'GET /api/things' });
    expect(error.message).toBe(`GET /api/things: answered ${status} (${message})`);
    expect(backend.requests).toHaveLength(1);
  });

  it.each([
    ['HTML', '<h1>Bad gateway</h1>'],
    ['nothing', ''],
    ['JSON without a message', '{"error":{}}'],
    ['JSON with an odd message', '{"error":{"message":{"a":1}}}'],
    ['JSON without an error', '[]'],
    ['null', 'null'],
  ])('that explains itself with %s has its status alone', async (_, body) => {
    const backend = await startBackend(res => void res.writeHead(502).end(body));
    const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(error).toMatchObject({ kind: 'status', status: 502, message: 'GET /api/a: answered 502' });
  });

  it('has a message of some length at the most, however many details follow it', async () => {
    const details = { errors: Array.from({ length: 100 }, () => 'x'.repeat(100)) };
    const backend = await startBackend(res => {
      res.writeHead(400).end(JSON.stringify({ error: { message: 'm'.repeat(1_000), details } }));
    });
    const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(error.message).toBe(`GET /api/a: answered 400 (${'m'.repeat(200)})`);
  });

  it('is passed on for a file, whose caller decides', async () => {
    const backend = await startBackend(res => void res.writeHead(404).end('none'));
    const response = await clientOf(backend).getFile('/uploads/a.png', never());
    expect(response.status).toBe(404);
    expect(await text(response.body)).toBe('none');
  });
});

describe('a caller who leaves', () => {
  const reason = new Error('the visitor is gone');

  it('before the call asks nothing', async () => {
    const backend = await startBackend(json);
    await expect(clientOf(backend).getJson('/api/a', AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(clientOf(backend).postJson('/api/a', '{}', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(backend.requests).toEqual([]);
  });

  const calls: [string, (client: BackendClient, signal: AbortSignal) => Promise<unknown>][] = [
    ['GET', (client, signal) => client.getJson('/api/a', signal)],
    ['POST', (client, signal) => client.postJson('/api/a', '{}', signal)],
    ['file', (client, signal) => client.getFile('/uploads/a', signal)],
  ];

  it.each(calls)('while the answer to a %s is awaited closes the connection', async (_, call) => {
    const caller = new AbortController();
    const backend = await startBackend(() => caller.abort(reason));
    await expect(call(clientOf(backend), caller.signal)).rejects.toBe(reason);
    expect(backend.requests).toHaveLength(1);
    await closed(backend);
  });

  it('while the body is on its way closes the connection', async () => {
    const caller = new AbortController();
    const backend = await startBackend(res => void res.write('{"data":', () => caller.abort(reason)));
    await expect(clientOf(backend).getJson('/api/a', caller.signal)).rejects.toBe(reason);
    await closed(backend);
  });

  it('while a file is on its way closes the connection', async () => {
    const caller = new AbortController();
    const backend = await startBackend(endless);
    const file = await clientOf(backend).getFile('/uploads/a', caller.signal);
    const body = text(file.body);
    caller.abort(reason);
    await expect(body).rejects.toBe(reason);
    await closed(backend);
  });

  it('between two attempts has the second one never made', async () => {
    const caller = new AbortController();
    const backend = await startBackend((_res, _count, req) => {
      req.socket.once('close', () => caller.abort(reason));
      req.socket.resetAndDestroy();
    });
    await expect(clientOf(backend).getJson('/api/a', caller.signal)).rejects.toBe(reason);
    expect(backend.requests).toHaveLength(1);
  });

  it('does not end the calls of others', async () => {
    const caller = new AbortController();
    const backend = await startBackend((res, count, req) => {
      if (count === 1) caller.abort(reason);
      else json(res, count, req);
    });
    const client = clientOf(backend);
    await expect(client.getJson('/api/a', caller.signal)).rejects.toBe(reason);
    expect(await client.getJson('/api/a', never())).toEqual({ data: [1] });
  });
});
