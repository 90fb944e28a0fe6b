import { cp } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { backendDirOf } from '../support/backend-dir.ts';
import {
  getPage,
  linesOf,
  pagesOf,
  readinessOf,
  samplesOf,
  statesOf,
  statusesOf,
} from '../support/content-answers.ts';
import {
  emptyAll,
  isStatus,
  emptiedTest as it,
  KNOWN_PAGES,
  noticed,
  pageOf,
  post,
  removeArticles,
  reportRemovals,
  STALE_ENV,
  setArticles,
} from '../support/emptied-test.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { SPAIN } from '../support/invalidation-test.ts';
import { readProcessFile } from '../support/process-files.ts';
import type { RunningSite } from '../support/start-site.ts';

const goneLines = (site: RunningSite) => site.log.filter(({ code }) => code === 'content-emptied-accepted');

const lossLines = (site: RunningSite) => site.log.filter(({ code }) => code === 'content-loss-accepted');

describe('a CMS that answers 200 without rows', () => {
  it('an emptied CMS removes no page, and the last content stays with one error entry', async ({
    cms,
    startKnowing,
  }) => {
    const site = await startKnowing();
    const before = await pagesOf(site, KNOWN_PAGES);
    emptyAll(cms);
    await noticed(site, 'articles', '/blog');
    await noticed(site, 'categories', '/blog/guides');
    for (let round = 0; round < 3; round += 1) expect(await pagesOf(site, KNOWN_PAGES)).toEqual(before);
    expect(await readinessOf(site)).toMatchObject([
      200,
      { status: 'degraded', degraded: [{ reason: 'emptied' }], backend: 'emptied' },
    ]);
    expect(linesOf(site, 'articles')).toMatchObject([
      {
        level: 'error',
        code: 'content-type-emptied',
        reason: 'GET /api/articles: 0 of 40 entries are left, and no event has reported their removal',
        effect: expect.stringContaining('the last content stays on the site and on disk'),
        remedy: expect.stringMatching(/^restore .* POST \/cache\?accept=articles .* after an hour/),
      },
    ]);
    // Three categories alone do not count as a loss. They were emptied with the articles, and are accepted
    // with them.
    expect(linesOf(site, 'categories')).toMatchObject([
      {
        reason: expect.stringContaining("'articles' was emptied as well"),
        remedy: expect.stringMatching(/ POST \/cache\?accept=articles on/),
      },
    ]);
    expect((await samplesOf(site, 'site_content_state'))['{type="articles",state="emptied"}']).toBe(1);
    expect((await samplesOf(site, 'site_content_entries'))['{type="articles"}']).toBe(40);
    // An article that was never loaded may exist, so it is no 404.
    expect((await getPage(site, pageOf(30))).status).toBe(503);
  });

  it('an emptied CMS removes no copy on disk, even after a killed process', async ({
    cms,
    startKnowing,
    dataDir,
  }) => {
    const first = await startKnowing();
    emptyAll(cms);
    await noticed(first, 'articles', '/blog');
    await statusesOf(first, KNOWN_PAGES);
    await first.site.settled();
    // The copy equals the folder of a killed process, because no shutdown has touched it.
    const killed = `${dataDir}-killed`;
    await cp(dataDir, killed, { recursive: true });
    await first.close();
    const totals: unknown = await readProcessFile(path.join(await backendDirOf(killed), 'totals.json'));
    expect(totals).toMatchObject({ articles: { total: 40, hold: { total: 0 } } });
    // Stored pages belong to their PUBLIC_URL. With another one only content is read from disk.
    for (const env of [STALE_ENV, { ...STALE_ENV, PUBLIC_URL: 'https://www.example.com' }]) {
      const next = await startKnowing({ dataDir: killed, env }, []);
      await eventually(async () =>
        expect(await statusesOf(next, KNOWN_PAGES)).toEqual(
          Object.fromEntries(KNOWN_PAGES.map(page => [page, 200])),
        ),
      );
      await noticed(next, 'articles', '/blog');
      expect((await getPage(next, '/blog')).text).toContain('Copy 1');
      await next.close();
    }
  });

  it('an emptied CMS is asked once for the total of a type, however many entries are missing', async ({
    cms,
    startKnowing,
  }) => {
    const pages = [SPAIN, ...Array.from({ length: 12 }, (_, index) => pageOf(index + 1))];
    const site = await startKnowing({}, ['/blog', ...pages]);
    setArticles(cms, 0);
    cms.calls.length = 0;
    await Promise.all(pages.map(page => getPage(site, page)));
    await eventually(async () => expect((await statesOf(site)).articles).toBe('emptied'));
    expect(await statusesOf(site, pages)).toEqual(Object.fromEntries(pages.map(page => [page, 200])));
    const asked = cms.callsTo('/api/articles').filter(({ url }) => /\?fields\[0\]=slug&pagin/.test(url));
    // The call for the next date also returns the total.
    expect(asked.length).toBeLessThanOrEqual(1);
  });

  it('an operator may accept the loss of a type at once, and restore the removed content later', async ({
    cms,
    startKnowing,
  }) => {
    const site = await startKnowing();
    expect((await post(site, 'accept=articles')).status).toBe(409);
    for (const query of ['accept=users', 'accept=', '', 'accept=articles&restore=articles'])
      expect([query, (await post(site, query)).status]).toEqual([query, 400]);
    expect((await post(site, 'accept=articles', 'wrong')).status).toBe(401);
    setArticles(cms, 0);
    await noticed(site, 'articles', '/blog');
    expect((await post(site, 'accept=articles')).json()).toEqual({ accepted: 'articles', held: {} });
    expect(lossLines(site)).toMatchObject([
      { level: 'warn', type: 'articles', entriesBefore: 40, entries: 0, by: 'operator' },
    ]);
    await isStatus(site, SPAIN, 404);
    await isStatus(site, pageOf(1), 404);
    await isStatus(site, '/blog', 200);
    expect(await statesOf(site)).toEqual({});
    expect(
      (await post(site, 'restore=articles')).json<{ restored: number }>().restored,
    ).toBeGreaterThanOrEqual(3);
    await isStatus(site, SPAIN, 200);
    await isStatus(site, pageOf(1), 200);
    await noticed(site, 'articles', '/blog');
    expect((await getPage(site, '/blog')).text).toContain('Copy 1');
    setArticles(cms, 40);
    await eventually(async () => {
      await getPage(site, '/blog');
      expect(await statesOf(site)).toEqual({});
    });
  });

  it('accepting the losses of all large types accepts those of small types too, and all can be restored', async ({
    cms,
    startKnowing,
  }) => {
    const site = await startKnowing();
    emptyAll(cms);
    await noticed(site, 'articles', '/blog');
    await noticed(site, 'categories', '/blog/guides');
    expect(goneLines(site)).toEqual([]);
    for (const type of ['articles', 'commerces', 'business-solutions', 'pages', 'redirects'])
      await post(site, `accept=${type}`);
    await isStatus(site, '/blog/guides', 404);
    expect(goneLines(site)).toContainEqual(
      expect.objectContaining({ type: 'categories', entriesBefore: 3, entries: 0 }),
    );
    for (const type of ['articles', 'categories'])
      expect([type, (await post(site, `restore=${type}`)).status]).toEqual([type, 200]);
    await isStatus(site, '/blog/guides', 200);
    await noticed(site, 'categories', '/blog/guides');
  });

  it('the loss of an emptied CMS is accepted automatically after its waiting time', async ({
    cms,
    startKnowing,
  }) => {
    const site = await startKnowing({ overrides: { lossHoldMs: 300 } });
    setArticles(cms, 0);
    await eventually(async () => {
      await getPage(site, '/blog');
      expect(lossLines(site)).toHaveLength(1);
    });
    await isStatus(site, SPAIN, 404);
    expect(linesOf(site, 'articles')[0]).toMatchObject({ code: 'content-type-emptied' });
    expect(lossLines(site)).toMatchObject([{ type: 'articles', entriesBefore: 40, entries: 0, by: 'time' }]);
  });
});

