import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { apiOf } from '../support/content-reads.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { listOfRows } from '../support/list-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { payloadPath } from '../support/payload-path.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { siteTest } from '../support/site-test.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const ORIGIN = 'https://www.example.com';
const two = (number: number) => String(number).padStart(2, '0');

interface Period {
  title: string;
  href: string;
  count: string;
}
interface ArchiveData {
  years: (Period & { months: Period[] })[];
  months: Period[];
  list: { items: { slug: string }[]; total: number; pageCount: number };
}

let dir: string;
let backend: Awaited<ReturnType<typeof startEmbeddedBackend>>;
const running: RunningSite[] = [];

/**
 * More articles than one response holds, so each year is counted separately. One year alone exceeds a
 * response.
 */
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'archive-'));
  await cp(FIXTURE_CONTENT, path.join(dir, 'content'), { recursive: true });
  for (let at = 1; at <= 14; at += 1) await write(`march-${at}`, `2019-03-${two(at)}`);
  for (let at = 0; at < 110; at += 1) await write(`many-${at}`, `2015-${two((at % 11) + 1)}-01`);
  await write('edge', '2018-12-31T23:30:00.000Z');
  await write('later', '2199-01-01');
  await write('homeless', '2017-05-05', { category: '' });
  await write('homeless-too', '2019-05-05', { category: '' });
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

/** @param date a day, a date with a time, or a line of the front matter */
async function write(
  slug: string,
  date: string,
  { folder = 'content', category = 'category: news\n' } = {},
): Promise<void> {
  const dated = date.includes(': ') ? date : `date: ${date}`;
  const text = `---\ntitle: Title of ${slug}\n${category}${dated}\n---\n\nText.\n`;
  await writeFile(path.join(dir, folder, 'articles', `${slug}.md`), text);
}

async function start(env: Record<string, string> = {}, contentBaseUrl = backend.url) {
  const site = await startSite({ contentBaseUrl, env: { PUBLIC_URL: ORIGIN, ...env } });
  running.push(site);
  const get = (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });
  const data = async (address: string) =>
    (await get(payloadPath(address))).json<{ data: { page: ArchiveData } }>().data.page;
  return { get, data };
}

let site: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  site = await start();
});

describe('/blog/archive', () => {
  it('the archive lists all years and months with articles, newest first, with their counts', async () => {
    const { years } = await site.data('/blog/archive');
    expect(years.map(({ title }) => title)).toEqual(['2026', '2019', '2018', '2015']);
    expect(years.slice(1).map(({ count }) => count)).toEqual(['14 articles', '1 article', '110 articles']);
    expect(years[1]?.months).toEqual([
      { title: 'March', href: '/blog/archive/2019/03', count: '14 articles' },
    ]);
    expect(years[3]?.months.map(({ href }) => href)).toEqual(
      Array.from({ length: 11 }, (_, at) => `/blog/archive/2015/${two(11 - at)}`),
    );
    expect(years[3]?.months.map(({ count }) => count)).toEqual(Array(11).fill('10 articles'));
  });

  it('the archive is a page of links below the blog, which links to it', async () => {
    const { status, text } = await site.get('/blog/archive');
    const page = parsePage(text);
    expect(status).toBe(200);
    expect(page.headings).toEqual(['Archive of articles']);
    expect(page.canonical).toBe(`${ORIGIN}/blog/archive`);
    expect(text).toContain('<meta name="description" content="All articles of the blog, by year and month."');
    expect((await site.get('/blog/archive/2019/03')).text).toContain(
      '<meta name="description" content="Articles from March 2019: Title of march-14 · Title of march-13 · Title of march-12"',
    );
    for (const href of ['/blog/archive/2019', '/blog/archive/2019/03', '/blog/archive/2026/05'])
      expect(text).toContain(`href="${href}"`);
    expect(page.jsonLd).toContainEqual(
      expect.objectContaining({
        '@type': 'BreadcrumbList',
        itemListElement: [
          expect.objectContaining({ name: 'Blog', item: `${ORIGIN}/blog` }),
          expect.objectContaining({ name: 'Archive', item: `${ORIGIN}/blog/archive` }),
        ],
      }),
    );
    expect((await site.get('/blog')).text).toContain('href="/blog/archive"');
  });

  it('the sitemap lists the archive and its periods', async () => {
    const { text } = await site.get('/sitemap.xml');
    const found = [...text.matchAll(/<loc>[^<]*?(\/blog\/archive[^<]*)<\/loc>/g)].map(([, at]) => at);
    expect(found).toEqual(
      expect.arrayContaining(['/blog/archive', '/blog/archive/2019', '/blog/archive/2015/11']),
    );
    expect(found.filter(at => /2017|2199|2015\/12/.test(at ?? ''))).toEqual([]);
  });
});

