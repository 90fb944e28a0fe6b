import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Breaker } from '../../server/backend/breaker.ts';
import { BackendError } from '../../server/errors.ts';
import { createLogger } from '../../server/ops/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TIMEOUT_MS = 2_000;

type Outcome = 'answers' | 'hangs' | BackendError | Promise<never>;
const failure = (kind: ConstructorParameters<typeof BackendError>[0], status?: number) =>
  new BackendError(kind, 'GET /api/a', 'fails', status === undefined ? {} : { status });
const REFUSED = failure('unreachable');

/** A breaker for a server whose outcomes the test sets by path. Calls time out as in the real client. */
function startBreaker() {
  const parts = new Map<string, Outcome>();
  const sent: string[] = [];
  const lines: { level: string; msg: string }[] = [];
  const call = (path: string, signal?: AbortSignal) => {
    sent.push(path);
    const outcome = parts.get(path) ?? parts.get('*') ?? 'answers';
    if (outcome === 'answers') return Promise.resolve(path);
    if (outcome instanceof Promise) return outcome;
    if (outcome !== 'hangs') return Promise.reject(outcome);
    return new Promise<string>((_, reject) => {
      setTimeout(() => reject(failure('timeout')), TIMEOUT_MS);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  };
  const breaker = new Breaker({
    probes: ['/probe/1', '/probe/2'].map(path => signal => call(path, signal)),
    timeoutMs: TIMEOUT_MS,
    lines: { code: 'backend', down: 'it is down', up: 'it is back' },
    log: createLogger('debug', { write: line => void lines.push(JSON.parse(line)) }),
  });
  const ask = (path: string) =>
    breaker
      .guard(`GET ${path}`, path, () => call(path))
      .catch((error: unknown) => {
        if (error instanceof BackendError) return error.kind;
        throw error;
      });
  return {
    breaker,
    lines,
    ask,
    set: (path: string, outcome: Outcome) => void parts.set(path, outcome),
    /** @returns the calls since the last `sent()`. */
    sent: () => sent.splice(0),
  };
}

/** Delays a failure. Another outcome is returned unchanged. */
function failureAfter(ms: number, outcome: Outcome): Outcome {
  if (!(outcome instanceof BackendError)) return outcome;
  return new Promise<never>((_, reject) => void setTimeout(() => reject(outcome), ms));
}

/** An open breaker: its server refuses connections. */
async function startOpen() {
  const started = startBreaker();
  started.set('*', REFUSED);
  await started.ask('/a');
  await vi.advanceTimersByTimeAsync(0);
  expect(started.breaker.isUp).toBe(false);
  started.sent();
  started.lines.splice(0);
  return started;
}

describe('a server that is up', () => {
  it('a server that is up gets every call and no probe', async () => {
    const { breaker, ask, sent } = startBreaker();
    for (let index = 0; index < 10; index++) expect(await ask(`/${index}`)).toBe(`/${index}`);
    expect(sent()).toHaveLength(10);
    expect(breaker.isUp).toBe(true);
  });

  it.each([400, 401, 403, 404])('a server that answers %i is up, and gets no probe', async status => {
    const { breaker, set, ask, sent } = startBreaker();
    set('/a', failure('status', status));
    for (let index = 0; index < 50; index++) expect(await ask('/a')).toBe('status');
    expect(new Set(sent())).toEqual(new Set(['/a']));
    expect(breaker.isUp).toBe(true);
  });

  it('a disconnected visitor causes no probe', async () => {
    const { breaker, sent } = startBreaker();
    const gone = new DOMException('The client has gone', 'AbortError');
    for (let index = 0; index < 20; index++)
      await expect(breaker.guard('GET /a', '/a', () => Promise.reject(gone))).rejects.toBe(gone);
    expect(sent()).toEqual([]);
  });
});

describe('a hanging call, while the server answers other calls', () => {
  it('a hanging call is refused for a time that doubles; other calls go through', async () => {
    const { breaker, set, ask, sent, lines } = startBreaker();
    set('/slow', 'hangs');
    const pauses: number[] = [];
    for (let round = 0; round < 7; round++) {
      const outcome = ask('/slow');
      await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
      expect(await outcome).toBe('timeout');
      const from = performance.now();
      set('/slow', REFUSED);
      while ((await ask('/slow')) === 'refused-by-breaker') {
        expect(await ask('/other')).toBe('/other');
        await vi.advanceTimersByTimeAsync(100);
      }
      pauses.push(performance.now() - from);
      await vi.advanceTimersByTimeAsync(20_000);
      set('/slow', 'hangs');
    }
    // Each round has two failures.
    expect(pauses).toEqual([500, 2_000, 8_000, 10_000, 10_000, 10_000, 10_000]);
    expect(breaker.isUp).toBe(true);
    expect(lines).toEqual([]);
    expect(sent()).toContain('/probe/1');
  });

  it('hanging calls of one type never open the breaker while other calls are answered', async () => {
    const { breaker, set, ask } = startBreaker();
    for (let index = 0; index < 30; index++) set(`/articles/${index}`, 'hangs');
    const outcomes = Promise.all(Array.from({ length: 30 }, (_, index) => ask(`/articles/${index}`)));
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(new Set(await outcomes)).toEqual(new Set(['timeout']));
    expect(breaker.isUp).toBe(true);
    expect(await ask('/about')).toBe('/about');
  });

  it('a hanging probe does not open the breaker while another probe is answered', async () => {
    const { breaker, set, ask } = startBreaker();
    set('/probe/1', 'hangs');
    const outcome = ask('/probe/1');
    await vi.advanceTimersByTimeAsync(3 * TIMEOUT_MS);
    expect(await outcome).toBe('timeout');
    expect(breaker.isUp).toBe(true);
  });

  it('hanging calls cause at most one probe a second', async () => {
    const { set, ask, sent } = startBreaker();
    set('/slow', REFUSED);
    for (let ms = 0; ms < 10_000; ms += 100) {
      await ask('/slow');
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(sent().filter(path => path === '/probe/1').length).toBeLessThanOrEqual(10);
  });
});

describe('a server that goes down', () => {
  it('the breaker opens after one refused connection if the probes fail too', async () => {
    const { breaker, set, ask, sent, lines } = startBreaker();
    set('*', REFUSED);
    expect(await ask('/a')).toBe('unreachable');
    await vi.advanceTimersByTimeAsync(0);
    expect(breaker.isUp).toBe(false);
    expect(sent()).toEqual(['/a', '/probe/1', '/probe/2']);
    expect(await ask('/b')).toBe('refused-by-breaker');
    await expect(breaker.guard('GET /b', '/b', async () => 1)).rejects.toThrow(
      'GET /b: the backend is down (fails)',
    );
    expect(lines).toMatchObject([{ level: 'error', msg: 'it is down' }]);
  });

  it('the breaker opens when the first call exceeds its time limit without a response', async () => {
    const { breaker, set, ask } = startBreaker();
    set('*', 'hangs');
    const outcome = ask('/a');
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect(breaker.isUp).toBe(true);
    // The first millisecond ends the timer. The second passes the tick that would read a late response.
    await vi.advanceTimersByTimeAsync(2);
    expect([await outcome, breaker.isUp]).toEqual(['timeout', false]);
  });

  it.each([
    ['500s', failure('status', 500)],
    ['503s', failure('status', 503)],
    ['malformed answers', failure('malformed')],
    ['endless answers', failure('too-large')],
  ] as const)('the breaker opens after five %s in a row if the probes fail too', async (_, error) => {
    const { breaker, set, ask, sent } = startBreaker();
    set('*', error);
    for (let index = 0; index < 4; index++) await ask('/a');
    expect(sent()).toEqual(['/a', '/a', '/a', '/a']);
    await ask('/a');
    await vi.advanceTimersByTimeAsync(0);
    expect(breaker.isUp).toBe(false);
  });

  it('the breaker stays closed while any call is answered', async () => {
    const { breaker, set, ask } = startBreaker();
    set('*', 'hangs');
    set('/b', 'answers');
    const outcome = ask('/a');
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS * 0.75);
    await ask('/b');
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect([await outcome, breaker.isUp]).toEqual(['timeout', true]);
  });
});

describe('a server that is down', () => {
  it('an open breaker sends one probe a second, and no calls for visitors', async () => {
    const { breaker, ask, sent } = await startOpen();
    for (let ms = 0; ms < 10_000; ms += 100) {
      expect(await ask('/a')).toBe('refused-by-breaker');
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(sent()).toEqual(Array.from({ length: 5 }, () => ['/probe/1', '/probe/2']).flat());
    expect(breaker.isUp).toBe(false);
  });

  it.each([
    ['the first answer', 'answers'],
    ['a refusal, which is an answer', failure('status', 404)],
  ] as const)('an open breaker closes after %s to a probe, without a visitor', async (_, outcome) => {
    const { breaker, set, ask, lines } = await startOpen();
    set('/probe/1', outcome);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(breaker.isUp).toBe(true);
    set('*', 'answers');
    expect(await Promise.all([ask('/a'), ask('/b')])).toEqual(['/a', '/b']);
    expect(lines).toMatchObject([{ level: 'warn', msg: 'it is back' }]);
  });

  it('an open breaker closes when one probe is answered and another hangs', async () => {
    const { breaker, set } = await startOpen();
    set('/probe/1', 'hangs');
    set('/probe/2', 'answers');
    await vi.advanceTimersByTimeAsync(2_000 + TIMEOUT_MS);
    expect(breaker.isUp).toBe(true);
  });

  it('a webhook closes the breaker at once, and the next failure opens it again', async () => {
    const { breaker, ask, lines } = await startOpen();
    await vi.advanceTimersByTimeAsync(1_000);
    breaker.reset();
    expect(breaker.isUp).toBe(true);
    expect(await ask('/a')).toBe('unreachable');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(breaker.isUp).toBe(false);
    expect(lines.map(({ msg }) => msg)).toEqual(['it is back', 'it is down']);
  });

  it.each<[string, Outcome]>([
    ['hangs', 'hangs'],
    ['fails a moment later', REFUSED],
  ])('a webhook makes the breaker resend a backend request that is in flight and %s', async (_, outcome) => {
    const { breaker, ask, set, sent } = startBreaker();
    const late = failureAfter(30, outcome);
    set('/a', late);
    const before = ask('/a');
    await vi.advanceTimersByTimeAsync(20);
    set('/a', 'answers');
    breaker.reset();
    await vi.advanceTimersByTimeAsync(100);
    expect(sent()).toEqual(['/a', '/a']);
    expect(await before).toBe('/a');
    expect(await ask('/a')).toBe('/a');
  });

  it('a webhook at once ends the pause that follows a refused connection to the backend', async () => {
    const { breaker, ask, set } = startBreaker();
    set('/a', REFUSED);
    await ask('/a');
    await vi.advanceTimersByTimeAsync(0);
    expect([breaker.isUp, await ask('/a')]).toEqual([true, 'refused-by-breaker']);
    set('/a', 'answers');
    breaker.reset();
    expect(await ask('/a')).toBe('/a');
  });

  it('a webhook does not make the breaker resend a request in flight that then succeeds', async () => {
    const { breaker, ask, sent } = startBreaker();
    const answered = ask('/a');
    breaker.reset();
    expect(await answered).toBe('/a');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent()).toEqual(['/a']);
  });

  it('a stopped breaker sends no more probes', async () => {
    const { breaker, sent } = await startOpen();
    breaker.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent()).toEqual([]);
  });
});