describe('a loss of more than half', () => {
  it('the absence of more than half of the entries is a loss, and the absence of fewer is an edit', async ({
    cms,
    startKnowing,
  }) => {
    const site = await startKnowing();
    removeArticles(cms, ({ id }) => id > 1_018);
    await noticed(site, 'articles', '/blog');
    expect(linesOf(site, 'articles')).toMatchObject([
      { reason: expect.stringContaining('19 of 40 entries are left') },
    ]);
    setArticles(cms, 20);
    await eventually(async () => {
      await getPage(site, '/blog');
      expect(await statesOf(site)).toEqual({});
    });
  });
});

describe('a single type that is gone', () => {
  it('the loss of a single type can be accepted by an operator, and restored', async ({
    cms,
    startKnowing,
  }) => {
    const site = await startKnowing();
    const before = (await getPage(site, '/')).text;
    cms.on('/api/landing', failing(404, 'NotFoundError'));
    await noticed(site, 'landing', '/');
    expect((await getPage(site, '/')).text).toBe(before);
    expect((await post(site, 'accept=landing')).status).toBe(200);
    await eventually(async () => expect((await getPage(site, '/')).text).not.toBe(before));
    expect(await statesOf(site)).toEqual({ landing: 'empty' });
    expect((await post(site, 'restore=landing')).json()).toEqual({ restored: 1 });
    await eventually(async () => expect((await getPage(site, '/')).text).toBe(before));
    await noticed(site, 'landing', '/');
  });
});

describe('ordinary editing', () => {
  it('six of forty articles unpublished without an event are removed at once', async ({
    cms,
    startKnowing,
  }) => {
    const site = await startKnowing();
    removeArticles(cms, ({ id }) => id > 1_000 && id <= 1_006);
    for (const number of [1, 2, 3]) await isStatus(site, pageOf(number), 404);
    await eventually(async () => expect((await getPage(site, '/blog')).text).not.toContain('Copy 6'));
    expect((await getPage(site, SPAIN)).status).toBe(200);
    expect(await statesOf(site)).toEqual({});
  });

  it('one of five articles, or all of four, may be removed at once', async ({ cms, startKnowing }) => {
    setArticles(cms, 5);
    const site = await startKnowing();
    removeArticles(cms, ({ id }) => id === 1_001);
    await isStatus(site, pageOf(1), 404);
    await eventually(async () => expect((await getPage(site, '/blog')).text).not.toContain('Copy 1'));
    setArticles(cms, 0);
    await isStatus(site, SPAIN, 404);
    await isStatus(site, pageOf(2), 404);
    expect(await statesOf(site)).toEqual({});
    await eventually(async () => {
      await getPage(site, '/blog');
      expect(goneLines(site)).toMatchObject([{ type: 'articles', entriesBefore: 4, entries: 0 }]);
    });
  });

  it('all forty articles reported by events are removed at once', async ({ cms, startKnowing }) => {
    const site = await startKnowing();
    const rows = [...cms.rows('article')];
    setArticles(cms, 0);
    await reportRemovals(site, rows);
    await isStatus(site, SPAIN, 404);
    await isStatus(site, pageOf(1), 404);
    await eventually(async () => {
      expect((await getPage(site, '/blog')).text).not.toContain('Copy 1');
      expect(await statesOf(site)).toEqual({});
    });
    expect(lossLines(site)).toEqual([]);
  });
});
