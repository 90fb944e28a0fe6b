import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ContentApi } from '../../server/content/requests/content-api.ts';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { BackendError } from '../../server/errors.ts';
import { redecoded } from '../support/changed-decoder.ts';
import { eventually } from '../support/eventually.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { startRelay } from '../support/relay.ts';
import { SAMPLE_PATHS } from '../support/sample-site.ts';
import { makeSecondBuild } from '../support/second-build.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, type StartSiteOptions, startSite } from '../support/start-site.ts';

const ARTICLE = SAMPLE_PATHS['blog-article'];
const COMMERCE = SAMPLE_PATHS.commerce;
/** Pages of the old build: one of each route, a payload, and further pages of lists and plain text. */
const SEEN = [
  ...Object.values(SAMPLE_PATHS),
  '/blog/news',
  '/contacts',
  '/_payload.json',
  `${ARTICLE}/_payload.json`,
];

/** Gives each test a data folder, a backend that can go down, and the next build. */
const it = test
  .extend('nextBuild', { scope: 'file' }, async ({}, { onCleanup }) => {
    const build = await makeSecondBuild('next');
    onCleanup(() => build.remove());
    return build;
  })
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'next-build-'));
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return folder;
  })
  .extend('relay', async ({ folder }, { onCleanup }) => {
    const contentDir = FIXTURE_CONTENT;
    const backend = await startEmbeddedBackend({ contentDir, mailDir: path.join(folder, 'mail') });
    const relay = await startRelay(backend.url);
    onCleanup(async () => {
      await relay.close();
      await backend.close();
    });
    return relay;
  })
  /** Starts a process on the data folder. It stops after the test at the latest. */
  .extend('startProcess', async ({ folder, relay }, { onCleanup }) => {
    const running = new Set<RunningSite>();
    onCleanup(async () => {
      await Promise.all([...running].map(site => site.close()));
    });
    return async (options: Partial<StartSiteOptions> = {}): Promise<RunningSite> => {
      const site = await startSite({
        contentBaseUrl: relay.url,
        dataDir: path.join(folder, 'data'),
        env: { PUBLIC_URL: 'https://www.example.com', CONTENT_TTL_MS: '20' },
        ...options,
      });
      running.add(site);
      return {
        ...site,
        async close() {
          if (running.delete(site)) await site.close();
        },
      };
    };
  })
  /** Visits each page with a process of the old build. The process stops, and the backend goes down. */
  .extend('afterOldBuild', async ({ relay, startProcess }) => async (): Promise<Map<string, Answer>> => {
    const old = await startProcess();
    const seen = new Map<string, Answer>();
    for (const address of SEEN) {
      const answer = await get(old, address);
      expect([address, answer.status]).toEqual([address, 200]);
      seen.set(address, answer);
    }
    await old.close();
    relay.goDown();
    return seen;
  });

const get = (site: RunningSite, address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });
const isReady = (site: RunningSite) =>
  eventually(async () => expect((await sendRequest(site.opsUrl, '/readyz')).status).toBe(200));

/** Content API of a build whose decoder gives articles and entries other headings. */
function withOtherHeadings(api: ContentApi): ContentApi {
  const renamed = <T extends { h1: string | null } | null>(value: T): T =>
    value && { ...value, h1: `As the next build reads it: ${value.h1}` };
  return {
    ...api,
    articlesWithSlug: (slug, spelling) =>
      redecoded(api.articlesWithSlug(slug, spelling), articles => articles?.map(renamed) ?? null),
    entry: (type, slug) => redecoded(api.entry(type, slug), renamed),
  };
}

describe('the next build, started while the backend is down', () => {
  it('the next build answers each page during an outage, with content decoded by its own decoder', async ({
    afterOldBuild,
    nextBuild,
    startProcess,
  }) => {
    const seen = await afterOldBuild();
    const next = await startProcess({
      distDir: nextBuild.distDir,
      overrides: { contentApi: withOtherHeadings },
    });
    await isReady(next);
    for (const [address, before] of seen) {
      const answer = await get(next, address);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(answer.headers['cache-status'], 'rendered anew').toMatch(/^site; fwd=miss; stored; ttl=-\d+$/);
      if (address.endsWith('.json')) continue;
      const names = [before, answer].map(({ text }) => text.includes(nextBuild.id));
      expect([address, names], 'the page names the next build').toEqual([address, [false, true]]);
    }
    for (const address of [ARTICLE, COMMERCE, SAMPLE_PATHS.page])
      expect([address, (await get(next, address)).text.includes('As the next build reads it: ')]).toEqual([
        address,
        true,
      ]);
  });

  it('the next build lacks only pages whose stored content its decoder refuses, and each is logged', async ({
    afterOldBuild,
    nextBuild,
    startProcess,
  }) => {
    const seen = await afterOldBuild();
    const contentApi = (api: ContentApi): ContentApi => ({
      ...api,
      entry: (type, slug) =>
        type === 'commerces'
          ? redecoded(api.entry(type, slug), () => {
              throw new BackendError('malformed', `GET /api/${type}`, 'the field `subtitle` is missing');
            })
          : api.entry(type, slug),
    });
    const next = await startProcess({ distDir: nextBuild.distDir, overrides: { contentApi } });
    await isReady(next);
    for (const address of seen.keys())
      expect([address, (await get(next, address)).status]).toEqual([
        address,
        address === COMMERCE ? 503 : 200,
      ]);
    const refused = next.log.filter(({ code }) => code === 'content-record-undecodable');
    expect(new Set(refused.map(({ key }) => key))).toEqual(
      new Set([`commerces/${COMMERCE.split('/').at(-1)}`]),
    );
  });
});
