import { describe, expect } from 'vitest';
import { picture } from '../support/image-test.ts';
import { editingTest } from './support/editing-test.ts';

const collection = (type: string) => `/content-manager/collection-types/api::${type}.${type}`;
const CASES = ['A language school', 'Ceramics', 'Payday'];

const it = editingTest
  .extend('articlesOf', { scope: 'file' }, async ({ admin }) => {
    return async (slug: string) =>
      (await admin.list('article')).filter(({ category }) => (category as { slug?: string })?.slug === slug);
  })
  /** Uploads a picture to the media library. @returns its id and address. */
  .extend('upload', { scope: 'file' }, async ({ admin }) => {
    return async (name: string): Promise<{ id: number; url: string }> => {
      const form = new FormData();
      const bytes = Uint8Array.from(await picture(40, 30));
      form.append('files', new Blob([bytes], { type: 'image/png' }), name);
      form.append('fileInfo', JSON.stringify({ name }));
      const [file] = [await admin.send('POST', '/upload', form)].flat() as { id: number; url: string }[];
      if (!file) throw new Error('Nothing was uploaded');
      return file;
    };
  });

describe('a category with articles', () => {
  it('a category with articles cannot be deleted, and the refusal lists the articles', async ({
    admin,
    articlesOf,
    idOf,
  }) => {
    const [cases, empty] = [
      await idOf('category', 'cases'),
      await admin.create('category', { name: 'Empty' }),
    ];
    const titles = (await articlesOf('cases')).map(({ title }) => `“${title}”`).sort();
    expect(titles).toHaveLength(CASES.length);
    const refused = {
      status: 400,
      sentence: `3 articles are in this category: move them first. Their addresses begin with that of the category. ${titles.join(', ')}.`,
      fields: ['name'],
    };
    expect(await admin.attempt('DELETE', `${collection('category')}/${cases}`)).toEqual(refused);
    const several = { documentIds: [empty, cases] };
    expect(await admin.attempt('POST', `${collection('category')}/actions/bulkDelete`, several)).toEqual(
      refused,
    );
    const names = (await admin.list('category')).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Empty', 'Cases']));
  });

  it('a category can be deleted after its articles were moved and published', async ({
    admin,
    articlesOf,
    idOf,
  }) => {
    const [category, other] = [await idOf('category', 'cases'), await idOf('category', 'guides')];
    const [first, second, third] = await articlesOf('cases');
    await admin.remove('article', first?.documentId ?? '');
    const moved = { category: { connect: [{ documentId: other }] } };
    await admin.publish('article', second?.documentId ?? '', moved);
    await admin.save('article', third?.documentId ?? '', moved);
    expect(await admin.attempt('DELETE', `${collection('category')}/${category}`)).toMatchObject({
      status: 400,
      sentence: `1 article is in this category: move it first. Its address begins with that of the category. “${third?.title}”. Moved, but not published since: “${third?.title}”.`,
    });
    await admin.publish('article', third?.documentId ?? '', {});
    await admin.remove('category', category);
    expect((await admin.list('category')).map(({ slug }) => slug)).not.toContain('cases');
  });
});

describe('an article without a category', () => {
  const sentence =
    'The article has no category, and its address begins with that of a category. Choose one, and save the article.';

  it('an article without a category is saved as a draft, and cannot be published, not even in bulk', async ({
    admin,
    idOf,
  }) => {
    const id = await admin.create('article', { title: 'Nowhere' });
    const refused = { status: 400, sentence, fields: ['category'] };
    const publish = `${collection('article')}/${id}/actions/publish`;
    expect(await admin.attempt('POST', publish, { title: 'Nowhere yet' })).toEqual(refused);
    const other = await idOf('article', 'verifying-a-webhook');
    await admin.save('article', other, { h1: 'Draft of a heading' });
    const all = { documentIds: [other, id] };
    expect(await admin.attempt('POST', `${collection('article')}/actions/bulkPublish`, all)).toEqual(refused);
    const [saved] = (await admin.list('article')).filter(({ documentId }) => documentId === id);
    expect(saved).toMatchObject({ title: 'Nowhere', status: 'draft' });

    await admin.publish('article', id, {
      category: { connect: [{ documentId: await idOf('category', 'news') }] },
    });
    const disconnected = { category: { disconnect: [{ documentId: await idOf('category', 'news') }] } };
    expect(await admin.attempt('POST', publish, disconnected)).toEqual(refused);
  });
});

describe('a file of the media library in use', () => {
  it('a library file in use cannot be deleted, and the refusal lists where it is used', async ({
    admin,
    idOf,
    upload,
    cms,
  }) => {
    const file = await upload('shown.png');
    const free = await upload('free.png');
    await admin.save('page', await idOf('page', 'careers'), {
      body: `Before\n\n![Here](${cms.url}${file.url})`,
      sections: [{ __component: 'site.gallery-section', files: [file.id] }],
    });
    await admin.save('article', await idOf('article', 'verifying-a-webhook'), {
      cover: file.id,
      seo: { metaImage: file.id },
    });
    await admin.save('landing', null, {
      partnersBlock: { title: 'Partners', items: [{ name: 'A', logo: file.id }, { name: 'B' }] },
    });
    const article = 'Article “Verifying a webhook before you ship the goods”';
    const refused = {
      status: 400,
      sentence: `“shown.png” is in use: take it out of these places first. ${[
        `${article}: “Cover”`,
        `${article}: “Search engines” → “Picture of shared links”`,
        'Home page: “Block “Partners”” → “Items” → “Logo”',
        'Page “Careers at Acme”: “Sections” → “Pictures”',
        'Page “Careers at Acme”: “Text”',
      ].join(', ')}.`,
      fields: ['file'],
    };
    expect(await admin.attempt('DELETE', `/upload/files/${file.id}`)).toEqual(refused);
    const both = { fileIds: [free.id, file.id], folderIds: [] };
    expect(await admin.attempt('POST', '/upload/actions/bulk-delete', both)).toEqual(refused);
    expect(await admin.attempt('GET', `/upload/files/${free.id}`)).toMatchObject({ status: 200 });

    await admin.save('page', await idOf('page', 'careers'), { body: 'Before', sections: [] });
    await admin.save('landing', null, { partnersBlock: null });
    await admin.save('article', await idOf('article', 'verifying-a-webhook'), { cover: null, seo: null });
    expect(await admin.attempt('POST', '/upload/actions/bulk-delete', both)).toMatchObject({ status: 200 });
    expect(await admin.attempt('GET', `/upload/files/${file.id}`)).toMatchObject({ status: 404 });
  });

  it('a library file in use cannot be deleted with its folder', async ({ admin, idOf, upload }) => {
    const { data: folder } = (await admin.call('POST', '/upload/folders', {
      name: 'Covers',
      parent: null,
    })) as {
      data: { id: number };
    };
    const file = await upload('in-folder.png');
    await admin.call('POST', '/upload/actions/bulk-move', {
      destinationFolderId: folder.id,
      fileIds: [file.id],
    });
    await admin.save('author', await idOf('author', 'Nour Haddad'), { image: [file.id] });
    const removal = { fileIds: [], folderIds: [folder.id] };
    expect(await admin.attempt('POST', '/upload/actions/bulk-delete', removal)).toMatchObject({
      status: 400,
      sentence:
        '“in-folder.png” is in use: take it out of these places first. Author “Nour Haddad”: “Picture”.',
    });
    await admin.save('author', await idOf('author', 'Nour Haddad'), { image: [] });
    expect(await admin.attempt('POST', '/upload/actions/bulk-delete', removal)).toMatchObject({
      status: 200,
    });
  });
});
