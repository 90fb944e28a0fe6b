import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import { EVERYTHING } from '../../server/cache/tags/invalidation-log.ts';
import { ContentReader } from '../../server/content/reading/content-reader.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { type Answers, holdCalls } from '../support/held-calls.ts';
import { runs } from '../support/in-full.ts';
import { type ListRow, listOfRows } from '../support/list-backend.ts';
import { patient } from '../support/patience.ts';
import { payloadPath } from '../support/payload-path.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const env = { CONTENT_TTL_MS: '3600000' };

const categoriesOf = (count: number): ListRow[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: at + 1, documentId: `c${at}`, name: `Category ${at}`, slug: `c-${at}` },
    createdAt: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
  }));

/** An article of a category, with a number. Higher numbers are newer. */
const articleOf = (category: ListRow | undefined, number: number): ListRow => ({
  ...{ id: number + 1, documentId: `a${number}`, title: `Article ${number}`, slug: `a-${number}` },
  ...{ date: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString(), category: category ?? null },
});

/** Makes a blog. `of` has the category number of each article, oldest first. */
function blogOf(categories: number, of: readonly number[]) {
  const rows = categoriesOf(categories);
  const articles = of.map((category, number) => articleOf(rows[category], number));
  const answers: Answers = {
    '/api/categories': listOfRows(() => rows),
    '/api/articles': listOfRows(() => articles),
  };
  return { rows, articles, answers };
}

/** Adds newer articles. `of` has the category number of each. */
function publish({ rows, articles }: ReturnType<typeof blogOf>, of: readonly number[]): void {
  for (const category of of) articles.push(articleOf(rows[category], articles.length));
}

interface IndexPayload {
  data: {
    page: {
      lead: { slug: string };
      sections: { category: { slug: string }; articles: { slug: string }[] }[];
    };
  };
}

interface ArticlePayload {
  data: { page: { newer: { href: string } | null } };
}

async function indexOf(site: RunningSite) {
  const answer = await sendRequest(site.url, '/blog/_payload.json');
  expect(answer.status).toBe(200);
  const { lead, sections } = answer.json<IndexPayload>().data.page;
  return {
    lead: lead?.slug,
    sections: sections.map(({ category, articles }) => [category.slug, ...articles.map(({ slug }) => slug)]),
  };
}

/** @returns the expected index: the newest article, then the three newest others of each category. */
function expectedIndex({ rows, articles }: ReturnType<typeof blogOf>) {
  const newest = articles.toReversed();
  const [lead] = newest;
  const sections = rows.map(row => [
    row.slug,
    ...newest
      .filter(({ category, id }) => category === row && id !== lead?.id)
      .slice(0, 3)
      .map(({ slug }) => slug),
  ]);
  return { lead: lead?.slug, sections: sections.filter(section => section.length > 1) };
}

/** Four articles for each category except the first, which has all newer ones. */
const SHORT = [1, 2, 3, 4, 5].flatMap(category => Array.from({ length: 4 }, () => category));

const shortOf = (call: string) =>
  call.includes('fields[0]=date&')
    ? 'next date'
    : call.includes('fields[0]=publishAt')
      ? 'planned'
      : shortOfList(call);
const shortOfList = (call: string) =>
  /filters\[category\]\[slug\]\[\$(eq\]|in\]\[0\])=[^&]+|filters\[date\]|pageSize\]=30/.exec(call)?.[0] ??
  call.split('?')[0];

/** Reads only the newest articles, without the other lists of the index. */
const readNewest = ({ site: { content } }: RunningSite) =>
  new ContentReader(content, { signal: AbortSignal.timeout(10_000) }).newestArticles();

/** Waits until the site has loaded its start-up content. */
const isQuiet = (site: RunningSite) => eventually(() => expect(site.site.content.cache.loading).toBe(0));

