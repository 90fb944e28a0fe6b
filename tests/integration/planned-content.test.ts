import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { momentIn } from '../../server/decode/site-time.ts';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { eventually } from '../support/eventually.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { invalidationTest as setLater } from '../support/invalidation-test.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const HOUR_MS = 3_600_000;
/** A date that comes in 12 s. A site needs less time to start. */
const soon = () => Date.now() + 12_000;

let dir: string;
let backend: Awaited<ReturnType<typeof startEmbeddedBackend>>;
const running: RunningSite[] = [];

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'planned-'));
  await cp(FIXTURE_CONTENT, path.join(dir, 'content'), { recursive: true });
  backend = await startEmbeddedBackend({
    contentDir: path.join(dir, 'content'),
    mailDir: path.join(dir, 'mail'),
  });
});
afterAll(async () => {
  await Promise.all(running.map(site => site.close()));
  await backend.close();
  await rm(dir, { recursive: true });
});

const file = (name: string) => path.join(dir, 'content', name);

/** Writes an entry and waits until the backend has it. */
async function write(name: string, fields: Record<string, string>): Promise<void> {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}\n`);
  await writeFile(file(`${name}.md`), `---\ntitle: Title of ${name}\n${lines.join('')}---\n\nText.\n`);
  const [folder = '', slug = ''] = name.split('/');
  await eventually(async () => {
    const { text } = await sendRequest(backend.url, `/api/${folder}?filters[slug][$eq]=${slug}`);
    expect(text).toContain(`Title of ${name}`);
    for (const key of ['publishAt', 'unpublishAt']) expect(text).toContain(fields[key] ?? key);
  });
}

async function writeJson(name: string, change: (value: never) => unknown): Promise<void> {
  const before = JSON.parse(await readFile(file(name), 'utf8')) as never;
  await writeFile(file(name), JSON.stringify(change(before)));
}

/** Starts a site whose content stays fresh for an hour, so that nothing is reloaded because of its age. */
async function start(env: Record<string, string> = {}) {
  const site = await startSite({
    contentBaseUrl: backend.url,
    env: { PUBLIC_URL: 'https://www.example.com', CONTENT_TTL_MS: String(HOUR_MS), ...env },
  });
  running.push(site);
  return (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });
}

/** The clocks of a process may differ by this many ms. */
const CLOCKS_MS = 100;
const timeCame = (at: number) => eventually(() => expect(Date.now()).toBeGreaterThan(at + CLOCKS_MS), 20_000);

const YESTERDAY = new Date(Date.now() - 24 * HOUR_MS).toISOString().slice(0, 10);
const article = { category: 'news', author: 'marta-lindqvist', tags: '[Planned]', date: YESTERDAY };

describe('dates of entries', () => {
  it('a page, an article, a redirect and a block appear at their time', async () => {
    const at = soon();
    const publishAt = new Date(at).toISOString();
    await write('pages/planned', { publishAt });
    await write('articles/planned-article', { ...article, publishAt });
    await writeJson('redirects.json', (rows: unknown[]) => [
      ...rows,
      { from: '/campaign', to: '/about', statusCode: 302, publishAt },
    ]);
    await writeJson('landing.json', (landing: { positionsAndCustomBlocks: unknown[] }) => ({
      ...landing,
      positionsAndCustomBlocks: [
        ...landing.positionsAndCustomBlocks,
        { custom: 'Words of the planned block', anchor: 'planned', publishAt },
      ],
    }));
    await eventually(async () => {
      expect((await sendRequest(backend.url, '/api/redirects?pagination[pageSize]=100')).text).toContain(
        publishAt,
      );
      expect((await sendRequest(backend.url, '/api/landing?populate=*')).text).toContain(publishAt);
    });
    const get = await start();
    const seen = async () => {
      const [page, own, list, feed, sitemap, redirect, home] = await Promise.all(
        [
          '/planned',
          '/blog/news/planned-article',
          '/blog/news',
          '/blog/feed.xml',
          '/sitemap.xml',
          '/campaign',
          '/',
        ].map(get),
      );
      return {
        page: page?.status,
        article: own?.status,
        list: list?.text.includes('planned-article'),
        feed: feed?.text.includes('planned-article'),
        sitemap: ['/planned<', '/planned-article<'].map(end => sitemap?.text.includes(end)),
        redirect: redirect?.status,
        block: home?.text.includes('Words of the planned block'),
      };
    };
    const before = await seen();
    // Fails on a machine too slow to request all pages before the date of the entries.
    expect(Date.now()).toBeLessThan(at);
    expect(before).toEqual({
      ...{ page: 404, article: 404, list: false, feed: false, sitemap: [false, false], redirect: 404 },
      block: false,
    });
    await eventually(async () =>
      expect(await seen()).toEqual({
        ...{ page: 200, article: 200, list: true, feed: true, sitemap: [true, true], redirect: 302 },
        block: true,
      }),
    );
    expect(Date.now()).toBeGreaterThanOrEqual(at);
  });

  it('the first response after its end date shows nothing of a withdrawn entry', async () => {
    const at = soon();
    const unpublishAt = new Date(at).toISOString();
    await write('pages/withdrawn', { unpublishAt });
    await write('articles/withdrawn-article', { ...article, tags: '[Ended]', unpublishAt });
    const get = await start();
    const addresses = [
      '/withdrawn',
      '/blog/news/withdrawn-article',
      '/blog/news',
      '/blog/authors/marta-lindqvist',
      '/blog/feed.xml',
      '/sitemap.xml',
    ];
    const before = await Promise.all(addresses.map(get));
    expect(Date.now()).toBeLessThan(at);
    const shows = ({ text }: { text: string }) =>
      /[Ww]ithdrawn(?:-article)?(?: |<)|withdrawn-article/.test(text);
    expect(before.map(shows)).toEqual(addresses.map(() => true));
    // A CDN may keep none of these responses past the end date, not even a stale one.
    for (const { headers } of before) {
      expect(headers['cache-control']).toContain('s-maxage=1');
      expect(headers['surrogate-control']).toBe('max-age=1, stale-while-revalidate=0, stale-if-error=0');
    }
    await timeCame(at);
    const after = await Promise.all(addresses.map(get));
    expect(after.slice(0, 2).map(({ status }) => status)).toEqual([404, 404]);
    expect(after.slice(2).map(({ status, text }) => [status, shows({ text })])).toEqual(
      addresses.slice(2).map(() => [200, false]),
    );
    // The tag has no other article.
    expect(after.at(-1)?.text).not.toContain('/blog/tags/ended<');
  });

  it.for(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'a date and time without an offset is in the site’s time zone: %s',
    async zone => {
      const name = zone.slice(-4).toLowerCase();
      const hourAgo = momentIn(Date.now() - HOUR_MS, zone).slice(0, '2026-12-24T09:00'.length);
      const inAnHour = momentIn(Date.now() + HOUR_MS, zone).slice(0, '2026-12-24T09:00'.length);
      for (const [slug, publishAt] of [
        ['past', hourAgo],
        ['future', inAnHour],
      ] as const) {
        await write(`pages/${slug}-${name}`, { publishAt });
        await write(`articles/${slug}-${name}`, { ...article, publishAt });
      }
      const get = await start({ SITE_TIME_ZONE: zone });
      const statuses = await Promise.all(
        ['past', 'future'].flatMap(slug => [get(`/${slug}-${name}`), get(`/blog/news/${slug}-${name}`)]),
      );
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
    },
  );
});

describe('dates during an outage of the CMS', () => {
  it('a withdrawn entry disappears from its list, and the list stays', async () => {
    const at = soon();
    const unpublishAt = new Date(at).toISOString();
    await write('pages/ends', { unpublishAt });
    await write('articles/ends-too', { ...article, tags: '[Ends]', unpublishAt });
    const own = await startEmbeddedBackend({
      contentDir: path.join(dir, 'content'),
      mailDir: path.join(dir, 'mail'),
    });
    const site = await startSite({
      contentBaseUrl: own.url,
      env: { PUBLIC_URL: 'https://www.example.com', CONTENT_TTL_MS: String(HOUR_MS) },
    });
    running.push(site);
    const get = (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });
    const addresses = ['/ends', '/blog/news/ends-too', '/blog/news', '/blog/feed.xml', '/about'];
    const before = await Promise.all(addresses.map(get));
    expect(Date.now()).toBeLessThan(at);
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(before[2]?.text).toContain('ends-too');
    await own.close();
    await timeCame(at);
    for (let times = 0; times < 2; times += 1) {
      const after = await Promise.all(addresses.map(get));
      expect(after.map(({ status }) => status)).toEqual([404, 404, 200, 200, 200]);
      expect(after.map(({ text }) => text.includes('Title of articles/ends-too'))).toEqual(
        after.map(() => false),
      );
    }
  });
});

describe('a date that is set later', () => {
  setLater('a date set later reaches pages still fresh', async ({ announce, backend, get, getStored }) => {
    const row = backend.row('page', 'about');
    const first = await getStored('/about');
    expect(first.headers['cache-control']).toContain('s-maxage=3600');
    row.attributes.unpublishAt = new Date(Date.now() + 10 * HOUR_MS).toISOString();
    await announce('entry.publish', 'page', row);
    const lives = (
      await eventually(async () => {
        const { headers } = await get('/about');
        const control = String(headers['surrogate-control']);
        expect(control).not.toBe(first.headers['surrogate-control']);
        return control;
      })
    )
      .match(/\d+/g)
      ?.map(Number);
    // The site may keep the page for an hour, and a CDN for another: together they end before the date.
    expect(lives?.[0]).toBe(3600);
    for (const stale of lives?.slice(1) ?? []) expect(stale).toBeLessThanOrEqual(8 * 3600);
    const at = Date.now() + 1_000;
    row.attributes.unpublishAt = new Date(at).toISOString();
    await announce('entry.publish', 'page', row);
    await timeCame(at);
    expect((await get('/about')).status).toBe(404);
  });
});
