import { expect, it, onTestFinished } from 'vitest';
import { currentAnswer } from '../support/current-answer.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { type CmsRow, startGeneratedCms } from '../support/generated-cms.ts';
import { startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';

/** Starts a site whose content outlasts the test. */
async function startStage() {
  const articles = [0, 0, 1].map(category => ({ category, author: 0, cover: 2, date: 0 }));
  const cms = await startGeneratedCms({ articles, isDated: true });
  onTestFinished(() => cms.close());
  const site = await startSite({
    contentBaseUrl: cms.backend.url,
    env: { WEBHOOK_SECRET: SECRET, CONTENT_TTL_MS: '3600000' },
  });
  onTestFinished(() => site.close());
  return {
    cms,
    site,
    /** @returns the keys of the fresh stored pages. */
    fresh: () => [...site.site.pages.entries()].filter(({ isFresh }) => isFresh).map(({ key }) => key),
    send: (event: object) => sendWebhook(site.url, SECRET, event),
    /** @returns the articles that a page lists, in order. */
    async listed(address: string): Promise<string[]> {
      const { text } = await currentAnswer(site.url, address);
      return [...new Set(text.match(/article-\d+(?=")/g))];
    },
  };
}

it('two articles with one date swap places when one is published again, because its row id is new', async () => {
  const { cms, send, listed } = await startStage();
  // The site has loaded the article, so it sees that no field has changed.
  await listed('/blog/guides/article-0');
  expect(await listed('/blog/guides')).toEqual(['article-1', 'article-0']);
  await send(cms.publish('article', cms.rows('article')[0] as CmsRow));
  expect(await listed('/blog/guides')).toEqual(['article-0', 'article-1']);
});

it('a category that takes the former slug of an empty category shows its own articles', async () => {
  const { cms, send, listed } = await startStage();
  const [, news, cases] = cms.rows('category') as CmsRow[];
  if (!news || !cases) return expect.fail('there are no categories');
  expect(await listed('/blog/cases')).toEqual([]);
  await send(cms.withdraw('category', cases, 'entry.delete'));
  await send(cms.publish('category', news, { slug: 'cases' }));
  expect(await listed('/blog/cases')).toEqual(['article-2']);
});

it('an event changes the section of its category on the blog index, and no other section', async () => {
  const { cms, site, send, listed, fresh } = await startStage();
  for (let number = 4; number <= 12; number += 1)
    cms.add('category', { name: `Category ${number}`, slug: `category-${number}` });
  const last = cms.rows('category').at(-1);
  const add = (number: number, day: string) =>
    cms.add('article', {
      ...{ title: `Article ${number}`, slug: `article-${number}`, category: last, author: null, cover: null },
      date: `2020-05-${day}`,
    });
  // All articles of the first category are newer than those of the last. The first articles of the last
  // category are therefore only in a group list.
  for (let number = 20; number < 60; number += 1)
    cms.add('article', {
      ...{ title: `Article ${number}`, slug: `article-${number}`, category: cms.rows('category')[0] },
      ...{ author: null, cover: null, date: '2026-06-01' },
    });
  for (let number = 3; number < 8; number += 1) add(number, `0${number}`);
  await send({ event: 'entry.update', model: 'category', entry: { ...last, publishedAt: '2026-01-01' } });
  const shown = await listed('/blog');
  expect(shown.slice(-3)).toEqual(['article-7', 'article-6', 'article-5']);
  const stored = fresh();
  expect(stored).toHaveLength(1);
  await send(
    cms.publish('article', articleNamed(cms.rows('article'), 'article-3'), { title: 'Another title' }),
  );
  expect(fresh()).toEqual(stored);
  await send(add(8, '08'));
  expect((await listed('/blog')).slice(-3)).toEqual(['article-8', 'article-7', 'article-6']);
  await send(
    cms.publish('article', articleNamed(cms.rows('article'), 'article-7'), { title: 'A new title' }),
  );
  expect((await currentAnswer(site.url, '/blog')).text).toContain('A new title');
});

function articleNamed(rows: readonly CmsRow[], slug: string): CmsRow {
  const row = rows.find(article => article.slug === slug);
  if (!row) throw new Error(`There is no article '${slug}'`);
  return row;
}
