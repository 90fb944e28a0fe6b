import { describe, expect, vi } from 'vitest';
import { siteSettings } from '../../build/cms/secrets.ts';
import { timeOf } from '../../server/decode/site-time.ts';
import type { ContentTypeName } from '../../shared/content/content-types.ts';
import { eventually } from '../support/eventually.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';
import type { AdminEntry } from './support/admin-client.ts';
import { editingTest as it } from './support/editing-test.ts';

/** Time from the first request for the future article until its day begins, in ms. */
const WAIT_MS = 6_000;

/** An entry of each type, the field that an editor changes, and a page that shows it. */
const EDITS = [
  ['article', 'getting-paid-in-brazil', 'title', '/blog/guides/getting-paid-in-brazil'],
  ['article', 'getting-paid-in-brazil', 'title', '/blog/guides'],
  ['business-solution', 'payouts', 'description', '/business-solutions/payouts'],
  ['commerce', 'marketplaces', 'description', '/commerce/marketplaces'],
  ['page', 'press', 'description', '/press'],
  ['category', 'guides', 'name', '/blog/guides'],
  ['author', 'Marta Lindqvist', 'position', '/blog/news/kazakhstan-corridor-opens'],
  ['tag', 'Fees', 'description', '/blog/tags/fees'],
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
    // The next event is about another page, so the event of the draft has arrived before it.
    const [other] = (await admin.list('page')).filter(({ slug }) => slug === 'terms');
    await admin.publish('page', other?.documentId ?? '', { description: 'After the draft' });
    await eventually(async () =>
      expect((await getPage('/terms')).text.includes('After the draft')).toBe(true),
    );
    expect((await getPage('/careers')).text.includes('Only a draft')).toBe(false);
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('a redirect without a target is saved only with status 410, and keeps that status', async ({
    admin,
  }) => {
    const gone = await admin.create('redirect', { from: '/gone-for-ever', statusCode: 410 });
    const change = (fields: Record<string, unknown>) => admin.save('redirect', gone, fields);
    await expect(change({ statusCode: 301 })).rejects.toThrow('“New address” is empty, and');
    await change({ statusCode: 301, to: '/about' });
    await admin.remove('redirect', gone);
  });

  it('a custom text of an editor is listed as the block ownText', async ({ admin, getPage }) => {
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

  it('a new redirect works at once, and its removal brings the page back', async ({ admin, getPage }) => {
    const redirect = await admin.create('redirect', {
      from: '/press',
      to: '/about',
      statusCode: 302,
      replacesPage: true,
    });
    await eventually(async () => expect((await getPage('/press')).status).toBe(302));
    await admin.remove('redirect', redirect);
    await eventually(async () => expect((await getPage('/press')).status).toBe(200));
  });

  it('an unpublished article gives a 404, and publishing it again restores it', async ({
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
    const created = await admin.create('article', {
      title: 'Without a date',
      slug: 'without-a-date',
      category: { connect: [{ documentId: category?.documentId }] },
    });
    const dateOf = async () =>
      (await admin.list('article')).find(({ documentId }) => documentId === created)?.date;
    expect(await dateOf()).toBeNull();
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    await admin.publish('article', created, {});
    expect([before, today()]).toContain(await dateOf());
    await eventually(async () =>
      expect((await getPage('/blog/news')).text.includes('/blog/news/without-a-date')).toBe(true),
    );
  });

  it.for([
    ['article', 'reading-a-fee-statement', '/blog/guides/'],
    ['category', 'engineering', '/blog/'],
    ['page', 'security', '/'],
  ] as const)(
    'the old address of a renamed entry redirects to the new one: %s (%s)',
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
      // After its first name is restored, the first address is the page again, without a loop.
      await admin.publish(type, entry?.documentId ?? '', { slug });
      await eventually(async () => expect((await getPage(folder + slug)).status).toBe(200));
      await eventually(async () =>
        expect((await getPage(folder + first)).headers.location).toBe(folder + slug),
      );
    },
  );

  it.for([
    [
      'author',
      'Daniel Okafor',
      { slug: 'daniel' },
      { slug: 'daniel-okafor' },
      '/blog/authors/daniel-okafor',
      '/blog/authors/daniel',
    ],
    [
      'tag',
      'Disputes',
      { name: 'Open cases' },
      { name: 'Disputes' },
      '/blog/tags/disputes',
      '/blog/tags/open-cases',
    ],
  ] as const)(
    'the old address of a renamed entry redirects until the old name is restored: %s %s, %j, %j',
    async ([type, name, fields, backFields, before, now], { admin, getPage }) => {
      const entry = (await admin.list(type)).find(one => one.name === name);
      expect((await getPage(before)).status).toBe(200);
      await admin.publish(type, entry?.documentId ?? '', fields);
      await eventually(async () => expect((await getPage(now)).status).toBe(200));
      await eventually(async () => {
        const { status, headers } = await getPage(before);
        expect([status, headers.location]).toEqual([308, now]);
      });
      await admin.publish(type, entry?.documentId ?? '', backFields);
      await eventually(async () => expect((await getPage(before)).status).toBe(200));
      await eventually(async () => expect((await getPage(now)).headers.location).toBe(before));
    },
  );

  it.for([
    ['category', '/blog', 'main', ({ slug }) => `/blog/${slug}`],
    ['business-solution', '/business-solutions', 'main', ({ slug }) => `/business-solutions/${slug}`],
    ['commerce', '/commerce', 'main', ({ slug }) => `/commerce/${slug}`],
    ['social', '/about', 'footer', ({ link }) => String(link)],
  ] as readonly [ContentTypeName, string, string, (entry: AdminEntry) => string][])(
    'entries of the type %s are listed on %s by their number, with unnumbered entries last',
    async ([type, path, part, addressOf], { admin, getPage }) => {
      const entries = new Map((await admin.list(type)).map(entry => [addressOf(entry), entry]));
      // A text above the list may contain the same addresses, so the last list counts. Categories are
      // headings without a list.
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

describe('an article with a date in the future', () => {
  const PATH = '/blog/cases/of-tomorrow';
  /** Lists of articles by the author and with the tag. */
  const LISTS = [
    '/blog',
    '/blog/cases',
    '/blog/authors/daniel-okafor',
    '/blog/tags/reliability',
    '/blog/feed.xml',
    '/blog/tags/reliability/feed.xml',
    '/sitemap.xml',
  ];
  /** The first zone in which a day begins. */
  const ZONE = 'Pacific/Kiritimati';

  it('a future article appears when its day begins in the site’s time zone, without an event', async ({
    admin,
    cms,
    idOf,
    settings,
  }) => {
    const connect = (documentId: string) => ({ connect: [{ documentId }] });
    const date = new Date(Date.now() + 3 * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
    const article = await admin.create('article', {
      title: 'Of tomorrow',
      slug: 'of-tomorrow',
      date,
      category: connect(await idOf('category', 'cases')),
      author: connect(await idOf('author', 'Daniel Okafor')),
      tags: connect(await idOf('tag', 'Reliability')),
    });
    await admin.publish('article', article, {});

    const begins = timeOf(date, ZONE);
    const realNow = Date.now;
    const shift = begins - WAIT_MS - realNow();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + shift);
    // Nothing else renews this site: events go to another one, and content stays fresh for an hour.
    const timing = { CONTENT_TTL_MS: '3600000', SITE_TIME_ZONE: ZONE };
    const env = { ...siteSettings(settings, cms.url), PUBLIC_URL: '', ...timing };
    const site = await startSite({ contentBaseUrl: cms.url, env });
    try {
      const read = () =>
        Promise.all([...LISTS, PATH].map(path => sendRequest(site.url, path, { headers: AS_BROWSER })));
      const shown = (answers: Awaited<ReturnType<typeof read>>) =>
        answers.map(({ status, text }) => [status, text.includes(`${PATH}"`) || text.includes(`${PATH}<`)]);
      const before = await read();
      // Fails on a machine too slow to request all pages before the article's day begins.
      expect(Date.now()).toBeLessThan(begins);
      expect(shown(before)).toEqual([...LISTS.map(() => [200, false]), [404, expect.anything()]]);
      await eventually(async () =>
        expect(shown(await read())).toEqual([...LISTS, PATH].map(() => [200, true])),
      );
      expect(Date.now()).toBeGreaterThanOrEqual(begins);
    } finally {
      clock.mockRestore();
      await site.close();
    }
    // Strapi compares days with days, and logs no warning.
    expect(cms.output()).not.toMatch(/\bwarn\b.*date/i);
  });
});

describe('the settings', () => {
  it('the settings decide about language, direction, single words, time zone and currency', async ({
    admin,
    getPage,
    untilAll,
  }) => {
    const languageOf = async () => parsePage((await getPage('/')).text).data?.language;
    const before = await languageOf();
    await admin.publish('settings', null, {
      language: 'de-DE',
      timeZone: 'Europe/Berlin',
      currency: 'EUR',
      labels: [
        { name: 'skipToContent', text: 'Gleich zum Text' },
        { name: 'countries_other', text: '{count} Ziele' },
      ],
    });
    await untilAll(['/', '/about', '/blog'], true, '<html lang="de-DE" dir="ltr">');
    await untilAll(['/', '/about', '/blog'], true, '>Gleich zum Text<');
    await untilAll(['/blog/feed.xml'], true, '<language>de-DE</language>');
    const { text } = await getPage('/');
    expect(text).toMatch(/\d Ziele/);
    expect(text).toMatch(/\d[\u00a0 ]€/);
    expect(await languageOf()).toMatchObject({
      ...{ catalogue: 'de', locale: 'de-DE', timeZone: 'Europe/Berlin', currency: 'EUR' },
    });
    await admin.publish('settings', null, { language: 'ar-EG', labels: [] });
    await untilAll(['/about'], true, '<html lang="ar-EG" dir="rtl">');
    await untilAll(['/about'], false, 'Gleich zum Text');
    await admin.publish('settings', null, { language: null, timeZone: null, currency: null });
    await eventually(async () => expect(await languageOf()).toEqual(before));
  });

  it('search engines get the logo of the settings', async ({ admin, fileId, getPage, site }) => {
    const logo = async () => {
      const { jsonLd } = parsePage((await getPage('/')).text);
      const company = jsonLd.find(block => (block as { '@type': string })['@type'] === 'Organization');
      return (company as { logo?: string } | undefined)?.logo;
    };
    const icon = await logo();
    await admin.publish('settings', null, { logo: fileId('ceramics-shelf.jpg') });
    await eventually(async () => expect(await logo()).toContain('/uploads/ceramics_shelf'));
    const { pathname, search } = new URL((await logo()) ?? '');
    expect((await sendRequest(site.url, pathname + search)).status).toBe(200);
    await admin.publish('settings', null, { logo: null });
    await eventually(async () => expect(await logo()).toBe(icon));
  });
});
