import { describe, expect } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { checkLinks } from '../../server/doctor/check-site.ts';
import type { Report } from '../../server/doctor/examine.ts';
import { article } from '../support/cms-files.ts';
import { cmsTest, PREVIEW_TOKEN } from '../support/cms-test.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { editor, PREVIEW_ENV } from '../support/preview-test.ts';
import { sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const WEBHOOK_SECRET = 'a-secret-of-the-webhook';
const ORIGIN = 'https://www.example.org';

const LINKS = `
[here](/blog/guides/second) [nowhere](/blog/guides/never) [twice](/blog/guides/never) [old](/old) [gone](/gone)
[draft](/blog/guides/draft) [ended](/blog/guides/ended) [later](/blog/guides/later) [own](${ORIGIN}/nothing) [other](https://other.example/x)
[file](/uploads/icon.svg) [map](/sitemap.xml) [part](#head) [query](/search?q=fees) [case](/Blog/guides/second)`;

interface Site extends RunningSite {
  /** Checks all links and returns the problems, as `kind type field: reason`. */
  problems(): Promise<string[]>;
}

const it = cmsTest.extend('start', async ({ cms }, { onCleanup }) => {
  const sites: RunningSite[] = [];
  onCleanup(async () => {
    await Promise.all(sites.map(site => site.close()));
  });
  await cms.write('landing.json', JSON.stringify({ title: 'Landing' }));
  await cms.write('redirects.json', '[]');
  return async (env: Record<string, string> = {}): Promise<Site> => {
    await cms.restart();
    const site = await startSite({
      contentBaseUrl: cms.url,
      env: { PUBLIC_URL: ORIGIN, WEBHOOK_SECRET, OPS_TOKEN: 'a-token-of-the-operators', ...env },
    });
    sites.push(site);
    const problems = async () => {
      await site.site.links.check();
      const found = site.site.problems.newest(100).filter(({ kind }) => kind.startsWith('link-'));
      return found.map(({ kind, type, field, reason }) => `${kind} ${type} ${field}: ${reason}`).sort();
    };
    return { ...site, problems };
  };
});

const LATER = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);

