import { expect, it, onTestFinished } from 'vitest';
import { currentAnswer } from '../support/current-answer.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { type CmsRow, startGeneratedCms } from '../support/generated-cms.ts';
import { startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';

/** Starts a site whose content stays fresh for longer than the test takes. */
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
    send: (event: object) => sendWebhook(site.url, SECRET, event),
    /** The articles that a page lists, in their order. */
    async listed(address: string): Promise<string[]> {
      const { text } = await currentAnswer(site.url, address);
      return [...new Set(text.match(/article-\d+(?=")/g))];
    },
  };
}

it('articles of one date change places when one is published without a change, because its row id is new', async () => {
  const { cms, send, listed } = await startStage();
  // The site knows the article, and that its fields are as before.
  await listed('/blog/guides/article-0');
  expect(await listed('/blog/guides')).toEqual(['article-1', 'article-0']);
  await send(cms.publish('article', cms.rows('article')[0] as CmsRow));
  expect(await listed('/blog/guides')).toEqual(['article-0', 'article-1']);
});

it('a category that takes the former slug of an empty one shows its own articles', async () => {
  const { cms, send, listed } = await startStage();
  const [, news, cases] = cms.rows('category') as CmsRow[];
  if (!news || !cases) return expect.fail('there are no categories');
  expect(await listed('/blog/cases')).toEqual([]);
  await send(cms.withdraw('category', cases, 'entry.delete'));
  await send(cms.publish('category', news, { slug: 'cases' }));
  expect(await listed('/blog/cases')).toEqual(['article-2']);
});
