import { describe, expect } from 'vitest';
import { article } from '../support/cms-files.ts';
import { cmsTest } from '../support/cms-test.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const PROBLEMS_TOKEN = 'a-token-of-the-panel';
const WEBHOOK_SECRET = 'a-secret-of-the-webhook';

const it = cmsTest.extend('site', async ({ cms }, { onCleanup }): Promise<RunningSite> => {
  await cms.write(
    'articles/links.md',
    article('title: Links\ncategory: guides', '[a](/never) [b](/blog/guides/second) [c](/unused)'),
  );
  await cms.write(
    'redirects.json',
    JSON.stringify([
      { from: '/before', to: '/moved/on', statusCode: 307 },
      { from: '/moved/**', to: '/blog', statusCode: 308 },
      { from: '/unused', to: '/blog', statusCode: 308 },
    ]),
  );
  await cms.restart();
  const env = { PROBLEMS_TOKEN, WEBHOOK_SECRET, PUBLIC_URL: 'https://www.example.org' };
  const site = await startSite({ contentBaseUrl: cms.url, env });
  onCleanup(() => site.close());
  return site;
});

const ask = (site: RunningSite, query = '', token = PROBLEMS_TOKEN) =>
  sendRequest(site.url, `/api/problems${query}`, {
    headers: { authorization: `Bearer ${token}`, host: 'site.internal:3000' },
  });

describe('/api/problems', () => {
  it('/api/problems lists the problems of content and doctor, each once, and the last event', async ({
    cms,
    site,
  }) => {
    await site.site.links.check();
    await site.site.doctor.examine();
    const [{ documentId: id } = {}] = (await cms.get('/api/articles?filters[slug][$eq]=links')).data;
    await sendWebhook(site.url, WEBHOOK_SECRET, {
      event: 'entry.update',
      model: 'article',
      entry: { documentId: id },
    });
    const answer = await ask(site);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { problems, count, lastEventAt } = answer.json<{
      problems: { code: string; what: string }[];
      count: number;
      lastEventAt: string;
    }>();
    expect(problems.filter(({ what }) => what.includes('/never'))).toEqual([
      {
        ...{
          code: 'content-link-dead',
          severity: 'warning',
          model: 'article',
          isSingle: false,
          id,
          title: 'Links',
        },
        ...{ field: 'body', remedy: null, what: "the link to '/never': there is no page at /never (404)" },
      },
    ]);
    expect(problems.map(({ code }) => code)).toContain('category-absent');
    expect(count).toBeGreaterThan(2);
    expect(Date.parse(lastEventAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('/api/problems for an entry lists the pages that link to it', async ({ cms, site }) => {
    await site.site.links.check();
    const [{ documentId: id } = {}] = (await cms.get('/api/articles?filters[slug][$eq]=second')).data;
    expect((await ask(site, `?model=article&id=${id}`)).json()).toMatchObject({
      problems: [],
      linkedFrom: [{ model: 'article', title: 'Links', path: '/blog/guides/links' }],
    });
  });

  it('/api/problems counts the uses of each redirect, without those of the link check', async ({
    cms,
    site,
  }) => {
    const visit = (path: string) => sendRequest(site.url, path, { headers: AS_BROWSER });
    await eventually(async () => expect((await visit('/before')).headers.location).toBe('/blog'));
    const idOf = async (from: string) => {
      const { data } = await cms.get(`/api/redirects?filters[from][$eq]=${encodeURIComponent(from)}`);
      return String(data[0]?.documentId);
    };
    const [chain, wildcard] = [await idOf('/before'), await idOf('/moved/**')];
    const uses = async () => (await ask(site)).json<{ redirectUses: Record<string, number> }>().redirectUses;
    const before = await uses();
    await site.site.links.check();
    expect(await uses()).toEqual(before);
    await visit('/before');
    await visit('/moved/a-name@example.com?q=1');
    await visit('/blog');
    const after = await uses();
    expect(after[chain]).toBe((before[chain] ?? 0) + 1);
    expect(after[wildcard]).toBe((before[wildcard] ?? 0) + 2);
    expect(Object.keys(after).toSorted()).toEqual([chain, wildcard].toSorted());
  });

  it('/api/problems requires the token', async ({ site }) => {
    expect((await sendRequest(site.url, '/api/problems')).status).toBe(401);
    for (let guess = 0; guess < 10; guess += 1) expect((await ask(site, '', `${guess}`)).status).toBe(401);
    expect((await ask(site, '', 'x')).status).toBe(429);
    expect((await ask(site)).status).toBe(200);
  });
});
