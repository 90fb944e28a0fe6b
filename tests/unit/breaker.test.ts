import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { BackendClient } from '../../server/backend/backend-client.ts';
import { createBreaker } from '../../server/backend/breaker.ts';
import type { HttpAnswer } from '../../server/backend/http-call.ts';
import { BackendError } from '../../server/errors.ts';
import { createLogger } from '../../server/ops/log.ts';

const SIGNAL = new AbortController().signal;

/** A breaker around a client that the test controls, with a clock that the test advances. */
function startBreaker() {
  const clock = { ms: 1_000_000 };
  const calls: string[] = [];
  const lines: { level: string; msg: string }[] = [];
  let outcome: () => Promise<unknown> = async () => 'well';
  const call = (path: string) => {
    calls.push(path);
    return outcome();
  };
  const client: BackendClient = {
    baseUrl: 'http://backend',
    getJson: async path => ({ text: '', body: await call(path) }),
    postJson: async path => void (await call(path)),
    getFile: async path => (await call(path)) as HttpAnswer,
  };
  const log = createLogger('debug', { write: line => void lines.push(JSON.parse(line)) });
  const breaker = createBreaker(client, log, () => clock.ms);
  const ask = (path = '/api/a?x=1') =>
    breaker
      .getJson(path, SIGNAL)
      .then(({ body }) => body)
      .catch((error: unknown) => {
        if (error instanceof BackendError) return error.kind;
        throw error;
      });
  return {
    breaker,
    clock,
    lines,
    ask,
    answer(next: () => Promise<unknown>) {
      outcome = next;
    },
    /** The number of calls that reached the client since the last `through()`. */
    through: () => calls.splice(0).length,
  };
}

const fileAnswer = (status: number): HttpAnswer => ({ status, headers: {}, body: Readable.from([]) });

function fails(kind: ConstructorParameters<typeof BackendError>[0], status?: number) {
  return async () => {
    throw new BackendError(kind, 'GET /api/a', 'fails', status === undefined ? {} : { status });
  };
}

async function startOpen() {
  const started = startBreaker();
  started.answer(fails('unreachable'));
  await started.ask();
  started.through();
  started.lines.splice(0);
  return started;
}

describe('a backend that is up', () => {
  it('gets every call', async () => {
    const { breaker, ask, through } = startBreaker();
    for (let index = 0; index < 10; index++) expect(await ask()).toBe('well');
    expect(through()).toBe(10);
    expect([breaker.isUp, breaker.mayBeAsked]).toEqual([true, true]);
    expect(breaker.baseUrl).toBe('http://backend');
  });

  it.each([400, 401, 403, 404])('stays up when it refuses calls with %i', async status => {
    const { breaker, answer, ask, through } = startBreaker();
    answer(fails('status', status));
    for (let index = 0; index < 50; index++) expect(await ask()).toBe('status');
    expect(through()).toBe(50);
    expect(breaker.isUp).toBe(true);
  });

  it('stays up when a visitor disconnects', async () => {
    const { breaker, answer, ask } = startBreaker();
    answer(async () => {
      throw new DOMException('The client has gone', 'AbortError');
    });
    for (let index = 0; index < 20; index++) await expect(ask()).rejects.toThrow('The client has gone');
    expect(breaker.isUp).toBe(true);
  });
});

