import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { BuiltSite } from '../faults/built-site.ts';
import { startNginx } from '../support/front-server.ts';
import { type FrontStage, frontTest, visit } from '../support/front-test.ts';
import { inFull } from '../support/in-full.ts';
import { message } from '../support/outbox-test.ts';
import { patient } from '../support/patience.ts';
import { editor, PREVIEW_ENV } from '../support/preview-test.ts';
import { type Answer, postForm } from '../support/send-request.ts';

const LONG = { timeout: patient(120_000) };
/** Duration of the visits. nginx retries the replica after ten seconds at the earliest. */
const OVER_MS = inFull ? 30_000 : 14_000;
/** Pause between two visits, in ms. */
const PACE_MS = 20;
const STORED = '/about';

const it = frontTest('nginx', {
  start: startNginx,
  env: () => ({ CONTENT_TTL_MS: '600000', ...PREVIEW_ENV }),
  sites: 3,
});
const itUnhurried = frontTest('nginx', {
  start: (engine, sites) =>
    startNginx(engine, sites, {
      // nginx logs each failed replica here.
      'error.log emerg;': 'error.log warn;',
      // A healthy replica on a busy machine may be late.
      'proxy_read_timeout 500ms;': `proxy_read_timeout ${patient(500)}ms;`,
    }),
  // The CMS of these tests never answers. Pages wait for it longer than the lock of the nginx cache lasts (5
  // s).
  env: () => ({ CONTENT_TIMEOUT_MS: '9000', MAX_RENDERS: '2', CONTENT_TTL_MS: '600000', ...PREVIEW_ENV }),
  sites: 3,
});

/** Stores the page in the memory of each replica. */
async function store({ sites }: FrontStage): Promise<void> {
  for (const { url } of sites) expect((await visit(url, STORED)).status).toBe(200);
}

let visits = 0;
function nextStored(): string {
  visits += 1;
  return `${STORED}?visit=${visits}`;
}

/**
 * Requests a page.
 * @param path by default a page that each replica has stored, and nginx has not
 * @returns the wait of the visitor in ms.
 */
async function wait({ front }: FrontStage, path = nextStored()): Promise<number> {
  const from = performance.now();
  expect((await visit(front.url, path)).status).toBe(200);
  return performance.now() - from;
}

/** @returns the replicas that nginx currently asks for pages. */
async function asked(stage: FrontStage): Promise<readonly BuiltSite[]> {
  const answers = () => Promise.all(stage.sites.map(site => site.metric('site_answers_total')));
  const before = await answers();
  for (let index = 0; index < 9; index += 1) await wait(stage);
  const after = await answers();
  return stage.sites.filter((_, index) => (after[index] ?? 0) > (before[index] ?? 0));
}

/** Expects that nginx has counted no failure and still uses each replica. */
async function expectNoFailure(stage: FrontStage): Promise<void> {
  const log = await readFile(path.join(stage.front.folder, 'error.log'), 'utf8');
  expect(log.split('\n').filter(line => /\[error\]|temporarily disabled/.test(line))).toEqual([]);
  expect(await asked(stage)).toHaveLength(3);
}

describe('a replica behind nginx that hangs', () => {
  it(
    'a hanging replica delays no visitor by more than 3 s, is soon skipped, and comes back',
    LONG,
    async ({ stage }) => {
      await store(stage);
      const [, hung] = stage.sites;
      hung?.child.kill('SIGSTOP');
      const from = performance.now();
      // The second visitor first requests pages that no replica has stored.
      const unseen = [...stage.articles];
      const early: number[] = [];
      const late: number[] = [];
      while (performance.now() - from < OVER_MS) {
        const isEarly = performance.now() - from < 10_000;
        (isEarly ? early : late).push(...(await Promise.all([wait(stage), wait(stage, unseen.pop())])));
        await delay(PACE_MS);
      }
      expect(Math.max(...early)).toBeLessThan(3_000);
      // One visit in ten seconds tests whether the replica is back.
      const waited = late.filter(ms => ms > 500);
      expect(waited.length).toBeLessThanOrEqual(OVER_MS / 10_000);
      expect(Math.max(...late)).toBeLessThan(2_000);
      hung?.child.kill('SIGCONT');
      await expect.poll(() => asked(stage), { timeout: patient(15_000) }).toHaveLength(3);
    },
  );

  it('a hanging replica delays no form submission, preview or file', LONG, async ({ stage }) => {
    const { front, sites } = stage;
    sites[1]?.child.kill('SIGSTOP');
    const waited: number[] = [];
    const measure = async (status: number, answering: Promise<Answer>) => {
      const from = performance.now();
      expect((await answering).status).toBe(status);
      waited.push(performance.now() - from);
    };
    // Each replica has two turns before it is skipped.
    for (let turn = 0; turn < 2; turn += 1) {
      await measure(303, postForm(front.url, '/api/email/send', { ...message(), page: '/' }));
      await measure(200, visit(front.url, STORED, editor()));
      await measure(404, visit(front.url, `/uploads/missing-${turn}.png`));
    }
    expect(Math.max(...waited)).toBeLessThan(3_000);
  });
});

describe('no replica is left out', () => {
  itUnhurried(
    'nginx skips no replica while the CMS hangs and the render queue is full',
    LONG,
    async ({ stage }) => {
      const { front, backend, articles } = stage;
      await store(stage);
      backend.on('/api/articles', () => {});
      backend.on('/api/pages', () => {});
      // More pages than the replicas render at once, and several visitors for each.
      const waited = await Promise.all(
        [...articles, ...articles, '/terms', '/cookies'].map(async address => {
          const from = performance.now();
          const { status } = await visit(front.url, address);
          return { status, ms: performance.now() - from };
        }),
      );
      await visit(front.url, articles[0] ?? '', editor());
      expect(new Set(waited.map(({ status }) => status))).toEqual(new Set([503]));
      // The queue refuses after 5 s, and the call to the CMS ends after 9 s.
      expect(waited.filter(({ ms }) => ms > 4_900 && ms < 8_900)).not.toEqual([]);
      expect(waited.filter(({ ms }) => ms > 8_900)).not.toEqual([]);
      await expectNoFailure(stage);
    },
  );

  itUnhurried('nginx skips no replica while the media server hangs', LONG, async ({ stage }) => {
    await store(stage);
    stage.backend.on('/uploads/slow.png', () => {});
    const asking = Array.from({ length: 9 }, () => visit(stage.front.url, '/uploads/slow.png'));
    for (const { status } of await Promise.all(asking)) expect(status).toBe(503);
    await expectNoFailure(stage);
  });
});
