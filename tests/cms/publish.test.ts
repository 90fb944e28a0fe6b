import { describe, expect } from 'vitest';
import type { ContentTypeName } from '../../shared/content/content-types.ts';
import { eventually } from '../support/eventually.ts';
import type { AdminEntry } from './support/admin-client.ts';
import { cmsTest as it } from './support/cms-test.ts';

/** An entry of each type, the field that an editor changes, and a page that shows it. */
const EDITS = [
  ['article', 'getting-paid-in-brazil', 'title', '/blog/guides/getting-paid-in-brazil'],
  ['article', 'getting-paid-in-brazil', 'title', '/blog/guides'],
  ['business-solution', 'payouts', 'description', '/business-solutions/payouts'],
  ['commerce', 'marketplaces', 'description', '/commerce/marketplaces'],
  ['page', 'press', 'description', '/press'],
  ['category', 'guides', 'name', '/blog/guides'],
  ['author', 'Marta Lindqvist', 'position', '/blog/news/kazakhstan-corridor-opens'],
  ['country', 'chile', 'title', '/'],
  ['landing', null, 'title', '/'],
  ['main-page', null, 'h1', '/blog'],
  ['settings', null, 'siteName', '/about'],
] as const;

describe('editing in the CMS', () => {
  it.for(EDITS)(
    'a change of the type %s (%s) in the field %s is on %s',
    async ([type, name, field, path], { admin, getPage }) => {
      const marker = `Changed ${type} ${field} for page ${EDITS.findIndex(edit => edit[3] === path)}.`;
      const isShown = async () => (await getPage(path)).text.includes(marker);
      expect(await isShown()).toBe(false);
      const entry =
        name === null ? null : (await admin.list(type)).find(one => one.slug === name || one.name === name);
      if (name !== null) expect(entry, `${type} ${name}`).toBeDefined();
      await admin.publish(type, entry?.documentId ?? null, { [field]: marker });
      await eventually(async () => expect(await isShown()).toBe(true));
    },
  );

  it('a saved draft is not shown', async ({ admin, getPage, site }) => {
    const [entry] = (await admin.list('page')).filter(({ slug }) => slug === 'careers');
    expect((await getPage('/careers')).status).toBe(200);
    await admin.save('page', entry?.documentId ?? '', { title: 'Only a draft' });
    // The next event is that of another page: the draft's own event has arrived before it.
    const [other] = (await admin.list('page')).filter(({ slug }) => slug === 'terms');
    await admin.publish('page', other?.documentId ?? '', { description: 'After the draft' });
    await eventually(async () =>
      expect((await getPage('/terms')).text.includes('After the draft')).toBe(true),
    );
    expect((await getPage('/careers')).text.includes('Only a draft')).toBe(false);
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it.for([
    [{ from: '/empty', to: '', statusCode: 301 }, '“New address” is empty.'],
    [{ from: '/empty', statusCode: 301 }, '“New address” is empty.'],
    [{ from: '/empty', to: '/about', statusCode: 305 }, '“Status” must be one of 301'],
  ] as const)(
    'a redirect that the site would leave out is refused with a sentence: %j',
    async ([row, sentence], { admin }) => {
      const path = '/content-manager/collection-types/api::redirect.redirect';
      await expect(admin.call('POST', path, row)).rejects.toThrow(sentence);
    },
  );

  it('a redirect without a target is saved if its page is gone, and cannot become another one', async ({
    admin,
  }) => {
    const path = '/content-manager/collection-types/api::redirect.redirect';
    const gone = { from: '/gone-for-ever', statusCode: 410 };
    const { data } = (await admin.call('POST', path, gone)) as { data: { documentId: string } };
    const change = (fields: object) => admin.call('PUT', `${path}/${data.documentId}`, fields);
    await expect(change({ statusCode: 301 })).rejects.toThrow('“New address” is empty.');
    await change({ statusCode: 301, to: '/about' });
    await admin.call('DELETE', `${path}/${data.documentId}`);
  });

  it('a text of the editor’s own has a name in the list of the blocks', async ({ admin, getPage }) => {
    const single = '/content-manager/single-types/api::landing.landing';
    const { data } = (await admin.call('GET', single)) as {
      data: { positionsAndCustomBlocks: { block: string | null; custom: string | null }[] };
    };
    const own = { custom: 'Words of an editor’s own.', anchor: 'own-words' };
    await admin.publish('landing', null, {
      positionsAndCustomBlocks: [...data.positionsAndCustomBlocks, own],
    });
    await eventually(async () => expect((await getPage('/')).text.includes(own.custom)).toBe(true));
    const after = (await admin.call('GET', single)) as { data: typeof data };
    expect(after.data.positionsAndCustomBlocks.filter(({ custom }) => custom === own.custom)).toMatchObject([
      { block: 'ownText' },
    ]);
  });

  it('a new redirect leads visitors away at once, and its removal lets them stay', async ({
    admin,
    getPage,
  }) => {
    const created = await admin.call('POST', '/content-manager/collection-types/api::redirect.redirect', {
      from: '/press',
      to: '/about',
      statusCode: 302,
    });
    await eventually(async () => expect((await getPage('/press')).status).toBe(302));
    const { documentId } = (created as { data: { documentId: string } }).data;
    await admin.call('DELETE', `/content-manager/collection-types/api::redirect.redirect/${documentId}`);
    await eventually(async () => expect((await getPage('/press')).status).toBe(200));
  });

  it('an article that is unpublished is a 404, and publishing it again brings it back', async ({
    admin,
    getPage,
  }) => {
    const path = '/blog/guides/refunds-across-borders';
    const [article] = (await admin.list('article')).filter(({ slug }) => slug === 'refunds-across-borders');
    const address = `/content-manager/collection-types/api::article.article/${article?.documentId}`;
    expect((await getPage(path)).status).toBe(200);
    await admin.call('POST', `${address}/actions/unpublish`, {});
    await eventually(async () => expect((await getPage(path)).status).toBe(404));
    await admin.publish('article', article?.documentId ?? '', {});
    await eventually(async () => expect((await getPage(path)).status).toBe(200));
  });

  it('an article without a date gets the day of its first publication', async ({ admin, getPage }) => {
    const [category] = (await admin.list('category')).filter(({ slug }) => slug === 'news');
    const { data } = (await admin.call('POST', '/content-manager/collection-types/api::article.article', {
      title: 'Without a date',
      slug: 'without-a-date',
      category: { connect: [{ documentId: category?.documentId }] },
    })) as { data: { documentId: string; date: string | null } };
    expect(data.date).toBeNull();
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    await admin.publish('article', data.documentId, {});
    const saved = (await admin.list('article')).find(({ documentId }) => documentId === data.documentId);
    expect([before, today()]).toContain(saved?.date);
    await eventually(async () =>
      expect((await getPage('/blog/news')).text.includes('/blog/news/without-a-date')).toBe(true),
    );
  });

  it.for([
    ['article', 'reading-a-fee-statement', '/blog/guides/'],
    ['category', 'engineering', '/blog/'],
    ['page', 'security', '/'],
  ] as const)(
    'the old address of a renamed %s (%s) leads to the new one',
    async ([type, slug, folder], { admin, getPage }) => {
      const [entry] = (await admin.list(type)).filter(one => one.slug === slug);
      const [first, second] = [`${slug}-renamed`, `${slug}-renamed-again`];
      expect((await getPage(folder + slug)).status).toBe(200);
      await admin.publish(type, entry?.documentId ?? '', { slug: first });
      await eventually(async () => expect((await getPage(folder + first)).status).toBe(200));
      await admin.publish(type, entry?.documentId ?? '', { slug: second });
      await eventually(async () => expect((await getPage(folder + second)).status).toBe(200));
      for (const old of [slug, first])
        await eventually(async () => {
          const { status, headers } = await getPage(folder + old);
          expect([status, headers.location]).toEqual([308, folder + second]);
        });
      // Named back, the first address is the page again, and nothing leads in a circle.
      await admin.publish(type, entry?.documentId ?? '', { slug });
      await eventually(async () => expect((await getPage(folder + slug)).status).toBe(200));
      await eventually(async () =>
        expect((await getPage(folder + first)).headers.location).toBe(folder + slug),
      );
    },
  );

  it.for([
    ['category', '/blog', 'main', ({ slug }) => `/blog/${slug}`],
    ['business-solution', '/business-solutions', 'main', ({ slug }) => `/business-solutions/${slug}`],
    ['commerce', '/commerce', 'main', ({ slug }) => `/commerce/${slug}`],
    ['social', '/about', 'footer', ({ link }) => String(link)],
  ] as readonly [ContentTypeName, string, string, (entry: AdminEntry) => string][])(
    'entries of the type %s are listed on %s by their number, those without one last',
    async ([type, path, part, addressOf], { admin, getPage }) => {
      const entries = new Map((await admin.list(type)).map(entry => [addressOf(entry), entry]));
      // A text above the list may name the same addresses. Categories are headings, and no list.
      const listed = async () => {
        const { text } = await getPage(path);
        const inPart = text.slice(text.indexOf(`<${part}`), text.indexOf(`</${part}>`));
        const lists = [inPart, ...inPart.split('<ul').slice(1)].map((list, index) => {
          const links = (index === 0 ? list : list.replace(/<\/ul>[\s\S]*/, '')).matchAll(
            / href="([^"?#]+)/g,
          );
          return [...new Set([...links].map(match => match[1] ?? ''))].filter(link => entries.has(link));
        });
        return lists.findLast(list => list.length === entries.size) ?? [];
      };
      const before = await listed();
      expect(before.length).toBe(entries.size);
      const last = before.at(-1) ?? '';
      const { documentId } = entries.get(last) as AdminEntry;
      await admin.publish(type, documentId, { order: -1 });
      await eventually(async () => expect(await listed()).toEqual([last, ...before.slice(0, -1)]));
      await admin.publish(type, documentId, { order: null });
      await eventually(async () => expect(await listed()).toEqual(before));
    },
  );
});
