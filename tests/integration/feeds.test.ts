import { describe, expect } from 'vitest';
import { FEED_FORMATS, type FeedFormat, feedPath } from '../../shared/routing/feed-files.ts';
import { FEED_ROUTES } from '../../shared/routing/feeds.ts';
import {
  ATOM,
  brokenAtomRules,
  brokenJsonFeedRules,
  brokenRssRules,
  CONTENT,
} from '../support/feed-rules.ts';
import { parsePage } from '../support/parse-page.ts';
import { childrenNamed, childText, parseXml } from '../support/parse-xml.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import type { Answer } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';

/** Pages of the sample content that have feeds. */
const PAGES = FEED_ROUTES.map(route => SAMPLE_PATHS[route]);
/** Pages of the recorded content that have feeds. */
const RECORDED_PAGES = ['/blog', '/blog/guides', '/blog/authors/jane-roe'];

/** @returns the rules that a feed breaks, by the format in its address. */
function brokenRules(base: string, path: string, answer: Answer): string[] {
  const contentType = String(answer.headers['content-type']);
  const address = base + path;
  if (path.endsWith('.json')) return brokenJsonFeedRules(address, contentType, JSON.parse(answer.text));
  const feed = { address, contentType, root: parseXml(answer.text) };
  return path.endsWith('/atom.xml') ? brokenAtomRules(feed) : brokenRssRules(feed);
}

/** An item as a reader sees it in each format. */
interface ReadItem {
  address: string;
  title: string;
  html: string;
  picture: string | null;
}

const READERS: Readonly<Record<FeedFormat, (text: string) => ReadItem[]>> = {
  rss: text =>
    childrenNamed(parseXml(text), 'channel')
      .flatMap(channel => childrenNamed(channel, 'item'))
      .map(item => ({
        address: childText(item, 'link') ?? '',
        title: childText(item, 'title') ?? '',
        html: childText(item, 'encoded', CONTENT) ?? '',
        picture: childrenNamed(item, 'enclosure')[0]?.attributes.url ?? null,
      })),
  atom: text =>
    childrenNamed(parseXml(text), 'entry').map(entry => ({
      address: childText(entry, 'id', ATOM) ?? '',
      title: childText(entry, 'title', ATOM) ?? '',
      html: childText(entry, 'content', ATOM) ?? '',
      picture:
        childrenNamed(entry, 'link').find(({ attributes }) => attributes.rel === 'enclosure')?.attributes
          .href ?? null,
    })),
  json: text =>
    (JSON.parse(text) as { items: Record<string, string>[] }).items.map(item => ({
      address: item.url ?? '',
      title: item.title ?? '',
      html: item.content_html ?? '',
      picture: item.image ?? null,
    })),
};

describe.for(PAGES)('the feeds of %s', page => {
  it.for(FEED_FORMATS)(
    'the feeds of the sample content obey the rules of their format: %s',
    async (format, { sample, getPage }) => {
      const path = feedPath(page, format);
      const answer = await getPage(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(brokenRules(sample.url, path, answer)).toEqual([]);
    },
  );

  it('feeds of all formats have the same articles, each with text and picture', async ({
    sample,
    getPage,
  }) => {
    const read = async (format: FeedFormat) => READERS[format]((await getPage(feedPath(page, format))).text);
    const [items = [], ...others] = await Promise.all(FEED_FORMATS.map(read));
    expect(others).toEqual([items, items]);
    expect(items.length).toBeGreaterThan(1);
    for (const { address, title, html, picture } of items) {
      expect(address).toContain(`${sample.url}/blog/`);
      const article = parsePage((await getPage(address.slice(sample.url.length))).text);
      expect(article.headings).toHaveLength(1);
      expect(title.length).toBeGreaterThan(5);
      // The first words of the text.
      const words = unescaped(html.replace(/<[^>]*>/g, '')).slice(0, 40);
      expect(words).toHaveLength(40);
      expect(article.main).toContain(words);
      expect(picture).toMatch(/^http.*\/(?:uploads\/.*\.(?:jpg|png)|images\/cards\/blog\/.*\/card\.jpg)$/);
    }
  });

  it('feeds are linked in the head of their page, and by a visible link', async ({ getPage }) => {
    const parsed = parsePage((await getPage(page)).text);
    const alternates = parsed
      .all('link')
      .filter(({ properties }) => String(properties.rel) === 'alternate')
      .map(({ properties }) => [properties.type, properties.href]);
    expect(alternates).toEqual(
      expect.arrayContaining([
        ['application/rss+xml', feedPath(page)],
        ['application/atom+xml', feedPath(page, 'atom')],
        ['application/feed+json', feedPath(page, 'json')],
        ['application/rss+xml', '/blog/feed.xml'],
      ]),
    );
    const links = parsed.all('a').filter(({ properties }) => properties.href === feedPath(page));
    expect(links).toHaveLength(1);
  });

  it.for(FEED_FORMATS)(
    'feeds give a 304 to a reader that already has them: %s',
    async (format, { sample, getPage }) => {
      const path = feedPath(page, format);
      const { headers } = await getPage(path);
      const again = await fetch(sample.url + path, { headers: { 'if-none-match': String(headers.etag) } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    },
  );
});

it.for(RECORDED_PAGES)(
  'the feeds of recorded content obey the rules of their formats: %s',
  async (page, { site, getPage }) => {
    for (const path of FEED_FORMATS.map(format => feedPath(page, format))) {
      const answer = await getPage(path, site.url);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(brokenRules(site.url, path, answer)).toEqual([]);
    }
  },
);

it('items of feeds contain their tags, and the page of their author', async ({ sample, getPage }) => {
  const { items } = (await getPage('/blog/feed.json')).json<{
    items: { authors?: { name: string; url?: string }[]; tags: string[] }[];
  }>();
  const author = items.flatMap(({ authors = [] }) => authors).find(({ name }) => name === 'Marta Lindqvist');
  expect(author?.url).toBe(sample.url + SAMPLE_PATHS['blog-author']);
  expect(Math.max(...items.map(({ tags }) => tags.length))).toBeGreaterThan(1);
});

const unescaped = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('an address without a feed', () => {
  it.for([
    '/blog/no-such/feed.xml',
    '/blog/guides/no-such/feed.xml',
    '/about/feed.xml',
    '/blog/no-such/feed.json',
  ])('%s has no feed, and gives a 404', async (path, { getPage }) => {
    expect((await getPage(path)).status).toBe(404);
  });

  it('the address of a feed in another spelling redirects to the feed', async ({ getPage }) => {
    const answer = await getPage('/blog/GUIDES/feed.xml');
    expect([answer.status, answer.headers.location]).toEqual([308, '/blog/guides/feed.xml']);
  });
});
