import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { BuiltSite } from '../faults/built-site.ts';
import { startNginx } from '../support/front-server.ts';
import { type FrontStage, frontTest, visit } from '../support/front-test.ts';
import { inFull } from '../support/in-full.ts';
import { patient } from '../support/patience.ts';

const LONG = { timeout: patient(120_000) };
/** How long visitors come. The first trial of the replica is after ten seconds. */
const OVER_MS = inFull ? 30_000 : 14_000;
/** The pause between two visits of a visitor, in ms. */
const PACE_MS = 20;
const STORED = '/about';
/** As in production. Built sites of other tests have more. */
const CONTENT_TIMEOUT_MS = '2500';

const it = frontTest('nginx', {
  start: startNginx,
  env: () => ({ CONTENT_TIMEOUT_MS, MAX_RENDERS: '2', CONTENT_TTL_MS: '600000' }),
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
 * Asks for a page.
 *
 * @param path by default that of a page that each replica has stored, and nginx has not.
 * @returns how long the visitor has waited, in ms.
 */
async function wait({ front }: FrontStage, path = nextStored()): Promise<number> {
  const from = performance.now();
  expect((await visit(front.url, path)).status).toBe(200);
  return performance.now() - from;
}

/** @returns the replicas that nginx asks for a page now. */
async function asked(stage: FrontStage): Promise<readonly BuiltSite[]> {
  const answers = () => Promise.all(stage.sites.map(site => site.metric('site_answers_total')));
  const before = await answers();
  for (let index = 0; index < 9; index += 1) await wait(stage);
  const after = await answers();
  return stage.sites.filter((_, index) => (after[index] ?? 0) > (before[index] ?? 0));
}

describe('a replica behind nginx that hangs', () => {
  it('makes no visitor wait for 3 s, is soon left out, and comes back', LONG, async ({ stage }) => {
    await store(stage);
    const [, hung] = stage.sites;
    hung?.child.kill('SIGSTOP');
    const from = performance.now();
    // The second visitor begins with pages that no replica has stored.
    const unseen = [...stage.articles];
    const early: number[] = [];
    const late: number[] = [];
    while (performance.now() - from < OVER_MS) {
      const isEarly = performance.now() - from < 10_000;
      (isEarly ? early : late).push(...(await Promise.all([wait(stage), wait(stage, unseen.pop())])));
      await delay(PACE_MS);
    }
    expect(Math.max(...early)).toBeLessThan(3_000);
    // One visit in ten seconds tries whether the replica is back.
    const waited = late.filter(ms => ms > 500);
    expect(waited.length).toBeLessThanOrEqual(OVER_MS / 10_000);
    expect(Math.max(...late)).toBeLessThan(2_000);
    hung?.child.kill('SIGCONT');
    await expect.poll(() => asked(stage), { timeout: patient(15_000) }).toHaveLength(3);
  });

  it('leaves neither secrets nor visitors in a file of nginx', LONG, async ({ stage }) => {
    await store(stage);
    stage.sites[0]?.child.kill('SIGSTOP');
    const secrets = ['secret-of-previews', 'words-of-a-search', 'token-of-a-subscriber'];
    const addresses = [
      `/api/preview?url=/about&secret=${secrets[0]}`,
      `/search?q=${secrets[1]}`,
      `/subscribe/leave?token=${secrets[2]}`,
    ];
    const { folder, url, output } = stage.front;
    const written = async () => {
      const names = (await readdir(folder)).filter(name => name.endsWith('.log'));
      const texts = await Promise.all(names.map(name => readFile(path.join(folder, name), 'utf8')));
      return [...texts, output()].join('\n');
    };
    // One in three goes to the replica that hangs first. nginx then writes to the log of errors, if that takes such lines.
    await Promise.all([...addresses, ...addresses, ...addresses].map(address => visit(url, address)));
    await expect.poll(written).toMatch(/ GET 127\.0\.0\.1 \/\S+ \d{3} \d+ [\d.]+ "127[^"]*, 127/);
    const text = await written();
    expect(text).toMatch(/ GET 127\.0\.0\.1 \/api\/preview \d{3} /);
    for (const secret of secrets) expect(text).not.toContain(secret);
    // The host that was asked for and the addresses of the replicas are no visitors.
    const rest = text.replaceAll(' GET 127.0.0.1 ', ' ').replaceAll(/"127\.0\.0\.1:[^"]*"/g, '');
    expect(rest).not.toContain('127.0.0.1');
  });
});

describe('no replica is left out', () => {
  it('while the CMS hangs', LONG, async ({ stage }) => {
    await store(stage);
    stage.backend.on('/api/pages', () => {});
    const unseen = Array.from({ length: 12 }, (_, index) => visit(stage.front.url, `/unseen-${index}`));
    for (const { status } of await Promise.all(unseen)) expect(status).toBe(503);
    expect(await asked(stage)).toHaveLength(3);
  });

  it('while the server of media hangs', LONG, async ({ stage }) => {
    await store(stage);
    stage.backend.on('/uploads/slow.png', () => {});
    const asking = Array.from({ length: 6 }, () => visit(stage.front.url, '/uploads/slow.png'));
    for (const { status } of await Promise.all(asking)) expect([502, 503, 504]).toContain(status);
    expect(await asked(stage)).toHaveLength(3);
  });

  it('while the queue of renders is full', LONG, async ({ stage }) => {
    await store(stage);
    // Each page waits for the CMS, and two are made at a time.
    stage.backend.on('/api/articles', () => {});
    const articles = Array.from({ length: 60 }, (_, index) =>
      visit(stage.front.url, `/blog/guides/unseen-${index}`),
    );
    const statuses = (await Promise.all(articles)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(await asked(stage)).toHaveLength(3);
  });
});