describe('a period', () => {
  it.for([
    ['/blog/archive/2019', 'Articles from 2019'],
    ['/blog/archive/2019/03', 'Articles from March 2019'],
  ] as const)('the period %s lists its articles on numbered pages of twelve', async ([at, title]) => {
    const [first, second] = await Promise.all([site.get(at), site.get(`${at}?page=2`)]);
    const pages = [first, second].map(({ text }) => parsePage(text));
    expect(pages.map(({ headings }) => headings[0])).toEqual([title, title]);
    expect(pages.map(page => page.canonical)).toEqual([ORIGIN + at, `${ORIGIN + at}?page=2`]);
    expect(pages[1]?.title).toContain(', page 2');
    const lists = await Promise.all([site.data(at), site.data(`${at}?page=2`)]);
    const slugs = lists.map(({ list }) => list.items.map(({ slug }) => slug));
    expect(slugs.map(({ length }) => length)).toEqual([12, 2]);
    expect(slugs.flat()).toEqual(Array.from({ length: 14 }, (_, number) => `march-${14 - number}`));
  });

  it('the page of a month links to the months of its year, and marks the current one', async () => {
    const { text } = await site.get('/blog/archive/2015/04');
    const months = text.match(/<a [^>]*href="\/blog\/archive\/2015\/\d\d"[^>]*>/g) ?? [];
    expect(months).toHaveLength(11);
    expect(months.filter(link => link.includes('aria-current="page"'))).toEqual([
      expect.stringContaining('/blog/archive/2015/04"'),
    ]);
    expect(parsePage((await site.get('/blog/archive/2015')).text).main).toContain('April 10 articles');
  });

  it('an unknown, empty or malformed period is a 404', async () => {
    for (const at of ['2016', '2017', '2199', '99', '02019', 'march', '2019/04', '2019/13', '2019/00'])
      expect([at, (await site.get(`/blog/archive/${at}`)).status]).toEqual([at, 404]);
    for (const at of ['2019/3', '2019/03?page=0', '2019/03?page=3', '2019/03/01'])
      expect([at, (await site.get(`/blog/archive/${at}`)).status]).toEqual([at, 404]);
  });
});

describe('the language and the time zone of the site', () => {
  it('locale and time zone of the site decide the names of months, and the month of an article', async () => {
    expect((await site.data('/blog/archive/2018/12')).list.items).toMatchObject([{ slug: 'edge' }]);
    const berlin = await start({ SITE_LOCALE: 'de-DE', SITE_TIME_ZONE: 'Europe/Berlin' });
    expect((await berlin.get('/blog/archive/2018/12')).status).toBe(404);
    const { text } = await berlin.get('/blog/archive/2019/01');
    expect(parsePage(text).headings[0]).toBe('Artikel aus dem Januar 2019');
    expect((await berlin.data('/blog/archive/2019/01')).list.items).toMatchObject([{ slug: 'edge' }]);
    const { years } = await berlin.data('/blog/archive');
    expect(years.map(({ title, count }) => [title, count])).toContainEqual(['2019', '15 Artikel']);
    expect(years[1]?.months.map(({ title }) => title)).toEqual(['März', 'Januar']);
  });

  it('the archive uses the Gregorian calendar in every locale', async () => {
    const persian = await start({ SITE_LOCALE: 'en-GB-u-ca-persian' });
    const months = (await persian.data('/blog/archive')).years[1]?.months;
    expect(months?.map(({ title }) => title)).toEqual(['March']);
    const arabic = await start({ SITE_LOCALE: 'ar-SA' });
    const { years } = await arabic.data('/blog/archive');
    expect(years[2]?.count).toBe('مقال واحد');
  });
});

describe('a backend whose articles lack dates', () => {
  it('an article without a date belongs to the month of its publication', async () => {
    const contentDir = path.join(dir, 'undated');
    await cp(FIXTURE_CONTENT, contentDir, { recursive: true });
    await write('undated', 'publishedAt: 2014-06-15', { folder: 'undated' });
    const undated = await startEmbeddedBackend({ contentDir, mailDir: path.join(dir, 'mail') });
    const { get, data } = await start({}, undated.url);
    const { years } = await data('/blog/archive');
    expect(years.map(({ title }) => title)).toEqual(['2026', '2014']);
    expect(years[1]?.months.map(({ href }) => href)).toEqual(['/blog/archive/2014/06']);
    expect((await get('/blog/archive/2014/06')).text).toContain('Title of undated');
    expect((await data('/blog/archive/2026')).list.items.map(({ slug }) => slug)).not.toContain('undated');
    await undated.close();
  });

  siteTest(
    'a backend without a date field is asked for the day of publication',
    async ({ backend: fake, startOwnSite, getPage }) => {
      const category = { id: 1, documentId: 'c1', name: 'Guides', slug: 'guides' };
      const row = { id: 1, title: 'Old', slug: 'old', publishedAt: '2021-07-09T10:00:00.000Z', category };
      fake.on(
        '/api/articles',
        listOfRows(() => [row], { lacks: ['date'] }),
      );
      const { url } = await startOwnSite();
      expect((await getPage('/blog/archive/2021/07', url)).text).toContain('>Old<');
      const asked = fake.callsTo('/api/articles').map(call => decodeURIComponent(call.url));
      expect(asked).toContainEqual(
        expect.stringMatching(
          /filters\[publishedAt\]\[\$gte\]=2021-07-01T00:00:00\+00:00&filters\[publishedAt\]\[\$lt\]=2021-08-01T/,
        ),
      );
    },
  );
});

describe('the query for a period', () => {
  const range = (field: string, first: string, after: string) =>
    `filters${field}[$gte]=${first}T00:00:00+00:00&filters${field}[$lt]=${after}T00:00:00+00:00`;

  siteTest.for([
    ['2026-12', 'date', range('[date]', '2026-12-01', '2027-01-01')],
    [
      '2026',
      'publishedAt',
      'filters[$or][0][date][$notNull]=true&' +
        `${range('[$or][0][date]', '2026-01-01', '2027-01-01')}&` +
        'filters[$or][1][date][$null]=true&' +
        range('[$or][1][publishedAt]', '2026-01-01', '2027-01-01'),
    ],
  ] as const)(
    'the query for %s, by %s, uses the bounds of the site’s time zone',
    async ([id, by, filters], { backend: fake }) => {
      const { api, load } = apiOf(fake);
      await load(api.articlesOf({ by: 'period', id }, 1, { by }));
      expect(fake.callsTo('/api/articles').map(({ url }) => decodeURIComponent(url))).toEqual([
        expect.stringContaining(`?filters[category][id][$notNull]=true&${filters}&pagination[page]=1&`),
      ]);
    },
  );
});
