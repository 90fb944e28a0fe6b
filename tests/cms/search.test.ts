import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { cmsTest as it } from './support/cms-test.ts';

it('the search finds what editors have published, and nothing that they hide', async ({ admin, site }) => {
  const { search } = site.site;
  const slugs = async (text: string) => {
    const query = { text, type: null, category: null, page: 1, size: 10, hasSnippets: false };
    return (await search.find(query)).hits.map(({ slug }) => slug);
  };
  const finds = (text: string, expected: readonly string[]) =>
    eventually(async () => expect(await slugs(text), text).toEqual(expected));
  search.begin();
  // A type for each way to an address, and the name of an author.
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