describe('the index of the blog', () => {
  it('the blog index requests the categories alone, without their newest articles', async ({
    backend,
    startOwnSite,
  }) => {
    // The second category has no article among the newest.
    const blog = blogOf(3, [1, 1, ...Array.from({ length: 40 }, (_, number) => (number % 2) * 2)]);
    const { roundTrip } = holdCalls(backend, blog.answers);
    const site = await startOwnSite({ env });
    await isQuiet(site);
    const first = await roundTrip(1, () => indexOf(site));
    expect(first.result).toEqual(expectedIndex(blog));
    expect(first.calls.map(shortOf)).toEqual(['filters[category][slug][$eq]=c-1']);
    site.site.invalidation.invalidate(['articles']);
    const second = await roundTrip(5, () => sendRequest(site.url, '/blog', { headers: AS_BROWSER }));
    expect(second.calls.map(shortOf)).toEqual([
      'planned',
      'filters[category][slug][$eq]=c-1',
      'filters[date]',
      'pageSize]=30',
      'next date',
    ]);
  });

  it('the blog index requests one list for all categories that have too few newest articles', async ({
    backend,
    startOwnSite,
  }) => {
    const blog = blogOf(6, [...SHORT, ...Array.from({ length: 40 }, () => 0)]);
    const { roundTrip } = holdCalls(backend, blog.answers);
    const site = await startOwnSite({ env });
    await isQuiet(site);
    /** Page sizes that were requested. */
    const sizes: string[] = [];
    const visit = async (calls: number) => {
      const visited = await roundTrip(calls, () => indexOf(site));
      expect(visited.result).toEqual(expectedIndex(blog));
      sizes.push(...visited.calls.flatMap(call => /\$in\].*pageSize\]=(\d+)/.exec(call)?.[1] ?? []));
      return visited.calls.map(shortOf);
    };
    expect(await visit(1)).toEqual(['filters[category][slug][$in][0]=c-1']);
    const all = [
      'planned',
      'filters[category][slug][$in][0]=c-1',
      'filters[date]',
      'pageSize]=30',
      'next date',
    ];
    site.site.invalidation.invalidate(['articles']);
    expect(await visit(5)).toEqual(all);
    // Three categories now have newest articles. The list of the other two has fewer than half of its rows,
    // which must not count as a loss.
    publish(blog, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
    site.site.invalidation.invalidate(['articles']);
    await visit(5);
    site.site.invalidation.invalidate(['articles']);
    expect(await visit(5)).toEqual(all.map(call => call.replace('=c-1', '=c-4')));
    // All five categories have too few newest articles again. The list in memory has two of them, so it is
    // read again.
    publish(
      blog,
      Array.from({ length: 40 }, () => 0),
    );
    site.site.invalidation.invalidate(['articles']);
    await readNewest(site);
    site.site.invalidation.invalidate(['articles']);
    expect(await visit(5)).toEqual(all);
    // The size is twice the number that was sufficient before, or the maximum if no number is known.
    expect(sizes).toEqual(['100', '40', '40', '40', '100']);
  });

  it.for([
    ['by the index', ['/blog']],
    ['by the pages of the categories', ['/blog/c-1', '/blog/c-2', '/blog/c-3', '/blog/c-4', '/blog/c-5']],
  ] as const)(
    'the blog index is rendered during an outage from lists that were read %s',
    async ([, visited], { backend, startOwnSite, onTestFinished }) => {
      const dataDir = await mkdtemp(path.join(os.tmpdir(), 'round-trips-'));
      onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
      const blog = blogOf(6, [...SHORT, ...Array.from({ length: 40 }, () => 0)]);
      holdCalls(backend, blog.answers);
      const before = await startOwnSite({ env, dataDir });
      await isQuiet(before);
      const visit = async (address: string) =>
        expect((await sendRequest(before.url, address, { headers: AS_BROWSER })).status).toBe(200);
      for (const address of visited) await visit(address);
      // From here on fewer categories have too few newest articles, and the index is not requested again.
      publish(blog, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
      before.site.invalidation.invalidate(['articles']);
      await readNewest(before);
      await before.close();
      for (const address of ['/api/articles', '/api/categories', '/api/authors', '/api/main-page'])
        backend.on(address, failing(500));
      const after = await startOwnSite({ env: { ...env, PUBLIC_URL: 'https://www.example.com' }, dataDir });
      expect(await indexOf(after)).toEqual(expectedIndex(blog));
    },
  );

  it('the blog index makes one call for each ten of 200 categories, even if one has nearly all articles', async ({
    backend,
    startOwnSite,
  }) => {
    const of = Array.from({ length: 6_000 }, (_, number) => (number % 3 === 0 ? (number / 3) % 200 : 7));
    const blog = blogOf(200, of);
    const { roundTrip } = holdCalls(backend, blog.answers);
    const site = await startOwnSite({ env });
    await isQuiet(site);
    const { result, calls } = await roundTrip(20, () => indexOf(site));
    expect(result).toEqual(expectedIndex(blog));
    expect(calls).toHaveLength(20);
  });

  it('the blog index shows the newest articles of each category, however many each has', {
    timeout: patient(30_000),
  }, async ({ backend, startOwnSite }) => {
    const blogs = fc.integer({ min: 1, max: 24 }).chain(categories =>
      fc
        .array(fc.oneof(fc.nat(categories - 1), fc.nat(Math.min(2, categories - 1))), {
          maxLength: 250,
          size: 'max',
        })
        .map(of => blogOf(categories, of)),
    );
    await fc.assert(
      fc.asyncProperty(blogs, fc.array(fc.nat(), { maxLength: 40 }), async (blog, later) => {
        holdCalls(backend, blog.answers);
        const site = await startOwnSite({ env });
        expect(await indexOf(site)).toEqual(expectedIndex(blog));
        // After these additions other categories may have too few of the newest articles.
        publish(
          blog,
          later.map(category => category % blog.rows.length),
        );
        site.site.invalidation.invalidate(['articles']);
        expect(await indexOf(site)).toEqual(expectedIndex(blog));
      }),
      { numRuns: runs(10) },
    );
  });
});

