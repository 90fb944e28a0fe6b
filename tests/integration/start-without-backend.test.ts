import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type EmbeddedBackend,
  startEmbeddedBackend,
} from '../../server/embedded-cms/start-embedded-backend.ts';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import { backendDirOf } from '../support/backend-dir.ts';
import { readinessOf } from '../support/content-answers.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { inFull, some } from '../support/in-full.ts';
import { parsePage } from '../support/parse-page.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { CONTENT_PATHS, SAMPLE_PATHS } from '../support/sample-site.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { DIST_DIR, type RunningSite, type StartSiteOptions, startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const PUBLIC_URL = 'https://www.example.com';
const ARTICLE = SAMPLE_PATHS['blog-article'];
const PICTURE = '/uploads/cover-fees.svg';
/** Addresses that visitors have requested: the page of each route, some payloads, and a list page. */
const SEEN = [...CONTENT_PATHS, '/blog/news', '/contacts', '/_payload.json', `${ARTICLE}/_payload.json`];

let folder: string;
let backend: EmbeddedBackend;
let relay: Relay;
/** Responses of the earlier process. */
let before: Map<string, Answer>;
const running: RunningSite[] = [];
const stored = () => path.join(folder, 'stored');
const dataDir = () => path.join(folder, 'data');

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'outage-'));
  const contentDir = FIXTURE_CONTENT;
  backend = await startEmbeddedBackend({ contentDir, mailDir: path.join(folder, 'mail') });
  relay = await startRelay(backend.url);
  before = await visitAndEnd();
  await rename(dataDir(), stored());
});
/** Each test begins with the data folder of an ended process whose pages were visited. */
beforeEach(() => cp(stored(), dataDir(), { recursive: true, preserveTimestamps: true }));
afterEach(async () => {
  await Promise.all(running.splice(0).map(site => site.close()));
  relay.reset();
  // A record may still be written, so the removal is retried.
  await rm(dataDir(), { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
});
afterAll(async () => {
  await relay.close();
  await backend.close();
  await rm(folder, { recursive: true, force: true });
});
const backendDir = async (...names: string[]) => path.join(await backendDirOf(dataDir()), ...names);

/** Starts a process on the shared data folder. Its content soon becomes stale. */
async function start(env: Record<string, string> = {}, options: Partial<StartSiteOptions> = {}) {
  const site = await startSite({
    contentBaseUrl: relay.url,
    ...options,
    dataDir: dataDir(),
    env: { PUBLIC_URL, CONTENT_TTL_MS: '20', WEBHOOK_SECRET: SECRET, ...env },
  });
  running.push(site);
  return site;
}

async function stop(site: RunningSite): Promise<void> {
  running.splice(running.indexOf(site), 1);
  await site.close();
}

const get = (site: RunningSite, address: string, headers: Record<string, string> = {}) =>
  sendRequest(site.url, address, { headers: { ...AS_BROWSER, ...headers } });
const statusOf = (answer: Answer) => String(answer.headers['cache-status']);

/** Visits pages with a process, and stops it. @returns the responses. */
async function visitAndEnd(): Promise<Map<string, Answer>> {
  const site = await start();
  const answers = new Map<string, Answer>();
  for (const address of SEEN) {
    const answer = await get(site, address);
    expect([address, answer.status]).toEqual([address, 200]);
    answers.set(address, answer);
  }
  await get(site, PICTURE);
  await stop(site);
  // The content is stale from here on.
  const last = Date.parse(String([...answers.values()].at(-1)?.headers.date));
  await eventually(() => expect(Date.now() - last).toBeGreaterThan(100));
  return answers;
}

async function ready(site: RunningSite): Promise<void> {
  await eventually(async () => {
    expect((await sendRequest(site.opsUrl, '/readyz')).status).toBe(200);
  });
}

const OTHER_NAMES: readonly (readonly [string, Record<string, string>])[] = [
  ['both', { PUBLIC_URL: 'https://other.example', CONTENT_TOKEN: 'another-token-of-the-backend' }],
  ['another public address', { PUBLIC_URL: 'https://other.example' }],
  ['another token', { CONTENT_TOKEN: 'another-token-of-the-backend' }],
];
const MEDIA_POLICY = /img-src 'self' https:\/\/media\.example\.com/;
const IN_HEADERS: readonly (readonly [name: string, value: string, header: string, says: RegExp])[] = [
  ['MEDIA_ORIGINS', 'https://media.example.com', 'content-security-policy', MEDIA_POLICY],
  // The content has to be younger than this, because CDNs keep a page of stale content for a second.
  ['CONTENT_TTL_MS', '7000000', 'cdn-cache-control', /max-age=7000\b/],
  ['STALE_IF_ERROR_MS', '9000000', 'cdn-cache-control', /stale-if-error=9000\b/],
];

describe('a process that starts while the backend is down', () => {
  it('a process that starts during an outage is ready, and serves each stored page unchanged as stale', async () => {
    relay.goDown();
    const site = await start();
    await ready(site);
    expect((await sendRequest(site.opsUrl, '/readyz')).json()).toMatchObject({ backend: 'down' });
    for (const [address, seen] of before) {
      const answer = await get(site, address);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(statusOf(answer)).toMatch(/^site; hit; ttl=-\d+$/);
      expect(answer.headers.etag).toBe(seen.headers.etag);
      expect(answer.body.equals(seen.body)).toBe(true);
      const conditional = await get(site, address, { 'if-none-match': String(seen.headers.etag) });
      expect(conditional.status).toBe(304);
    }
    const picture = await get(site, PICTURE);
    expect([picture.status, picture.headers['content-type']]).toEqual([200, expect.stringContaining('svg')]);
    expect(site.requests(ARTICLE).map(({ page }) => page)).toContain('stale');
  });

  it('a process that starts during an outage logs that its content comes from disk', async () => {
    relay.goDown();
    const site = await start();
    await ready(site);
    await site.site.startUp.whenReady();
    await site.site.settled();
    const lines = site.log.map(({ code }) => code).filter(code => code.startsWith('content-loaded'));
    expect(lines).toEqual(['content-loaded-disk']);
  });

  it('a process that starts during an outage answers an unstored page with a 503 and Retry-After', async () => {
    relay.goDown();
    const site = await start();
    for (const address of ['/privacy', '/blog/guides/refunds-across-borders', '/no-such-page']) {
      const answer = await get(site, address);
      expect([address, answer.status]).toEqual([address, 503]);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('a process that started during an outage shows new content as soon as the backend is back', async () => {
    relay.goDown();
    const site = await start();
    expect(statusOf(await get(site, '/about'))).toMatch(/ttl=-/);
    relay.reset();
    const backAt = Date.now();
    await eventually(async () => {
      expect((await get(site, '/about')).status).toBe(200);
      const stored = [...site.site.pages.entries()].find(({ key }) => key.endsWith('/about'));
      expect(stored?.entry.generatedAt).toBeGreaterThanOrEqual(backAt);
    });
    expect((await get(site, '/privacy')).status).toBe(200);
  });

  it.each([
    ['the next time that it asks', 200],
    // With a pause of an hour, only the end of the outage can be the cause.
    ['as soon as the backend is back, and not only after the pause', 3_600_000],
  ])(
    'the backend counts as up again %s, although the content from disk is still fresh',
    async (_, retryFailedMs) => {
      relay.goDown();
      const site = await start({ CONTENT_TTL_MS: '600000' }, { overrides: { retryFailedMs } });
      // If the backend is back before the breaker opens, it counts as up, but this triggers no reload.
      await eventually(() => expect(site.log.map(({ code }) => code)).toContain('backend-down'));
      expect(await readinessOf(site)).toMatchObject([200, { contentTypes: { settings: { state: 'down' } } }]);
      relay.reset();
      await eventually(async () => {
        const [, { backend: state, contentTypes }] = await readinessOf(site);
        expect([state, contentTypes]).toEqual(['up', {}]);
      });
    },
  );

  it.each(some(OTHER_NAMES, 1))(
    'a process that starts during an outage with %s answers each page',
    async (_, env) => {
      relay.goDown();
      const site = await start(env);
      await ready(site);
      const origin = env.PUBLIC_URL ?? PUBLIC_URL;
      for (const [address] of before) {
        for (const answer of [await get(site, address), await get(site, address)]) {
          expect([address, answer.status]).toEqual([address, 200]);
          expect(statusOf(answer)).toMatch(/ttl=-\d+$/);
          if (address.endsWith('.json')) continue;
          expect(parsePage(answer.text).canonical).toBe(origin + (address === '/' ? '/' : address));
        }
      }
      expect((await get(site, PICTURE)).status).toBe(200);
    },
  );

  it('after an upgrade during an outage each page is rendered from stored content', async () => {
    relay.goDown();
    const distDir = path.join(dataDir(), 'dist');
    await cp(DIST_DIR, distDir, { recursive: true });
    const file = path.join(distDir, 'manifest.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as BuildManifest;
    await writeFile(file, JSON.stringify({ ...manifest, id: 'ffffffffffffffff' }));
    const site = await start({}, { distDir });
    await ready(site);
    for (const [address] of before) {
      const answer = await get(site, address);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(statusOf(answer)).toMatch(/^site; fwd=miss; stored; ttl=-\d+$/);
      expect(answer.text).toContain('ffffffffffffffff');
      expect(statusOf(await get(site, address))).toMatch(/^site; hit; ttl=-\d+$/);
    }
  });

  it.each(some(IN_HEADERS, 1))(
    'a process that starts during an outage with another %s renders each page again, with new headers',
    async (name, value, header, says) => {
      const folders = await readdir(await backendDir('pages'));
      relay.goDown();
      const site = await start({ [name]: value });
      await ready(site);
      for (const [address, seen] of before) {
        const answer = await get(site, address);
        expect([address, answer.status]).toEqual([address, 200]);
        expect(statusOf(answer)).toMatch(/^site; fwd=miss; stored/);
        // A payload has no policy, because it is no document.
        if (header === 'content-security-policy' && address.endsWith('.json')) continue;
        expect(String(seen.headers[header])).not.toMatch(says);
        expect(answer.headers[header]).toMatch(says);
      }
      expect(await readdir(await backendDir('pages'))).not.toEqual(folders);
    },
  );

  if (inFull)
    it('a process that starts during an outage with changed consent scripts renders each page again', async () => {
      relay.goDown();
      const site = await start({ SCRIPTS_CONSENT: 'off' });
      const answer = await get(site, '/about');
      expect([answer.status, statusOf(answer)]).toEqual([
        200,
        expect.stringMatching(/^site; fwd=miss; stored/),
      ]);
    });

  it('a process that started during an outage does not render a page repeatedly from stale content', async () => {
    relay.goDown();
    const startedAt = performance.now();
    const site = await start({ PUBLIC_URL: 'https://other.example' });
    for (let round = 0; round < 40; round++) await get(site, '/about');
    const metrics = await site.site.metrics.registry.metrics();
    const renders = Number(/site_render_duration_seconds_count (\d+)/.exec(metrics)?.[1]);
    expect(renders).toBeGreaterThan(0);
    // Most allowed renders: one for the first visitor, and one a second, because the breaker lets one call
    // through.
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    expect(renders).toBeLessThanOrEqual(1 + seconds);
  });
});

describe('a process that starts while the backend hangs', () => {
  it('a process that starts while the backend hangs is ready and answers each page before its first call ends', async () => {
    relay.hang();
    // `start` would wait for the first attempt, which takes as long as a call may take.
    const env = { PUBLIC_URL, CONTENT_TTL_MS: '20' };
    const site = await startSite({ contentBaseUrl: relay.url, dataDir: dataDir(), begin: false, env });
    running.push(site);
    site.site.startUp.begin();
    await ready(site);
    const answers = await Promise.all([...before.keys()].map(address => get(site, address)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const answer of answers) expect(statusOf(answer)).toMatch(/^site; hit; ttl=-\d+$/);
    expect((await get(site, PICTURE)).status).toBe(200);
    // The first calls are still open, so neither a response nor a failure has made the process ready.
    const outcomes = ['content-loaded', 'content-start-failed'];
    expect(site.log.filter(({ code }) => outcomes.includes(code))).toEqual([]);
  });
});

describe('an unpublished article', () => {
  const keyOfArticle = async () => {
    const answer = await sendRequest(backend.url, '/api/articles?filters[slug][$eq]=reading-a-fee-statement');
    return answer.json<{ data: { id: number; documentId: string }[] }>().data[0];
  };
  const unpublished = async () => ({
    ...{ event: 'entry.unpublish', model: 'article' },
    entry: { ...(await keyOfArticle()), publishedAt: new Date().toISOString() },
  });

  if (inFull)
    it('an unpublished article does not return after a restart', async () => {
      const site = await start();
      await get(site, ARTICLE);
      expect((await sendWebhook(site.url, SECRET, await unpublished())).status).toBe(200);
      await stop(site);
      relay.goDown();
      const next = await start();
      expect((await get(next, ARTICLE)).status).toBe(503);
      expect((await get(next, `${ARTICLE}/_payload.json`)).status).toBe(503);
      expect((await get(next, '/blog')).status).toBe(200);
    });

  it('an article that was only on disk when it was unpublished does not return', async () => {
    const site = await start();
    // No visitor has requested the article from this process.
    expect((await sendWebhook(site.url, SECRET, await unpublished())).status).toBe(200);
    await stop(site);
    relay.goDown();
    for (const env of [{}, { PUBLIC_URL: 'https://other.example' }]) {
      const next = await start(env);
      expect((await get(next, ARTICLE)).status).toBe(503);
      expect((await get(next, '/about')).status).toBe(200);
      await stop(next);
    }
  });

  it('an unpublished article returns when it is published again', async () => {
    const site = await start();
    const event = await unpublished();
    await sendWebhook(site.url, SECRET, event);
    await sendWebhook(site.url, SECRET, { ...event, event: 'entry.publish' });
    expect((await get(site, ARTICLE)).status).toBe(200);
    await stop(site);
    relay.goDown();
    expect((await get(await start(), ARTICLE)).status).toBe(200);
  });
});

describe('damaged files', () => {
  /** Damages files of a folder. */
  async function damage(dir: string, every: number): Promise<number> {
    const names = (await readdir(dir)).filter((_, index) => index % every === 0);
    for (const [index, name] of names.entries()) {
      const file = path.join(dir, name);
      const contents = await readFile(file);
      const middle = Math.floor(contents.byteLength / 2);
      if (index % 3 === 0) await writeFile(file, contents.subarray(0, middle));
      else if (index % 3 === 1) await writeFile(file, 'no value');
      else {
        contents[middle] = (contents[middle] ?? 0) ^ 255;
        await writeFile(file, contents);
      }
    }
    return names.length;
  }
  const damaged = (site: RunningSite) => site.log.filter(({ code }) => code === 'disk-entry-unreadable');
  const folderOf = async (name: string) => backendDir(name, (await readdir(await backendDir(name)))[0] ?? '');

  it('a damaged page file is logged and ignored, and the page is rendered from its content', async () => {
    expect(await damage(await folderOf('pages'), 1)).toBeGreaterThanOrEqual(SEEN.length);
    relay.goDown();
    const site = await start();
    for (const [address, seen] of before) {
      const answer = await get(site, address);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(answer.headers.etag).toBe(seen.headers.etag);
    }
    // After ten entries with one code in a minute, the log joins further ones.
    expect(damaged(site).length).toBeGreaterThanOrEqual(10);
  });

  if (inFull)
    it('a damaged content file is logged and ignored, and stored pages are unaffected', async () => {
      await damage(await folderOf('content'), 1);
      relay.goDown();
      const site = await start();
      for (const [address] of before)
        expect([address, (await get(site, address)).status]).toEqual([address, 200]);
      expect(damaged(site).length).toBeGreaterThan(0);
    });

  it('a process whose files are all damaged waits for the backend, and becomes ready with it', async () => {
    await damage(await folderOf('pages'), 1);
    await damage(await folderOf('content'), 1);
    await writeFile(await backendDir('invalidations.of-another.json'), '[["a"');
    relay.goDown();
    const site = await start();
    expect((await get(site, '/about')).status).toBe(503);
    expect((await sendRequest(site.opsUrl, '/readyz')).status).toBe(503);
    relay.reset();
    await eventually(async () => expect((await get(site, '/about')).status).toBe(200));
    await ready(site);
  });
});
