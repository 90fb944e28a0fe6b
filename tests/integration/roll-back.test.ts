import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { get, it, PUBLIC_URL, ready, visit } from '../support/outage-test.ts';
import { makeSecondBuild } from '../support/second-build.ts';
import type { RunningSite } from '../support/start-site.ts';

const PAGES = ['/', '/about', '/blog', '/blog/news', '/commerce/online-shops', '/about/_payload.json'];

const versionsOf = ({ site }: RunningSite) => readdir(path.join(site.backendFolder.dir, 'pages'));

describe('a roll-back while the backend is down', () => {
  it.for(['the same PUBLIC_URL', 'another PUBLIC_URL'])(
    'a roll-back during an outage serves the pages that the earlier build has stored: %s',
    async (origin, { nextBuild, startBackend, startProcess }) => {
      const backend = await startBackend();
      const first = await startProcess(backend.url);
      const seen = await visit(first, PAGES);
      await first.close();
      const isOther = origin === 'another PUBLIC_URL';
      const env = { PUBLIC_URL: isOther ? 'https://other.example' : PUBLIC_URL };
      const second = await startProcess(backend.url, { distDir: nextBuild.distDir, env });
      await visit(second, PAGES);
      await second.close();
      // A second start of the bad build must not evict the pages of the good one.
      await (await startProcess(backend.url, { distDir: nextBuild.distDir, env })).close();
      backend.goDown();
      const back = await startProcess(backend.url);
      await ready(back);
      for (const [address, before] of seen) {
        const answer = await get(back, address);
        expect([address, answer.status, answer.body.equals(before.body)]).toEqual([address, 200, true]);
        expect(answer.headers['cache-status'], address).toMatch(/^site; hit; ttl=-\d+$/);
      }
      expect(await back.site.metrics.registry.metrics()).toMatch(/^site_render_duration_seconds_count 0$/m);
    },
  );
});

it('two builds that run on one data folder each keep their pages for the next process', async ({
  nextBuild,
  startBackend,
  startProcess,
}) => {
  const backend = await startBackend();
  const builds = [{}, { distDir: nextBuild.distDir }];
  const both = [await startProcess(backend.url, builds[0]), await startProcess(backend.url, builds[1])];
  for (const page of PAGES) for (const site of both) await visit(site, [page]);
  for (const site of both) await site.close();
  backend.goDown();
  for (const build of builds) {
    const next = await startProcess(backend.url, build);
    await ready(next);
    for (const address of PAGES) {
      const answer = await get(next, address);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(answer.headers['cache-status'], address).toMatch(/^site; hit; ttl=-\d+$/);
    }
    await next.close();
  }
});

it('stored pages older than the last two builds are removed', async ({
  nextBuild,
  startBackend,
  startProcess,
}) => {
  const third = await makeSecondBuild('third');
  const backend = await startBackend();
  const first = await startProcess(backend.url);
  await visit(first, PAGES);
  await first.close();
  for (const distDir of [nextBuild.distDir, third.distDir]) {
    const next = await startProcess(backend.url, { distDir });
    await visit(next, ['/about']);
    await next.close();
  }
  const versions = (await versionsOf(first)).map(name => name.slice(0, name.lastIndexOf('-')));
  expect(versions.sort()).toEqual([nextBuild.id, third.id].sort());
  await third.remove();
});
