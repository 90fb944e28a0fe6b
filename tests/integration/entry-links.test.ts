import { describe, expect } from 'vitest';
import { FRESH_HIT } from '../support/cache-status.ts';
import { article } from '../support/cms-files.ts';
import { type Cms, cmsTest, PREVIEW_TOKEN } from '../support/cms-test.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { editor, PREVIEW_ENV } from '../support/preview-test.ts';
import { sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const WEBHOOK_SECRET = 'a-secret-of-the-webhook';
/** Where the link is: an article, which is also in feeds, and a page, which shows no other entry. */
const ARTICLE = '/blog/guides/links';
const PAGE = '/links';

const it = cmsTest.extend('start', async ({ cms }, { onCleanup }) => {
  const sites: RunningSite[] = [];
  onCleanup(async () => {
    await Promise.all(sites.map(site => site.close()));
  });
  return async (env: Record<string, string> = {}): Promise<RunningSite> => {
    await cms.restart();
    const site = await startSite({ contentBaseUrl: cms.url, env: { WEBHOOK_SECRET, ...env } });
    sites.push(site);
    return site;
  };
});

const textAt = async (site: RunningSite, path: string) => (await sendRequest(site.url, path)).text;

const AS_EDITOR = { authorization: `Bearer ${PREVIEW_TOKEN}` };

/** Waits until the backend has an entry with this slug. @returns its id. */
const idOf = (cms: Cms, path: string, slug: string, isDraft = false): Promise<unknown> =>
  eventually(async () => {
    const query = `filters[slug][$eq]=${slug}${isDraft ? '&status=draft' : ''}`;
    const { data } = await cms.get(`/api/${path}?${query}`, AS_EDITOR);
    expect(data).toHaveLength(1);
    return data[0]?.documentId;
  });

/** Sends the site an event about an entry, as Strapi does. */
const tell = (site: RunningSite, event: string, model: string, documentId: unknown, slug: string) =>
  sendWebhook(site.url, WEBHOOK_SECRET, { event: `entry.${event}`, model, entry: { documentId, slug } });

describe('a link to an entry', () => {
  it('an entry link points to the page of each type, in all formats of the text', async ({ cms, start }) => {
    const names = ['articles:second', 'pages:about', 'commerces:shops', 'categories:news', 'authors:jane'];
    const text = names.map(name => `[to ${name.replace(':', ' ')}](entry:${name})`).join(' ');
    await cms.write(
      'articles/links.md',
      article('title: Links\ncategory: guides', `${text}\n\n<p><a href="entry:articles:first">HTML</a></p>`),
    );
    const site = await start({ PUBLIC_URL: 'https://www.example.org' });
    const page = await textAt(site, ARTICLE);
    const paths = ['/blog/guides/second', '/about', '/commerce/shops', '/blog/news', '/blog/authors/jane'];
    for (const path of [...paths, '/blog/guides/first']) expect(page).toContain(`href="${path}"`);
    for (const address of [
      ARTICLE,
      `${ARTICLE}/_payload.json`,
      `${ARTICLE}.md`,
      '/blog/feed.xml',
      '/search?q=links',
    ]) {
      const shown = await textAt(site, address);
      expect(shown, address).not.toContain('entry:');
      if (!address.startsWith('/search')) expect(shown, address).toContain('/blog/guides/second');
    }
  });

  it('a link follows new addresses of its entry and category, and pages without such a link stay fresh', async ({
    cms,
    start,
  }) => {
    await cms.write('pages/links.md', article('title: Links', '[Read](entry:articles:second)'));
    const site = await start();
    expect(await textAt(site, PAGE)).toContain('href="/blog/guides/second"');
    await textAt(site, '/about');

    await cms.write('articles/second.md', article('title: Second\nslug: 2nd\ncategory: guides'));
    const id = await idOf(cms, 'articles', '2nd');
    await tell(site, 'update', 'article', id, '2nd');
    await eventually(async () => expect(await textAt(site, PAGE)).toContain('href="/blog/guides/2nd"'));
    expect((await sendRequest(site.url, '/about')).headers['cache-status']).toMatch(FRESH_HIT);

    await cms.write('articles/second.md', article('title: Second\nslug: two\ncategory: news'));
    await idOf(cms, 'articles', 'two');
    await tell(site, 'update', 'article', id, 'two');
    await eventually(async () => expect(await textAt(site, PAGE)).toContain('href="/blog/news/two"'));

    await cms.write('categories/news.md', article('order: 2\nname: News\nslug: latest', 'What has changed.'));
    await tell(site, 'update', 'category', await idOf(cms, 'categories', 'latest'), 'latest');
    await eventually(async () => expect(await textAt(site, PAGE)).toContain('href="/blog/latest/two"'));
  });

  it('a link becomes plain words while its entry is a draft or gone, and editors get a problem line', async ({
    cms,
    start,
  }) => {
    await cms.write(
      'pages/links.md',
      article('title: Links', '[the draft](entry:articles:draft) and [nothing](entry:articles:never)'),
    );
    const site = await start({ ...PREVIEW_ENV, PUBLIC_URL: 'any', PREVIEW_TOKEN });
    const words = 'the draft</span> and <span>nothing';
    expect(await textAt(site, PAGE)).toContain(words);
    await site.site.links.check();
    const dead = () =>
      site.site.problems.newest(100).flatMap(({ kind, type, field, reason }) => {
        return kind === 'link-dead' && type === 'pages' ? `${field}: ${reason}` : [];
      });
    const line = /^body: the link to 'entry:articles:\w{24}': the entry is a draft, or gone/;
    expect(dead()).toEqual([expect.stringMatching(line), expect.stringMatching(line)]);
    // A preview shows drafts, so the link leads there.
    const preview = await sendRequest(site.url, PAGE, { headers: { ...editor(), accept: 'text/html' } });
    expect(preview.text).toContain('href="/blog/guides/draft"');

    await cms.write('articles/draft.md', article('title: Draft\ncategory: guides'));
    const id = await idOf(cms, 'articles', 'draft');
    await tell(site, 'publish', 'article', id, 'draft');
    await eventually(async () => expect(await textAt(site, PAGE)).toContain('href="/blog/guides/draft"'));
    await eventually(() => expect(dead()).toHaveLength(1));
    const linking = site.site.links.linkingTo('articles', String(id));
    expect(linking.map(({ title }) => title)).toEqual(['Links']);

    await cms.write('articles/draft.md', article('title: Draft\nslug: again\ncategory: guides\ndraft: true'));
    await idOf(cms, 'articles', 'again', true);
    await tell(site, 'unpublish', 'article', id, 'draft');
    await eventually(async () => expect(await textAt(site, PAGE)).toContain(words));
  });

  it('a link of the settings is plain words on error pages, which are made without a call', async ({
    cms,
    start,
  }) => {
    const subscribeConsent = 'I agree to [the terms](entry:pages:about).';
    await cms.write('settings.json', JSON.stringify({ siteName: 'Test', subscribeConsent }));
    const site = await start();
    expect(await textAt(site, '/about')).toContain('<a href="/about">the terms</a>');
    const missing = await textAt(site, '/missing');
    expect(missing).toContain('the terms');
    expect(missing).not.toContain('entry:');
  });
});