describe('a backend', () => {
  it.each(['unreachable', 'timeout'] as const)(
    'goes down at once when it cannot be reached: %s',
    async kind => {
      const { breaker, answer, ask, through, lines } = startBreaker();
      answer(fails(kind));
      expect(await ask()).toBe(kind);
      expect([breaker.isUp, breaker.mayBeAsked]).toEqual([false, false]);
      expect(await ask()).toBe('refused-by-breaker');
      await expect(breaker.getJson('/api/b', SIGNAL)).rejects.toThrow(
        'GET /api/b: the backend is down (fails)',
      );
      expect(through()).toBe(1);
      expect(lines).toMatchObject([{ level: 'error' }]);
    },
  );

  it.each([
    ['500s', fails('status', 500)],
    ['503s', fails('status', 503)],
    ['malformed answers', fails('malformed')],
    ['endless answers', fails('too-large')],
  ] as const)('goes down after five %s in a row', async (_, failure) => {
    const { breaker, answer, ask, through } = startBreaker();
    answer(failure);
    for (let index = 0; index < 4; index++) await ask();
    expect(breaker.isUp).toBe(true);
    await ask();
    expect(breaker.isUp).toBe(false);
    expect(await ask()).toBe('refused-by-breaker');
    expect(through()).toBe(5);
  });

  it('stays up after four errors, a success and four errors', async () => {
    const { breaker, answer, ask } = startBreaker();
    for (let round = 0; round < 3; round++) {
      answer(fails('status', 500));
      for (let index = 0; index < 4; index++) await ask();
      answer(async () => 'well');
      await ask();
    }
    expect(breaker.isUp).toBe(true);
  });

  it('goes down after five 5xx answers to requests for files, too', async () => {
    const { breaker, answer, through } = startBreaker();
    answer(async () => fileAnswer(502));
    for (let index = 0; index < 5; index++)
      expect((await breaker.getFile('/uploads/a.png', SIGNAL)).status).toBe(502);
    await expect(breaker.getFile('/uploads/a.png', SIGNAL)).rejects.toThrow(
      'the backend is down (answered 502)',
    );
    expect(through()).toBe(5);
  });

  it('stays up when files are missing', async () => {
    const { breaker, answer } = startBreaker();
    answer(async () => fileAnswer(404));
    for (let index = 0; index < 20; index++) await breaker.getFile('/uploads/a.png', SIGNAL);
    expect(breaker.isUp).toBe(true);
  });
});

describe('a backend that is down', () => {
  it('gets one call a second: the first one made', async () => {
    const { breaker, clock, ask, through } = await startOpen();
    const paths = ['/api/a', '/api/b', '/api/c'];
    for (let ms = 0; ms < 10_000; ms += 100) {
      clock.ms += 100;
      await Promise.all(paths.map(ask));
    }
    expect(through()).toBe(10);
    expect(breaker.isUp).toBe(false);
  });

  it('gets the next call exactly one second after the last', async () => {
    const { breaker, clock, ask, through } = await startOpen();
    clock.ms += 999;
    expect(breaker.mayBeAsked).toBe(false);
    expect(await ask()).toBe('refused-by-breaker');
    clock.ms += 1;
    expect(breaker.mayBeAsked).toBe(true);
    expect(await ask()).toBe('unreachable');
    expect(breaker.mayBeAsked).toBe(false);
    expect(through()).toBe(1);
  });

  it('gets one call a second, even while the last call hangs', async () => {
    const { clock, answer, ask, through } = await startOpen();
    const hanging = Promise.withResolvers<unknown>();
    answer(() => hanging.promise);
    clock.ms += 1_000;
    const probe = ask();
    expect(await ask()).toBe('refused-by-breaker');
    clock.ms += 999;
    expect(await ask()).toBe('refused-by-breaker');
    expect(through()).toBe(1);
    hanging.resolve('well');
    expect(await probe).toBe('well');
  });

  it('is up again after the first answer, and gets every call', async () => {
    const { breaker, clock, answer, ask, through, lines } = await startOpen();
    answer(async () => 'well');
    expect(await ask()).toBe('refused-by-breaker');
    clock.ms += 1_000;
    expect(await ask()).toBe('well');
    expect([breaker.isUp, breaker.mayBeAsked]).toEqual([true, true]);
    expect(await Promise.all([ask(), ask()])).toEqual(['well', 'well']);
    expect(through()).toBe(3);
    expect(lines).toMatchObject([{ level: 'warn', msg: 'the content backend is back' }]);
  });

  it('is up again after a refusal, which is an answer', async () => {
    const { breaker, clock, answer, ask } = await startOpen();
    answer(fails('status', 404));
    clock.ms += 1_000;
    expect(await ask()).toBe('status');
    expect(breaker.isUp).toBe(true);
  });

  it('stays down after further errors, which are not logged', async () => {
    const { breaker, clock, answer, ask, lines } = await startOpen();
    answer(fails('status', 500));
    for (let index = 0; index < 20; index++) {
      clock.ms += 1_000;
      await ask();
    }
    expect(breaker.isUp).toBe(false);
    expect(lines).toEqual([]);
  });

  it('gets one call at once after a webhook', async () => {
    const { breaker, ask, through } = await startOpen();
    breaker.reset();
    expect([breaker.isUp, breaker.mayBeAsked]).toEqual([false, true]);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([
      'unreachable',
      'refused-by-breaker',
      'refused-by-breaker',
    ]);
    expect(through()).toBe(1);
  });

  it('gets every message of a form', async () => {
    const { breaker, through } = await startOpen();
    await expect(breaker.postJson('/api/email/send', '{}', SIGNAL)).rejects.toThrow('fails');
    expect(through()).toBe(1);
  });
});