describe('a page whose content is stale', () => {
  it.for([
    ['/', 4],
    ['/blog', 12],
    ['/blog/guides', 9],
    ['/blog/guides/accepting-cards-in-spain', 11],
    ['/about', 5],
  ] as const)(
    'a page with stale content costs one round trip to the backend: %s',
    async ([path, count], { backend, startOwnSite }) => {
      const { roundTrip } = holdCalls(backend);
      const site = await startOwnSite({ env });
      await isQuiet(site);
      await sendRequest(site.url, path, { headers: AS_BROWSER });
      site.site.invalidation.invalidate([EVERYTHING]);
      const { result, calls } = await roundTrip(count, () => sendRequest(site.url, payloadPath(path)));
      expect(result.status).toBe(200);
      expect(calls).toHaveLength(count);
    },
  );
});

describe('an article that is not on the first page of its category', () => {
  it('neighbours beyond the first list page load in parallel with their article, once the search has read it', async ({
    backend,
    startOwnSite,
  }) => {
    const blog = blogOf(1, Array(30).fill(0));
    // The search reads rows by the time of their last change.
    const rows = blog.articles.map(row => ({
      ...row,
      updatedAt: row.date,
      publishedAt: row.date,
      body: 'A',
    }));
    const none = Object.fromEntries(
      ['business-solutions', 'commerces', 'pages'].map(type => [`/api/${type}`, listOfRows(() => [])]),
    );
    const articles = { '/api/articles': listOfRows(() => rows) };
    const { roundTrip } = holdCalls(backend, { ...blog.answers, ...none, ...articles });
    const site = await startOwnSite({ env: { ...env, CONTENT_SWEEP_MS: '0' } });
    const { search } = site.site;
    search.begin();
    await eventually(async () => expect(await search.articleOf('a-3')).not.toBeNull());
    await eventually(() => expect(search.isReading).toBe(false));
    await isQuiet(site);
    await sendRequest(site.url, '/blog/c-0', { headers: AS_BROWSER });
    const visit = () => sendRequest(site.url, payloadPath('/blog/c-0/a-3'));
    const { result, calls } = await roundTrip(3, visit);
    expect(result.json<ArticlePayload>().data.page.newer).toMatchObject({ href: '/blog/c-0/a-4' });
    expect(calls).toHaveLength(3);
  });
});

describe('a page of a list past the end', () => {
  const PAST_END = '/blog/guides?page=99';

  it('a list page past the end is a 404 without a call once the first page is known', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({ env });
    await sendRequest(site.url, '/blog/guides', { headers: AS_BROWSER });
    backend.calls.length = 0;
    for (const page of [2, 3, 99, 99_999]) {
      const path = `/blog/guides?page=${page}`;
      const { status, text } = await sendRequest(site.url, path, { headers: AS_BROWSER });
      expect(status).toBe(404);
      expect(text).toContain(`Page not found: ${path}`);
    }
    expect(backend.calls).toEqual([]);
  });

  it('a list page past the end also loads the first page, so that the next one needs no call', async ({
    backend,
    startOwnSite,
  }) => {
    const { roundTrip } = holdCalls(backend);
    const site = await startOwnSite({ env });
    await isQuiet(site);
    const visit = (path: string) => () => sendRequest(site.url, path, { headers: AS_BROWSER });
    const first = await roundTrip(2, visit(PAST_END));
    expect(first.result.status).toBe(404);
    expect(first.calls).toHaveLength(2);
    const next = await roundTrip(0, visit('/blog/guides?page=98'));
    expect(next.result.status).toBe(404);
    expect(next.calls).toEqual([]);
  });

  it('a list page past the end exists after an event about a new article', async ({
    backend,
    startOwnSite,
  }) => {
    const blog = blogOf(
      1,
      Array.from({ length: 12 }, () => 0),
    );
    holdCalls(backend, blog.answers);
    const site = await startOwnSite({ env: { ...env, WEBHOOK_SECRET: SECRET } });
    const second = () => sendRequest(site.url, '/blog/c-0?page=2', { headers: AS_BROWSER });
    await sendRequest(site.url, '/blog/c-0', { headers: AS_BROWSER });
    expect((await second()).status).toBe(404);
    const added = articleOf(blog.rows[0], 12);
    blog.articles.push(added);
    await sendWebhook(site.url, SECRET, {
      event: 'entry.publish',
      model: 'article',
      entry: { ...added, publishedAt: added.date },
    });
    await eventually(async () => expect((await second()).status).toBe(200));
  });
});
