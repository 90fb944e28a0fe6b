import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import type { BackendClient } from '../../server/backend/backend-client.ts';
import {
  clientOf,
  closed,
  endless,
  failureOf,
  backendClientTest as it,
  json,
  never,
  SHORT_MS,
} from '../support/backend-client-test.ts';
import { close, listen } from '../support/listen.ts';

describe('the deadline', () => {
  it('the deadline ends an unanswered call, and its connection', async ({ startBackend }) => {
    const backend = await startBackend(() => {});
    const client = clientOf(backend, { timeoutMs: SHORT_MS });
    const error = await failureOf(client.getJson('/api/settings?populate=*', never()));
    expect(error).toMatchObject({ kind: 'timeout', call: 'GET /api/settings', status: null });
    expect(error.message).toContain(`${SHORT_MS} ms`);
    expect(backend.requests).toHaveLength(1);
    await closed(backend);
  });

  it('the deadline ends a call whose body hangs', async ({ startBackend }) => {
    const backend = await startBackend(res => void res.write('{"data":'));
    const error = await failureOf(clientOf(backend, { timeoutMs: SHORT_MS }).getJson('/api/a', never()));
    expect(error.kind).toBe('timeout');
    await closed(backend);
  });

  it('the deadline ends a call whose body drips', async ({ startBackend }) => {
    const backend = await startBackend(res => {
      const drip = setInterval(() => res.write(' '), 10);
      res.once('close', () => clearInterval(drip));
    });
    const error = await failureOf(clientOf(backend, { timeoutMs: SHORT_MS }).getJson('/api/a', never()));
    expect(error.kind).toBe('timeout');
    await closed(backend);
  });

  it('the deadline ends a call whose error body hangs', async ({ startBackend }) => {
    const backend = await startBackend(res => void res.writeHead(500).write('{"data":null'));
    const error = await failureOf(clientOf(backend, { timeoutMs: SHORT_MS }).getJson('/api/a', never()));
    expect(error.kind).toBe('timeout');
    await closed(backend);
  });

  it('one deadline covers both attempts of a call', async ({ startBackend }) => {
    const backend = await startBackend((_res, count, req) => {
      if (count === 1) req.socket.resetAndDestroy();
    });
    const error = await failureOf(clientOf(backend, { timeoutMs: 2 * SHORT_MS }).getJson('/api/a', never()));
    expect(error.kind).toBe('timeout');
    expect(backend.requests).toHaveLength(2);
    await closed(backend);
  });

  it('the deadline ends a POST', async ({ startBackend }) => {
    const backend = await startBackend(() => {});
    const client = clientOf(backend, { timeoutMs: SHORT_MS });
    expect((await failureOf(client.postJson('/api/email/send', '{}', never()))).kind).toBe('timeout');
    expect(backend.requests).toHaveLength(1);
    await closed(backend);
  });

  it('the deadline of a file covers only the head of its response', async ({ startBackend }) => {
    let finish = () => {};
    const backend = await startBackend((res, _count, req) => {
      if (req.url !== '/uploads/large.jpg') return;
      res.write('half and ');
      finish = () => void res.end('half');
    });
    const client = clientOf(backend, { timeoutMs: SHORT_MS });
    const file = await client.getFile('/uploads/large.jpg', never());
    // The second call begins after the head of the file arrived, and times out. Meanwhile the first deadline
    // passes, too.
    expect((await failureOf(client.getJson('/api/hangs', never()))).kind).toBe('timeout');
    finish();
    expect(await text(file.body)).toBe('half and half');

    const silent = await failureOf(client.getFile('/uploads/silent.jpg', never()));
    expect(silent).toMatchObject({ kind: 'timeout', call: 'GET /uploads/silent.jpg' });
  });
});