describe('the link check', () => {
  it('the link check names the field of each link without a page, and why', async ({ cms, start }) => {
    await cms.write('articles/links.md', article('title: Links\ncategory: guides', LINKS));
    await cms.write('articles/later.md', article(`title: Later\ncategory: guides\ndate: ${LATER}`));
    await cms.write('articles/ended.md', article('title: Ended\ncategory: guides\nunpublishAt: 2020-01-02'));
    await cms.write(
      'redirects.json',
      JSON.stringify([
        { from: '/old', to: '/about', statusCode: 301 },
        { from: '/gone', to: '', statusCode: 410 },
        { from: '/from', to: '/lost', statusCode: 302 },
      ]),
    );
    await cms.write(
      'settings.json',
      JSON.stringify({
        siteName: 'Test',
        headerLinks: [
          { title: 'A', href: '/about' },
          { title: 'Lost', href: '/lost' },
        ],
      }),
    );
    await cms.write(
      'pages/terms.md',
      article('title: Terms\nquestions:\n  - question: Who?\n    answer: "[Us](/us)"'),
    );
    const site = await start({ PREVIEW_SECRET: 'a-secret-of-the-previews-with-32-letters', PREVIEW_TOKEN });
    expect(await site.problems()).toEqual([
      "link-dead articles body: the link to '/blog/guides/draft': /blog/guides/draft is a draft",
      "link-dead articles body: the link to '/blog/guides/ended': /blog/guides/ended is no longer shown since 2020-01-02",
      `link-dead articles body: the link to '/blog/guides/later': /blog/guides/later is not shown before ${LATER}`,
      "link-dead articles body: the link to '/blog/guides/never': there is no page at /blog/guides/never (404)",
      "link-dead articles body: the link to '/gone': the redirects say that /gone is gone (410)",
      `link-dead articles body: the link to '${ORIGIN}/nothing': there is no page at /nothing (404)`,
      "link-dead pages questions[0].answer: the link to '/us': there is no page at /us (404)",
      "link-dead redirects to: the link to '/lost': there is no page at /lost (404)",
      "link-dead settings headerLinks[1].href: the link to '/lost': there is no page at /lost (404)",
      "link-moved articles body: the link to '/Blog/guides/second': /Blog/guides/second leads to /blog/guides/second by a redirect (308): link to /blog/guides/second",
      "link-moved articles body: the link to '/old': /old leads to /about by a redirect (301): link to /about",
    ]);
  });

  it('the link check reports a dead link in log, doctor and ops page', async ({ cms, start }) => {
    await cms.write(
      'articles/links.md',
      article('title: Links\ncategory: guides', '[nowhere](/blog/guides/never)'),
    );
    const site = await start();
    await site.problems();
    await site.problems();
    expect(site.log.filter(({ code }) => code === 'content-link-dead')).toMatchObject([
      {
        level: 'warn',
        type: 'articles',
        field: 'body',
        reason: expect.stringContaining('/blog/guides/never'),
      },
    ]);
    await site.site.doctor.examine();
    const { findings } = (await sendRequest(site.opsUrl, '/doctor')).json<Report>();
    expect(findings.find(({ code }) => code === 'link-dead')).toMatchObject({
      severity: 'warning',
      about: 'articles',
      what: expect.stringContaining("“Article” (/api/articles), body: the link to '/blog/guides/never'"),
      remedy: 'Strapi: Content Manager → Article → the entry → body',
    });
    expect((await sendRequest(site.opsUrl, '/')).body.toString()).toContain('link-dead, articles');
    // The command asks the running site.
    const command = readConfig({ CONTENT_BASE_URL: cms.url, OPS_PORT: new URL(site.opsUrl).port });
    expect((await checkLinks(command)).map(({ code }) => code)).toEqual(['link-dead']);
  });

  it('the link check follows renames, removals and repairs by their events', async ({ cms, start }) => {
    await cms.write(
      'articles/links.md',
      article('title: Links\ncategory: guides', '[a](/blog/guides/second)'),
    );
    const site = await start();
    expect(await site.problems()).toEqual([]);
    const [{ documentId: id } = {}] = (await cms.get('/api/articles?filters[slug][$eq]=second')).data;
    const tell = (event: string, entry: object) =>
      sendWebhook(site.url, WEBHOOK_SECRET, { event, model: 'article', entry });
    const dead = () => site.log.filter(({ code }) => code === 'content-link-dead');

    await cms.write('articles/second.md', article('title: Second\nslug: 2nd\ncategory: guides'));
    await tell('entry.update', { documentId: id, slug: '2nd' });
    await eventually(() => expect(dead()).toHaveLength(1));

    await cms.write('articles/links.md', article('title: Links\ncategory: guides', '[a](/blog/guides/2nd)'));
    const [{ documentId: linking } = {}] = (await cms.get('/api/articles?filters[slug][$eq]=links')).data;
    await tell('entry.update', { documentId: linking, slug: 'links' });
    const links = () => site.site.problems.newest(100).filter(({ kind }) => kind.startsWith('link-'));
    await eventually(() => expect(links()).toEqual([]));
    expect(site.site.links.linkingTo('articles', String(id)).map(({ title }) => title)).toEqual(['Links']);

    await cms.write('articles/second.md', article('title: Second\nslug: 2nd\ncategory: guides\ndraft: true'));
    await tell('entry.unpublish', { documentId: id, slug: '2nd' });
    await eventually(() => expect(dead()).toHaveLength(2));
  });

  it('an entry’s preview shows which pages link to it, and which of its links are dead', async ({
    cms,
    start,
  }) => {
    await cms.write(
      'articles/links.md',
      article('title: <Links>\ncategory: guides', '[a](/blog/guides/second)'),
    );
    await cms.write('articles/second.md', article('title: Second\ncategory: guides', '[b](/never)'));
    const site = await start({ ...PREVIEW_ENV, PUBLIC_URL: 'any' });
    await site.problems();
    const headers = { ...editor(), accept: 'text/html' };
    const page = (await sendRequest(site.url, '/blog/guides/second', { headers })).body.toString();
    expect(page).toContain('<summary>Dead links: 1, Linked from: 1</summary>');
    expect(page).toContain('<a href="/blog/guides/links" data-full-load="">&lt;Links&gt;</a>');
    expect(page).toContain('there is no page at /never (404)');
    const visited = (await sendRequest(site.url, '/blog/guides/second')).body.toString();
    expect(visited).not.toContain('preview-links');
  });
});
