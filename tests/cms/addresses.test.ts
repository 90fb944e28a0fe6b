import { describe, expect } from 'vitest';
import type { ContentTypeName } from '../../shared/content/content-types.ts';
import type { AdminEntry } from './support/admin-client.ts';
import { editingTest } from './support/editing-test.ts';

const collection = (type: ContentTypeName) => `/content-manager/collection-types/api::${type}.${type}`;

const it = editingTest
  /** Saves a new entry as the panel's form does. @returns the saved entry. */
  .extend('saveNew', { scope: 'file' }, async ({ admin }) => {
    return async (type: ContentTypeName, fields: Record<string, unknown>): Promise<AdminEntry> => {
      const { data } = (await admin.call('POST', collection(type), fields)) as { data: AdminEntry };
      return data;
    };
  })
  /** Saves an entry again. @returns its address. */
  .extend('slugAfter', { scope: 'file' }, async ({ admin }) => {
    return async (type: ContentTypeName, id: string, fields: Record<string, unknown>): Promise<unknown> => {
      const { data } = (await admin.call('PUT', `${collection(type)}/${id}`, fields)) as { data: AdminEntry };
      return data.slug;
    };
  })
  /** Makes the call of the form's “Regenerate” button, or that of the hint beside the field. */
  .extend('uid', { scope: 'file' }, async ({ admin }) => {
    return async (call: 'generate' | 'check-availability', type: ContentTypeName, more: object) =>
      admin.call('POST', `/content-manager/uid/${call}`, {
        contentTypeUID: `api::${type}.${type}`,
        field: 'slug',
        ...more,
      });
  });

describe('the address of a new entry', () => {
  it('a new entry’s address follows its title until it is published', async ({
    admin,
    saveNew,
    slugAfter,
  }) => {
    const empty = await saveNew('article', { title: null, slug: null });
    expect(empty.slug).toBeNull();
    const { documentId: id } = empty;
    expect(await slugAfter('article', id, { title: 'Fees of 2027', slug: null })).toBe('fees-of-2027');
    expect(await slugAfter('article', id, { title: 'Prices of 2027', slug: 'fees-of-2027' })).toBe(
      'prices-of-2027',
    );
    const [category] = await admin.list('category');
    await admin.publish('article', id, { category: { connect: [{ documentId: category?.documentId }] } });
    expect(await slugAfter('article', id, { title: 'Costs of 2027', slug: 'prices-of-2027' })).toBe(
      'prices-of-2027',
    );
    // Visitors may still know the address of an unpublished entry.
    await admin.call('POST', `${collection('article')}/${id}/actions/unpublish`, {});
    expect(await slugAfter('article', id, { title: 'Rates of 2027' })).toBe('prices-of-2027');
    await admin.publish('article', id, { slug: 'rates-of-2027' });
    expect((await admin.list('article')).find(({ documentId }) => documentId === id)).toMatchObject({
      slug: 'rates-of-2027',
      previousSlugs: 'prices-of-2027',
    });
  });

  it('a new entry’s address stays as the editor typed it', async ({ saveNew, slugAfter }) => {
    const { documentId: id, slug } = await saveNew('page', { title: 'Report', slug: 'report-2026' });
    expect(slug).toBe('report-2026');
    expect(await slugAfter('page', id, { title: 'Annual report', slug: 'report-2026' })).toBe('report-2026');
    expect(await slugAfter('page', id, { slug: '' })).toBe('annual-report');
  });

  it.for([
    ['article', 'title', 'Ein Büro für „Łódź“', 'ein-buro-fur-lodz'],
    ['page', 'title', 'Search', 'search-2'],
    ['business-solution', 'title', 'iPhone & Co.', 'iphone-co'],
    ['commerce', 'title', 'Что нового?', 'chto-novogo'],
    ['category', 'name', 'Archive', 'archive-2'],
    ['category', 'name', 'Guides!', 'guides-2'],
    ['author', 'name', 'Seán O’Neill', 'sean-oneill'],
    ['tag', 'name', 'C++', 'c-plus-plus'],
    ['tag', 'name', `${'very '.repeat(20)}long`, Array(16).fill('very').join('-')],
  ] as const)(
    'a new entry of the type %s with the %s “%s” gets the address %s',
    async ([type, field, title, slug], { saveNew }) => {
      expect((await saveNew(type, { [field]: title, slug: null })).slug).toBe(slug);
    },
  );

  it('a new address transliterates letters by the language of the settings', async ({ admin, saveNew }) => {
    await admin.save('settings', null, { language: 'de-AT' });
    expect((await saveNew('page', { title: 'Über Größe und Ärger' })).slug).toBe('ueber-groesse-und-aerger');
  });

  it('the form’s button makes an address only from a title', async ({ saveNew, uid }) => {
    const { documentId } = await saveNew('article', { title: 'A second office' });
    const generate = (data: object) => uid('generate', 'article', { data });
    expect(await generate({ id: '', title: '' })).toEqual({ data: '' });
    expect(await generate({ id: '', title: 'A second office' })).toEqual({ data: 'a-second-office-2' });
    expect(await generate({ id: documentId, title: 'A second office' })).toEqual({ data: 'a-second-office' });
    const available = (value: string) => uid('check-availability', 'article', { value });
    expect(await available('a-third-office')).toEqual({ isAvailable: true, suggestion: null });
    expect(await available('a-second-office')).toEqual({
      isAvailable: false,
      suggestion: 'a-second-office-2',
    });
    expect(await available('A Third Office')).toEqual({ isAvailable: false, suggestion: 'a-third-office' });
  });

  it('a copied entry gets another address than its original', async ({ admin, saveNew }) => {
    const { documentId } = await saveNew('page', { title: 'Opening hours' });
    const copy = (await admin.call('POST', `${collection('page')}/clone/${documentId}`, {
      title: 'Opening hours',
      slug: 'opening-hours',
    })) as { data: AdminEntry };
    expect(copy.data.slug).toBe('opening-hours-2');
  });
});

describe('an invalid address', () => {
  it.for([
    [
      'article',
      'About Us',
      '“Address” cannot be “About Us”: use small letters from a to z, digits and hyphens, such as “about-us”.',
    ],
    [
      'page',
      'blog',
      '“Address” cannot be “blog”: /blog belongs to the site itself. Take another one, such as “blog-2”.',
    ],
    [
      'category',
      'engineering',
      '“Address” cannot be “engineering”: “Engineering” has it. Take another one, such as “engineering-2”.',
    ],
    [
      'tag',
      '日本',
      '“Address” cannot be “日本”: use small letters from a to z, digits and hyphens, such as “new-office”.',
    ],
  ] as const)(
    'an invalid address is refused with an example: %s “%s”',
    async ([type, slug, sentence], { admin }) => {
      const fields = { title: 'A title', name: 'A name', slug };
      expect(await admin.attempt('POST', collection(type), fields)).toEqual({
        status: 400,
        sentence,
        fields: ['slug'],
      });
    },
  );

  it('an entry whose title gives no address is published only with a typed one', async ({
    admin,
    saveNew,
  }) => {
    const { documentId, slug } = await saveNew('page', { title: '日本語' });
    expect(slug).toBeNull();
    const publish = `${collection('page')}/${documentId}/actions/publish`;
    expect(await admin.attempt('POST', publish, { title: '日本語' })).toEqual({
      status: 400,
      sentence:
        '“Address” is empty, and none can be made of “日本語”. Type one of small letters from a to z, digits and hyphens, such as “new-office”.',
      fields: ['slug'],
    });
  });
});
