import { describe, expect } from 'vitest';
import { getPage, samplesOf, statesOf } from '../support/content-answers.ts';
import {
  addCategories,
  emptyAll,
  isStatus,
  emptiedTest as it,
  noticed,
  pageOf,
  post,
} from '../support/emptied-test.ts';
import { eventually } from '../support/eventually.ts';
import { SPAIN } from '../support/invalidation-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const entriesOf = async (site: RunningSite) => await samplesOf(site, 'site_content_entries');

describe('a CMS that has lost all entries of all types, two of them protected', () => {
  it('an operator accepts the loss of only one type, and the response names the types that are held', async ({
    cms,
    startKnowing,
  }) => {
    addCategories(cms, 3);
    const site = await startKnowing();
    emptyAll(cms);
    await noticed(site, 'articles', '/blog');
    await noticed(site, 'categories', '/blog/guides');
    await noticed(site, 'business-solutions', '/business-solutions/payouts');
    const answer = (await post(site, 'accept=articles')).json();
    expect(answer).toEqual({ accepted: 'articles', held: expect.anything() });
    expect(answer).toMatchObject({
      held: {
        categories: expect.stringContaining('0 of 6 entries are left'),
        'business-solutions': expect.stringContaining("'categories' was emptied as well"),
      },
    });
    expect(answer).not.toHaveProperty('held.articles');

    for (const address of [SPAIN, pageOf(1), pageOf(2)]) await isStatus(site, address, 404);
    await eventually(async () => {
      for (const address of ['/blog', '/blog/guides', '/']) {
        const { status, text } = await getPage(site, address);
        expect([address, status, /Copy \d/.test(text)]).toEqual([address, 200, false]);
      }
    });
    // Articles that nobody has read are known to be gone, too.
    expect((await getPage(site, pageOf(30))).status).toBe(404);
    expect((await getPage(site, '/business-solutions/payouts')).status).toBe(200);
    const states = await statesOf(site);
    expect([states.articles, states.categories]).toEqual([undefined, 'emptied']);
    expect(await entriesOf(site)).toMatchObject({ '{type="articles"}': 0, '{type="categories"}': 6 });
    // The losses of small types are held until that of the other protected type is accepted.
    const small = site.log.filter(({ code }) => code === 'content-emptied-accepted');
    expect(small).toEqual([]);
    expect((await post(site, 'accept=articles')).status).toBe(409);
    const refused = await post(site, 'accept=business-solutions');
    expect([refused.status, refused.json()]).toMatchObject([
      409,
      { remedy: expect.stringContaining('POST /cache?accept=categories') },
    ]);

    expect((await post(site, 'accept=categories')).json()).toEqual({ accepted: 'categories', held: {} });
    await isStatus(site, '/blog/guides', 404);
    await isStatus(site, '/business-solutions/payouts', 404);
    await eventually(async () => expect(await statesOf(site)).toEqual({}));
  });

  it('an operator accepts the loss of most articles, while the loss of the categories is held', async ({
    cms,
    startKnowing,
  }) => {
    addCategories(cms, 3);
    const site = await startKnowing({}, ['/blog', '/blog/guides', SPAIN, pageOf(1), pageOf(2), pageOf(20)]);
    const articles = cms.rows('article').slice(0, 3);
    emptyAll(cms);
    cms.rows('article').push(...articles);
    await noticed(site, 'articles', '/blog');
    await noticed(site, 'categories', '/blog/guides');
    expect((await post(site, 'accept=articles')).status).toBe(200);
    await isStatus(site, pageOf(20), 404);
    for (const address of [SPAIN, pageOf(1), pageOf(2)]) await isStatus(site, address, 200);
    expect(await statesOf(site)).toMatchObject({ categories: 'emptied' });
    expect(await statesOf(site)).not.toHaveProperty('articles');
  });

  it('an accepted loss is undone for one type, while all others are held', async ({ cms, startKnowing }) => {
    addCategories(cms, 3);
    const site = await startKnowing();
    emptyAll(cms);
    await noticed(site, 'articles', '/blog');
    await noticed(site, 'categories', '/blog/guides');
    await post(site, 'accept=articles');
    await isStatus(site, SPAIN, 404);
    await isStatus(site, pageOf(1), 404);
    expect((await post(site, 'restore=categories')).status).toBe(409);
    expect((await post(site, 'restore=articles')).status).toBe(200);
    for (const address of [SPAIN, pageOf(1)]) await isStatus(site, address, 200);
    await noticed(site, 'articles', '/blog');
    expect((await getPage(site, '/blog')).text).toContain('Copy 1');
    expect(await entriesOf(site)).toMatchObject({ '{type="articles"}': 40, '{type="categories"}': 6 });
  });
});
