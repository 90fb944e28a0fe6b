import { Readable } from 'node:stream';
import { parseSitemap } from 'sitemap';
import supertest from 'supertest';
import { describe, expect } from 'vitest';
import { failing, sendJson } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { CONTENT_PATHS, startSampleSite } from '../support/sample-site.ts';
import { postJson, sendRequest } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

describe('the build', () => {
  it('/builds/latest.json has the id and time of the build, and is never cached', async ({
    sample,
    getPage,
  }) => {
    const { manifest } = sample.site;
    const answer = await supertest(sample.url).get(`/builds/latest.json?${manifest.timestamp}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toEqual({ id: manifest.id, timestamp: manifest.timestamp });
    const page = parsePage((await getPage('/')).text);
    expect(page.data?.payload.buildId).toBe(manifest.id);
  });

  it('the address of a build lists the chunks of each route, and is immutable', async ({
    sample,
    getPage,
  }) => {
    const { manifest } = sample.site;
    const answer = await supertest(sample.url).get(`/builds/meta/${manifest.id}.json`);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.body).toEqual({ id: manifest.id, timestamp: manifest.timestamp, routes: manifest.routes });
    const chunks = Object.values(manifest.routes).flat();
    expect(chunks.length).toBeGreaterThan(6);
    for (const chunk of new Set(chunks)) expect([chunk, (await getPage(chunk)).status]).toEqual([chunk, 200]);
  });

  it('the address of another build is a 404', async ({ sample }) => {
    const answer = await supertest(sample.url).get('/builds/meta/0000000000000000.json');
    expect(answer.status).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toMatchObject({ error: true, statusCode: 404 });
  });
});

describe('/robots.txt', () => {
  it('robots.txt allows the site and names the sitemap', async ({ sample, getPage }) => {
    const answer = await supertest(sample.url).get('/robots.txt');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toContain(`Sitemap: ${sample.url}/sitemap.xml`);
    expect(answer.text).not.toMatch(/^Disallow: \/$/m);
    expect((await getPage('/')).headers['x-robots-tag']).toBeUndefined();
  });

  it('robots.txt lists the purposes that the settings refuse, and their crawlers', async ({
    backend,
    startOwnSite,
  }) => {
    const data = { id: 1, attributes: { refuseAiTraining: true } };
    backend.on('/api/settings', (_req, res) => sendJson(res, 200, { data }));
    const own = await startOwnSite();
    const { text } = await sendRequest(own.url, '/robots.txt');
    expect(text).toContain('Content-Signal: search=yes, ai-train=no, ai-input=yes\n');
    expect(text).toMatch(/^User-agent: GPTBot\n(?:User-agent: [\w-]+\n)+Disallow: \/\n/m);
    for (const agent of ['OAI-SearchBot', 'ChatGPT-User']) expect(text).not.toContain(agent);
  });

  it('SITE_INDEXING=off closes robots.txt, and each response says noindex', async ({ getPage }) => {
    const hidden = await startSampleSite({ env: { SITE_INDEXING: 'off' } });
    try {
      expect((await getPage('/robots.txt', hidden.url)).text).toBe('User-agent: *\nDisallow: /\n');
      for (const path of [
        '/',
        '/about',
        '/no-such',
        '/_payload.json',
        '/favicon.svg',
        '/sitemap.xml',
        '/%zz',
      ])
        expect([path, (await getPage(path, hidden.url)).headers['x-robots-tag']]).toEqual([path, 'noindex']);
    } finally {
      await hidden.close();
    }
  });
});

describe('/llms.txt', () => {
  it('llms.txt has the name of the site, the texts of its menu and its categories', async ({
    sample,
    getPage,
  }) => {
    const { headers, text } = await getPage('/llms.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const [title, ...links] = text.split('\n').filter(line => /^# |^- /.test(line));
    expect(title).toBe('# Acme');
    expect(links).toContain(`- [Payouts](${sample.url}/business-solutions/payouts.md)`);
    expect(links).toContain(`- [Blog](${sample.url}/blog)`);
    expect(links).toContain(`- [Guides](${sample.url}/blog/guides)`);
    expect(new Set(links).size).toBe(links.length);
    for (const link of links) {
      const { pathname } = new URL(/\((.*)\)$/.exec(link)?.[1] ?? '');
      expect([pathname, (await getPage(pathname)).status]).toEqual([pathname, 200]);
    }
  });

  it('llms.txt keeps the hash in a link to a part of a page', async ({ backend, startOwnSite }) => {
    const headerLinks = JSON.stringify([{ title: 'Fees', href: '/about#fees' }]);
    const data = { id: 1, attributes: { headerLinks } };
    backend.on('/api/settings', (_req, res) => sendJson(res, 200, { data }));
    const own = await startOwnSite();
    const { text } = await sendRequest(own.url, '/llms.txt');
    expect(text).toContain(`- [Fees](${own.url}/about#fees)`);
  });
});

describe('/sitemap.xml', () => {
  async function locations(running: RunningSite, headers: Record<string, string> = {}): Promise<string[]> {
    const answer = await sendRequest(running.url, '/sitemap.xml', { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/xml/);
    const items = await parseSitemap(Readable.from([answer.body]));
    return items.map(item => item.url);
  }

  it('the sitemap lists each page once, and each answers 200 as its canonical address', async ({
    sample,
    getPage,
  }) => {
    const urls = await locations(sample);
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls).toEqual(expect.arrayContaining(CONTENT_PATHS.map(path => new URL(path, sample.url).href)));
    expect(urls.join()).not.toMatch(/draft-planning/);
    for (const url of urls) {
      const answer = await getPage(url.slice(sample.url.length) || '/');
      expect([url, answer.status]).toEqual([url, 200]);
      const page = parsePage(answer.text);
      expect(new URL(page.canonical ?? 'missing:').href).toBe(new URL(url).href);
      expect([url, page.headings.length]).toEqual([url, 1]);
      expect([url, page.inline]).toEqual([url, []]);
      expect([url, page.robots]).toEqual([url, null]);
    }
  });

  it('the sitemap uses PUBLIC_URL for every allowed host', async () => {
    const configured = await startSampleSite({
      env: { PUBLIC_URL: 'https://www.example.com', ALLOWED_HOSTS: 'other.example' },
    });
    try {
      const urls = await locations(configured, { host: 'other.example' });
      expect(urls.every(url => url.startsWith('https://www.example.com/'))).toBe(true);
      const page = await sendRequest(configured.url, '/about', { headers: { host: 'other.example' } });
      expect(parsePage(page.text).canonical).toBe('https://www.example.com/about');
      expect(page.text).not.toContain('other.example');
      expect(page.headers['strict-transport-security']).toMatch(/^max-age=\d{7,}/);
    } finally {
      await configured.close();
    }
  });

  it('the sitemap is a 503 when the lists cannot be loaded, and never empty', async ({
    backend,
    site,
    getPage,
  }) => {
    backend.on('/api/articles', failing(500));
    const answer = await getPage('/sitemap.xml', site.url);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBeTruthy();
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
  });
});

describe('/blog/feed.xml', () => {
  it('the feed of the blog is RSS, and its links answer 200', async ({ sample, getPage }) => {
    const answer = await getPage('/blog/feed.xml');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/rss\+xml/);
    expect(answer.text).toMatch(/^<\?xml version="1\.0" encoding="utf-8"\?>\s*<rss version="2\.0"/);
    const bare = answer.text.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '');
    expect(bare.match(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/gi)).toBeNull();
    const items = [...answer.text.matchAll(/<item>([\s\S]*?)<\/item>/g)].map(([, item = '']) => item);
    expect(items.length).toBeGreaterThan(10);
    const dates: number[] = [];
    for (const item of items) {
      expect(item).toMatch(/<title>.+<\/title>/);
      const link = /<link>(.+)<\/link>/.exec(item)?.[1] ?? '';
      dates.push(Date.parse(/<pubDate>(.+)<\/pubDate>/.exec(item)?.[1] ?? ''));
      expect([link, (await getPage(link.slice(sample.url.length))).status]).toEqual([link, 200]);
    }
    expect(dates).toEqual(dates.toSorted((a, b) => b - a));
    expect(dates.every(Number.isFinite)).toBe(true);
    expect(
      parsePage((await getPage('/')).text)
        .all('link')
        .map(({ properties }) => properties.href),
    ).toContain('/blog/feed.xml');
  });

  it('the feed of the blog writes hostile titles as text', async ({ site, getPage }) => {
    const answer = await getPage('/blog/feed.xml', site.url);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('<script>');
  });
});

describe('/client-errors', () => {
  const report = {
    where: 'render',
    name: 'TypeError',
    message: 'x is\nnot a function',
    stack: 'at y',
    path: '/about',
  };

  it('a browser’s error report is logged on one line', async ({ startOwnSite }) => {
    const reporting = await startOwnSite();
    expect((await postJson(reporting.url, '/client-errors', report)).status).toBe(204);
    expect(reporting.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        code: 'browser-error',
        clientError: expect.objectContaining({ message: 'x is not a function', path: '/about' }),
      }),
    );
    expect((await postJson(reporting.url, '/client-errors', { where: 'elsewhere' })).status).toBe(400);
    expect(
      (await postJson(reporting.url, '/client-errors', { ...report, stack: 'x'.repeat(9_000) })).status,
    ).toBe(413);
  });

  it('error reports of browsers are limited per minute', async ({ startOwnSite }) => {
    const reporting = await startOwnSite();
    const { url } = reporting;
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => postJson(url, '/client-errors', report)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 204)).toHaveLength(20);
    expect(statuses.filter(status => status === 429)).toHaveLength(20);
  });
});
