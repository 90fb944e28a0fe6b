import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { some } from '../support/in-full.ts';
import { AS_BROWSER, postJson, sendRequest } from '../support/send-request.ts';

const FAST_CLOCK = ['--import', path.resolve(import.meta.dirname, '../faults/fast-clock.ts')];
/** Longer than any test: only a second signal ends this delay. */
const ENDLESS = '600000';

let backend: FakeBackend;
let site: BuiltSite | undefined;

beforeAll(async () => {
  backend = await startFakeBackend();
});
beforeEach(() => backend.reset());
afterEach(async () => {
  await site?.dispose();
  site = undefined;
});
afterAll(() => backend.close());

const SIGNALS = [
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
] as const;

async function start(env: Record<string, string>, nodeArguments: string[] = []): Promise<BuiltSite> {
  site = await startBuiltSite({ contentBaseUrl: backend.url, env, nodeArguments });
  return site;
}

const codes = ({ lines }: BuiltSite) => lines().map(({ code }) => code);

describe('SHUTDOWN_DELAY_MS', () => {
  it.each(some(SIGNALS, 1))(
    'after %s the site is not ready and keeps serving, until %s',
    async (first, second) => {
      const running = await start({ SHUTDOWN_DELAY_MS: ENDLESS });
      running.child.kill(first);
      await eventually(async () => {
        const ready = await sendRequest(running.opsUrl, '/readyz');
        expect([ready.status, ready.json()]).toMatchObject([503, { status: 'draining' }]);
      });
      // Each request has a separate connection.
      for (const address of ['/about', '/blog', '/favicon.svg', '/about/_payload.json']) {
        const answer = await sendRequest(running.url, address, { headers: AS_BROWSER });
        expect([address, answer.status]).toEqual([address, 200]);
      }
      const message = { form: 'contact', name: 'Ada', email: 'ada@example.com', message: 'Hello.' };
      expect((await postJson(running.url, '/api/email/send', message)).status).toBe(202);
      expect((await sendRequest(running.opsUrl, '/healthz')).status).toBe(200);
      expect(codes(running)).not.toContain('stop-draining');

      expect((await running.end(second)).code).toBe(0);
      expect(codes(running)).toEqual(expect.arrayContaining(['stop-draining', 'stop-done']));
      await expect(sendRequest(running.url, '/about')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    },
  );

  it('after SHUTDOWN_DELAY_MS the drain begins', async () => {
    const running = await start({ SHUTDOWN_DELAY_MS: '50' });
    expect((await running.end('SIGTERM')).code).toBe(0);
    expect(codes(running).filter(code => code.startsWith('stop-'))).toEqual([
      'stop-delayed',
      'stop-draining',
      'stop-done',
    ]);
  });

  it('SHUTDOWN_DELAY_MS is 0 by default, and further signals do not shorten the drain', async () => {
    const running = await start({});
    const slow = heldAnswer({
      data: [],
      meta: { pagination: { page: 1, pageSize: 1, pageCount: 0, total: 0 } },
    });
    backend.on('/api/pages', slow.behaviour);
    const underWay = sendRequest(running.url, '/about', { headers: AS_BROWSER });
    await eventually(() => expect(slow.waiting()).toBeGreaterThan(0));
    const ended = once(running.child, 'exit');
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) {
      running.child.kill(signal);
      await eventually(() => expect(codes(running)).toContain('stop-draining'));
    }
    slow.release();
    expect((await underWay).status).toBe(404);
    expect(await ended).toEqual([0, null]);
  });
});

it('with the image’s settings a stuck request or delivery does not keep the process alive', async () => {
  const dockerfile = readFileSync(path.resolve(import.meta.dirname, '../../Dockerfile'), 'utf8');
  const delayMs = /\bSHUTDOWN_DELAY_MS=(\d+)/.exec(dockerfile)?.[1] ?? '';
  const env = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'any',
    SHUTDOWN_DELAY_MS: delayMs,
    CONTENT_TIMEOUT_MS: '60000',
    CLOCK_RATE: '4',
  };
  const running = await start(env, FAST_CLOCK);
  const stuck = [heldAnswer({}), heldAnswer({})] as const;
  backend.on('/api/pages', stuck[0].behaviour);
  backend.on('/api/email/send', stuck[1].behaviour);
  const message = { form: 'subscribe', email: 'ada@example.com' };
  expect((await postJson(running.url, '/api/email/send', message)).status).toBe(202);
  const underWay = expect(sendRequest(running.url, '/about')).rejects.toMatchObject({ code: 'ECONNRESET' });
  // The number of waiting calls is not enough, because the background doctor also requests pages.
  await eventually(() => {
    expect(backend.callsTo('/api/pages').map(({ url }) => url)).toContainEqual(
      expect.stringContaining('about'),
    );
    expect(stuck[1].waiting()).toBe(1);
  });
  expect((await running.end('SIGTERM')).code).toBe(0);
  await underWay;
  const said = codes(running).filter(code => code.startsWith('stop-'));
  expect(said).toEqual(['stop-delayed', 'stop-draining', 'stop-drain-limit', 'stop-work-left']);
});
