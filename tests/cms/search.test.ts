import { expect, vi } from 'vitest';
import type { SearchPageData } from '../../shared/payload/search-data.ts';
import { eventually } from '../support/eventually.ts';
import { patient } from '../support/patience.ts';
import { payloadPath } from '../support/payload-path.ts';
import { editingTest as it } from './support/editing-test.ts';

it('the search finds published content, and no hidden content', async ({ admin, site }) => {
  const { search } = site.site;
  const slugs = async (text: string) => {
    const query = { text, type: null, category: null, page: 1, size: 10, hasSnippets: false };
    return (await search.find(query)).hits.map(({ slug }) => slug);
  };
  const finds = (text: string, expected: readonly string[]) =>
    eventually(async () => expect(await slugs(text), text).toEqual(expected));
  search.begin();
  // One entry for each kind of address, and one that only its author's name finds.
  await eventually(async () => {
    for (const [text, slug] of [
      ['reconciling', 'reconciling-payouts'],
      ['payouts', 'payouts'],
      ['marketplaces', 'marketplaces'],
      ['press', 'press'],
      ['lindqvist', 'kazakhstan-corridor-opens'],
    ] as const)
      expect(await slugs(text), text).toContain(slug);
    expect(search.isReading).toBe(false);
  });

  const [page] = (await admin.list('page')).filter(({ slug }) => slug === 'press');
  const id = page?.documentId ?? '';
  await admin.publish('page', id, { title: 'Qazwort' });
  await finds('qazwort', ['press']);
  await admin.save('page', id, { title: 'Wsxdraft' });
  await admin.publish('page', id, { title: 'Edcwort' });
  await finds('edcwort', ['press']);
  expect(await slugs('wsxdraft')).toEqual([]);
  await admin.publish('page', id, { seo: { metaRobots: 'noindex' } });
  await finds('edcwort', []);
  await admin.publish('page', id, { seo: null });
  await finds('edcwort', ['press']);
  await admin.call('POST', `/content-manager/collection-types/api::page.page/${id}/actions/unpublish`, {});
  await finds('edcwort', []);
});

it('the search page shows published and changed content, and nothing removed', async ({
  admin,
  getPage,
  idOf,
  site,
}) => {
  const found = async (words: string) => {
    const answer = await getPage(payloadPath(`/search?q=${encodeURIComponent(words)}`));
    const { data } = answer.json<{ data: { page: SearchPageData } }>();
    return data.page.results.map(({ href }) => href);
  };
  // Searches from one address are limited to 240 a minute.
  const rarely = { interval: 100, timeout: patient(10_000) };
  const finds = (words: string, ...paths: readonly string[]) =>
    vi.waitFor(async () => expect([words, await found(words)]).toEqual([words, paths]), rarely);
  site.site.search.begin();
  await vi.waitFor(
    async () => expect(await found('marketplaces')).toContain('/commerce/marketplaces'),
    rarely,
  );

  const path = '/blog/guides/zwielicht';
  const article = await admin.create('article', {
    title: 'Zwielicht',
    slug: 'zwielicht',
    body: 'With a *quokka* in it.',
    sections: [{ __component: 'site.text-section', body: 'And an **axolotl** below.' }],
    category: { connect: [{ documentId: await idOf('category', 'guides') }] },
    author: { connect: [{ documentId: await idOf('author', 'Priya Raman') }] },
  });
  expect(await found('zwielicht')).toEqual([]);
  await admin.publish('article', article, {});
  await finds('zwielicht', path);
  await finds('quokka', path);
  await finds('axolotl raman', path);
  await admin.publish('article', article, { title: 'Morgenrot', body: 'Nothing else.' });
  await finds('morgenrot', path);
  await finds('quokka');
  await admin.publish('author', await idOf('author', 'Priya Raman'), { name: 'Priya Umlauf' });
  await finds('morgenrot umlauf', path);
  const address = `/content-manager/collection-types/api::article.article/${article}`;
  await admin.call('POST', `${address}/actions/unpublish`, {});
  await finds('morgenrot');
  await admin.publish('article', article, {});
  await finds('morgenrot', path);
  await admin.remove('article', article);
  await finds('morgenrot');

  await admin.publish('page', await idOf('page', 'terms'), { body: 'Ask our **wombat**.' });
  await finds('wombat', '/terms');
});