describe('a failing connection', () => {
  const cut: [string, (socket: Socket) => void][] = [
    ['is reset', socket => void socket.resetAndDestroy()],
    ['is closed', socket => void socket.destroy()],
  ];

  it.for(cut)(
    'a connection that fails before the first byte is retried once (it %s)',
    async ([_, end], { startBackend }) => {
      const backend = await startBackend((res, count, req) => {
        if (count === 1) end(req.socket);
        else json(res, count, req);
      });
      const client = clientOf(backend, { token: 'secret' });
      expect((await client.getJson('/api/a?b=c', never())).body).toEqual({ data: [1] });
      expect(backend.requests.map(({ url }) => url)).toEqual(['/api/a?b=c', '/api/a?b=c']);
      expect(backend.requests[1]?.headers.authorization).toBe('Bearer secret');
    },
  );

  it.for(cut)(
    'a connection that fails twice is an error after two attempts (it %s)',
    async ([_, end], { startBackend }) => {
      const backend = await startBackend((_res, _count, req) => end(req.socket));
      const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
      expect(error).toMatchObject({ kind: 'unreachable', call: 'GET /api/a' });
      expect(backend.requests).toHaveLength(2);
    },
  );

  it.for(cut)(
    'a connection that fails after the head is not retried (it %s)',
    async ([_, end], { startBackend }) => {
      const backend = await startBackend((res, _count, req) => {
        res.write('{"data":', () => end(req.socket));
      });
      const error = await failureOf(clientOf(backend).getJson('/api/a', never()));
      expect(error.kind).toBe('unreachable');
      expect(backend.requests).toHaveLength(1);
    },
  );

  it('a closed port is an error of kind unreachable', async () => {
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
      // The full reason is in the logged cause. The message must not repeat the query.
      expect(error.cause).toBeInstanceOf(Error);
      expect(error.message).not.toContain('token');
    }
  });

  it('a call is not repeated after an error response', async ({ startBackend }) => {
    const backend = await startBackend(res => void res.writeHead(503).end());
    await failureOf(clientOf(backend).getJson('/api/a', never()));
    expect(backend.requests).toHaveLength(1);
  });
});

describe('a redirect of the backend', () => {
  it.for([301, 302, 303, 307, 308])(
    'a redirect %i from the backend is not followed, so that no credentials leak',
    async (status, { startBackend }) => {
      const elsewhere = await startBackend(json);
      const Location = `${elsewhere.url}/api/a`;
      const backend = await startBackend(res => void res.writeHead(status, { Location }).end());
      const client = clientOf(backend, { token: 'secret' });
      for (const call of [client.getJson('/api/a', never()), client.postJson('/api/a', '{}', never())])
        expect(await failureOf(call)).toMatchObject({ kind: 'status', status });
      const file = await client.getFile('/uploads/a', never());
      file.body.destroy();
      expect(file.status).toBe(status);
      expect([backend.requests.length, elsewhere.requests]).toEqual([3, []]);
    },
  );
});

describe('a caller that aborts', () => {
  const reason = new Error('the visitor is gone');

  it('a call with an aborted signal sends no request', async ({ startBackend }) => {
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

  it.for(calls)(
    'a caller that aborts before the response to a %s closes the connection',
    async ([_, call], { startBackend }) => {
      const caller = new AbortController();
      const backend = await startBackend(() => caller.abort(reason));
      await expect(call(clientOf(backend), caller.signal)).rejects.toBe(reason);
      expect(backend.requests).toHaveLength(1);
      await closed(backend);
    },
  );

  it('a caller that aborts during the body closes the connection', async ({ startBackend }) => {
    const caller = new AbortController();
    const backend = await startBackend(res => void res.write('{"data":', () => caller.abort(reason)));
    await expect(clientOf(backend).getJson('/api/a', caller.signal)).rejects.toBe(reason);
    await closed(backend);
  });

  it('a caller that aborts during a file closes the connection', async ({ startBackend }) => {
    const caller = new AbortController();
    const backend = await startBackend(endless);
    const file = await clientOf(backend).getFile('/uploads/a', caller.signal);
    const body = text(file.body);
    caller.abort(reason);
    await expect(body).rejects.toBe(reason);
    await closed(backend);
  });

  it('a caller that aborts between two attempts prevents the second', async ({ startBackend }) => {
    const caller = new AbortController();
    const backend = await startBackend((_res, _count, req) => {
      req.socket.once('close', () => caller.abort(reason));
      req.socket.resetAndDestroy();
    });
    await expect(clientOf(backend).getJson('/api/a', caller.signal)).rejects.toBe(reason);
    expect(backend.requests).toHaveLength(1);
  });

  it('a caller that aborts does not end other calls', async ({ startBackend }) => {
    const caller = new AbortController();
    const backend = await startBackend((res, count, req) => {
      if (count === 1) caller.abort(reason);
      else json(res, count, req);
    });
    const client = clientOf(backend);
    await expect(client.getJson('/api/a', caller.signal)).rejects.toBe(reason);
    expect((await client.getJson('/api/a', never())).body).toEqual({ data: [1] });
  });
});
