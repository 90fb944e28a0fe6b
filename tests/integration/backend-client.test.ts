import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { MAX_ANSWER_BYTES } from '../../server/backend/backend-client.ts';
import {
  clientOf,
  closed,
  endless,
  failureOf,
  backendClientTest as it,
  json,
  never,
} from '../support/backend-client-test.ts';
import { CAPTURE_SETS } from '../support/decoding.ts';
import { capture } from '../support/fake-backend.ts';

describe('a GET', () => {
  it('a GET sends credentials, extra headers and format, and no cookies', async ({ startBackend }) => {
    const backend = await startBackend(json);
    const client = clientOf(backend, { token: 'secret', headers: { 'X-Site': 'main', 'X-Empty': '' } });
    expect((await client.getJson('/api/categories?pagination[page]=1&q=a%20b', never())).body).toEqual({
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

  it('a GET without configured credentials sends none, and no cookies', async ({ startBackend }) => {
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

  it('a GET appends its path to the base path', async ({ startBackend }) => {
    const backend = await startBackend(json);
    await clientOf({ url: `${backend.url}/cms` }).getJson('/api/a', never());
    expect(backend.requests[0]?.url).toBe('/cms/api/a');
  });

  it('a GET decodes UTF-8 whose characters straddle chunks', async ({ startBackend }) => {
    const body = Buffer.from('{"name":"José 💶"}');
    const backend = await startBackend(res => {
      for (const byte of body) res.write(Buffer.of(byte));
      res.end();
    });
    expect((await clientOf(backend).getJson('/api/a', never())).body).toEqual({ name: 'José 💶' });
  });

  it('a GET requests and decompresses a compressed response', async ({ startBackend }) => {
    const backend = await startBackend(
      res => void res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"name":"José"}')),
    );
    expect((await clientOf(backend).getJson('/api/a', never())).body).toEqual({ name: 'José' });
    expect(backend.requests[0]?.headers['accept-encoding']).toBe('gzip');
  });

  it('a GET accepts a response of exactly the maximum size', async ({ startBackend }) => {
    const text = `"${'x'.repeat(MAX_ANSWER_BYTES - 2)}"`;
    const backend = await startBackend(res => void res.end(text));
    expect((await clientOf(backend).getJson('/api/a', never())).body).toHaveLength(MAX_ANSWER_BYTES - 2);
  });
});

describe('a POST', () => {
  it('a POST sends its body unchanged, with credentials and extra headers', async ({ startBackend }) => {
    const backend = await startBackend((res, count, req) => json(res, count, req));
    const client = clientOf(backend, { token: 'secret', headers: { 'X-Site': 'main' } });
    await client.postJson('/api/email/send', '{"a":"é"}', never(), {
      headers: { 'Idempotency-Key': 'k-1' },
    });
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

  it('a POST ignores the body of its response: HTML, empty or endless', async ({ startBackend }) => {
    for (const handle of [endless, (res: ServerResponse) => void res.end('<html>')]) {
      const backend = await startBackend(handle);
      await expect(clientOf(backend).postJson('/api/email/send', '{}', never())).resolves.toBeUndefined();
    }
    const empty = await startBackend(res => void res.writeHead(204).end());
    await expect(clientOf(empty).postJson('/api/email/send', '{}', never())).resolves.toBeUndefined();
  });

  it('a POST is never sent twice', async ({ startBackend }) => {
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

describe('a response that is too large', () => {
  it('a response that announces too large a size is cut off, and its connection closed', async ({
    startBackend,
  }) => {
    const backend = await startBackend(res => {
      res.writeHead(200, { 'Content-Length': MAX_ANSWER_BYTES + 1 }).write('{');
    });
    const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(error.kind).toBe('too-large');
    expect(error.message).toContain(String(MAX_ANSWER_BYTES + 1));
    await closed(backend);
  });

  it('a response that grows too large is cut off, and its connection closed', async ({ startBackend }) => {
    const backend = await startBackend(endless);
    expect((await failureOf(clientOf(backend).getJson('/api/a', never()))).kind).toBe('too-large');
    await closed(backend);
  });

  it('the size of a response is measured after decompression', async ({ startBackend }) => {
    const packed = gzipSync(Buffer.alloc(MAX_ANSWER_BYTES + 1, ' '));
    expect(packed.length).toBeLessThan(MAX_ANSWER_BYTES / 100);
    const backend = await startBackend(
      res => void res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed),
    );
    expect((await failureOf(clientOf(backend).getJson('/api/a', never()))).kind).toBe('too-large');
  });

  it('an oversized error response is cut off, and the error keeps its status', async ({ startBackend }) => {
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

describe('a response that is not JSON', () => {
  it.for([
    ['HTML with status 200', '<!doctype html><title>Maintenance</title>'],
    ['JSON that breaks off', '{"data":[{"id":1,'],
    ['nothing', ''],
    ['two values', '{}{}'],
    ['a half character', Buffer.of(0x22, 0xc3)],
  ] as const)(
    'a response that is not JSON is malformed, and is not requested again: %s',
    async ([_, body], { startBackend }) => {
      const backend = await startBackend(res => void res.end(body));
      const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
      expect(error).toMatchObject({ kind: 'malformed', call: 'GET /api/a', status: null });
      expect(backend.requests).toHaveLength(1);
    },
  );

  it('a response that is not JSON is malformed even with status 204', async ({ startBackend }) => {
    const backend = await startBackend(res => void res.writeHead(204).end());
    expect((await failureOf(clientOf(backend).getJson('/api/a', never()))).kind).toBe('malformed');
  });
});

describe('an error of the backend', () => {
  const folder = (set: string) => path.resolve(import.meta.dirname, '../captures', set, 'errors');
  const recorded = CAPTURE_SETS.flatMap(set => readdirSync(folder(set)).map(file => [set, file] as const));

  it('the recorded errors cover each Strapi version', () => {
    expect(recorded).toHaveLength(18);
  });

  it.for(recorded)(
    'a backend error has the recorded status and message of %s (%s)',
    async ([set, file], { startBackend }) => {
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
    },
  );

  it.for([
    ['HTML', '<h1>Bad gateway</h1>'],
    ['nothing', ''],
    ['JSON without a message', '{"error":{}}'],
    ['JSON with an odd message', '{"error":{"message":{"a":1}}}'],
    ['JSON without an error', '[]'],
    ['null', 'null'],
  ] as const)(
    'a backend error has only its status when its body is %s',
    async ([_, body], { startBackend }) => {
      const backend = await startBackend(res => void res.writeHead(502).end(body));
      const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
      expect(error).toMatchObject({ kind: 'status', status: 502, message: 'GET /api/a: answered 502' });
    },
  );

  it('a backend error message has a bounded length', async ({ startBackend }) => {
    const details = { errors: Array.from({ length: 100 }, () => 'x'.repeat(100)) };
    const backend = await startBackend(res => {
      res.writeHead(400).end(JSON.stringify({ error: { message: 'm'.repeat(1_000), details } }));
    });
    const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(error.message).toBe(`GET /api/a: answered 400 (${'m'.repeat(200)})`);
  });

  it('a backend error about a file is passed on to the caller', async ({ startBackend }) => {
    const backend = await startBackend(res => void res.writeHead(404).end('none'));
    const response = await clientOf(backend).getFile('/uploads/a.png', never());
    expect(response.status).toBe(404);
    expect(await text(response.body)).toBe('none');
  });
});
