import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { momentIn } from '../../server/decode/site-time.ts';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { eventually } from '../support/eventually.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { payloadPath } from '../support/payload-path.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const HOUR_MS = 3_600_000;
/** Time until an article's date, in ms: enough for a busy machine to render all lists before it. */
const WAIT_MS = 8_000;
/** One zone is 14 hours ahead of UTC, one 11 hours behind. Their days always differ. */
const [EARLY, LATE] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];

let dir: string;
let backend: Awaited<ReturnType<typeof startEmbeddedBackend>>;
const running: RunningSite[] = [];

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'future-'));
  await cp(FIXTURE_CONTENT, path.join(dir, 'content'), { recursive: true });
  for (let at = 1; at <= 13; at += 1) await write(`past-${at}`, `2020-01-${String(at).padStart(2, '0')}`);
  for (let at = 1; at <= 5; at += 1) await write(`future-${at}`, `2199-01-0${at}`);
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

/** Writes an article in a separate category. */
async function write(slug: string, date: string): Promise<void> {
  const category = slug === 'day-of-the-early' ? 'cases' : 'news';
  const text = `---\ntitle: Title of ${slug}\ncategory: ${category}\nauthor: marta-lindqvist\ntags: [${slug.startsWith('future') ? 'Waiting, Later' : 'Waiting'}]\ndate: ${date}\n---\n\nText.\n`;
  await writeFile(path.join(dir, 'content/articles', `${slug}.md`), text);
}

/** Starts a site whose content stays fresh for an hour, so that no list is reloaded because of its age. */
async function start(env: Record<string, string> = {}) {
  const site = await startSite({
    contentBaseUrl: backend.url,
    env: { PUBLIC_URL: 'https://www.example.com', CONTENT_TTL_MS: String(HOUR_MS), ...env },
  });
  running.push(site);
  return (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });
}

const isShown = ({ text }: { text: string }) =>
  text.includes('Title of soon') || text.includes('/soon</loc>');

describe('an article with a date in the future', () => {
  it('an article with a future date is on no page, and pages of twelve stay full', async () => {
    const get = await start();
    const { data } = (await get(payloadPath('/blog/news'))).json<{
      data: { page: { list: { items: { slug: string }[]; total: number } } };
    }>();
    const { items, total } = data.page.list;
    expect(items).toHaveLength(12);
    expect(total).toBeGreaterThan(13);
    expect(items.filter(({ slug }) => slug.startsWith('future'))).toEqual([]);
    for (const address of [
      '/blog',
      '/blog/feed.xml',
      '/sitemap.xml',
      '/blog/tags/waiting',
      '/blog/authors/marta-lindqvist',
    ])
      expect([address, (await get(address)).text.includes('future-1')]).toEqual([address, false]);
    expect((await get('/blog/news/future-1')).status).toBe(404);
    expect((await get('/blog/news/past-1')).status).toBe(200);
    expect((await get('/blog/news')).headers['cache-control']).toContain('s-maxage=3600');
  });

  it('a tag of only future articles is not in the sitemap', async () => {
    const get = await start();
    const sitemap = (await get('/sitemap.xml')).text;
    const inSitemap = ['waiting', 'later'].map(tag => sitemap.includes(`/blog/tags/${tag}</loc>`));
    expect(inSitemap).toEqual([true, false]);
    const [waiting, later] = await Promise.all(['waiting', 'later'].map(tag => get(`/blog/tags/${tag}`)));
    expect([later?.status, later?.headers['x-robots-tag']]).toEqual([200, 'noindex']);
    expect([waiting?.status, waiting?.headers['x-robots-tag']]).toEqual([200, undefined]);
  });

  it('a future article appears everywhere at its date without an event', async () => {
    const date = Date.now() + WAIT_MS;
    // With this article the month of `soon` already has a page.
    await write('just-now', new Date(date - WAIT_MS - 2_000).toISOString());
    await write('soon', new Date(date).toISOString());
    const [year = '', month = ''] = new Date(date).toISOString().split('-');
    const lists = [
      '/blog',
      '/blog/news',
      '/blog/feed.xml',
      '/sitemap.xml',
      '/blog/tags/waiting',
      '/blog/authors/marta-lindqvist',
      `/blog/archive/${year}`,
      `/blog/archive/${year}/${month}`,
    ];
    await eventually(async () => {
      const { text } = await sendRequest(backend.url, '/api/articles?filters[slug][$eq]=soon');
      expect(text).toContain('Title of soon');
    });
    const get = await start();
    const own = '/blog/news/soon';
    const before = await Promise.all([...lists, own].map(get));
    // Fails on a machine too slow to request all pages before the article's date.
    expect(Date.now()).toBeLessThan(date);
    expect(before.filter(isShown).map(({ text }) => text)).toEqual([]);
    expect(before.map(({ status }) => status)).toEqual([...lists.map(() => 200), 404]);
    for (const { headers } of before.slice(0, -1))
      expect(headers['cache-control']).toMatch(/s-maxage=[1-8](?:,|$)/);
    await eventually(async () => {
      const after = await Promise.all([...lists, own].map(get));
      expect(after.map(isShown)).toEqual(after.map(() => true));
      expect(after.at(-1)?.status).toBe(200);
    }, 2 * WAIT_MS);
    expect(Date.now()).toBeGreaterThanOrEqual(date);
  });

  it.for([
    [EARLY, '2019-12-31T10:00:00.000Z'],
    [LATE, '2020-01-01T11:00:00.000Z'],
  ] as const)(
    'the date of an article shows its day to visitors, and its time to machines: %s',
    async ([zone, moment]) => {
      const get = await start({ SITE_TIME_ZONE: zone });
      const { text } = await get('/blog/news/past-1');
      expect(text).toContain('>1 January 2020</time>');
      expect(text).toContain(`"datePublished":"${moment}"`);
      expect(text).toContain(`property="article:published_time" content="${moment}"`);
      const feed = (await get('/blog/tags/waiting/feed.xml')).text;
      expect(feed).toContain(`<pubDate>${new Date(moment).toUTCString()}</pubDate>`);
    },
  );

  it('an article dated by a day appears when that day begins in the site’s time zone', async () => {
    // Runs after the other tests, because shortly before that day CDNs may keep pages for only one second.
    await write('day-of-the-early', momentIn(Date.now(), EARLY).slice(0, 10));
    await eventually(async () => {
      const found = await fetch(`${backend.url}/api/articles?filters[slug][$eq]=day-of-the-early`);
      expect((await found.json()).data).toHaveLength(1);
    });
    const [early, late] = await Promise.all([
      start({ SITE_TIME_ZONE: EARLY }),
      start({ SITE_TIME_ZONE: LATE }),
    ]);
    const own = '/blog/cases/day-of-the-early';
    expect([(await early(own)).status, (await late(own)).status]).toEqual([200, 404]);
    expect((await early('/blog/cases')).text).toContain(own);
    expect((await late('/blog/cases')).text).not.toContain(own);
  });
});
