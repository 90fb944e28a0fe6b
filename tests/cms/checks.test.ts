import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { type ContentTypeName, contentTypes } from '../../shared/content/content-types.ts';
import { freePort } from '../support/free-port.ts';
import { signIn } from './support/admin-client.ts';
import { editingTest } from './support/editing-test.ts';
import { endStrapi, runStrapi } from './support/strapi.ts';

const NO_CATEGORY =
  'The article has no category, and its address begins with that of a category. Choose one, and save the article.';
const PAGE_THERE = (path: string, page: string) =>
  `${path} is the address of ${page}, and nobody would see it any more. Switch on “Although a page is there” if that is meant.`;
const NOT_A_PATH = '“Old address” wants a path that begins with a slash.';
const NOT_A_TARGET = '“New address” wants a path of the site or an http(s) address.';
const LOOP = '“New address”: it leads back to itself.';
const collection = (type: ContentTypeName) => `/content-manager/collection-types/api::${type}.${type}`;
const single = (type: ContentTypeName) => `/content-manager/single-types/api::${type}.${type}`;

const it = editingTest
  /** Existing redirects with which the refused redirects below conflict. */
  .extend('redirects', { scope: 'file' }, async ({ admin }) => {
    for (const row of [
      { from: '/first', to: '/second' },
      { from: '/second', to: '/third' },
    ])
      await admin.create('redirect', row);
    return admin.list('redirect');
  });

describe('the sample content', () => {
  it.for([
    'article',
    'business-solution',
    'commerce',
    'page',
    'author',
    'category',
    'tag',
    'social',
    'country',
  ] as const)('the unchanged sample content can be saved again: %s', async (type, { admin }) => {
    const entries = (await admin.list(type)).filter(({ status }) => status !== 'draft').slice(0, 12);
    expect(entries.length).toBeGreaterThan(1);
    for (const { documentId } of entries) {
      const publish = `${collection(type)}/${documentId}/actions/publish`;
      const refused =
        'drafts' in contentTypes[type]
          ? await admin.attempt('POST', publish, {})
          : await admin.attempt('PUT', `${collection(type)}/${documentId}`, {});
      expect(refused.sentence).toBeNull();
    }
  });

  it('the unchanged sample content can be saved again: home page, blog page and settings', async ({
    admin,
  }) => {
    for (const address of [`${single('landing')}/actions/publish`, single('main-page'), single('settings')])
      expect(
        (await admin.attempt(address.endsWith('publish') ? 'POST' : 'PUT', address, {})).sentence,
      ).toBeNull();
  });
});

describe('a redirect is refused', () => {
  it.for([
    ['that leads to itself', { from: '/a', to: '/A/' }, LOOP, 'to'],
    ['that closes a loop', { from: '/third', to: '/first' }, LOOP, 'to'],
    ['without the slash', { from: 'about-us', to: '/about' }, NOT_A_PATH, 'from'],
    ['without an old address', { from: ' ', to: '/about' }, NOT_A_PATH, 'from'],
    ['that has none', { to: '/about' }, NOT_A_PATH, 'from'],
    ['to a path without the slash', { from: '/b', to: 'about' }, NOT_A_TARGET, 'to'],
    ['to a script', { from: '/b', to: 'javascript:alert(1)' }, NOT_A_TARGET, 'to'],
    [
      'without a new address',
      { from: '/b', to: '' },
      '“New address” is empty, and only a row of the status 410 needs no target.',
      'to',
    ],
    [
      'with another status',
      { from: '/b', to: '/c', statusCode: 305 },
      '“Status” wants one of 301, 302, 307, 308 or 410.',
      'statusCode',
    ],
    [
      'of an address that another one has',
      { from: '/First/', to: '/c' },
      '“Old address”: an earlier row has the same path.',
      'from',
    ],
    [
      'of an address of the site',
      { from: '/feed', to: '/c' },
      '“Old address”: an earlier row has the same path.',
      'from',
    ],
    ['of the home page', { from: '/', to: '/about' }, PAGE_THERE('/', 'the home page'), 'from'],
    ['of the blog', { from: '/blog', to: '/about' }, PAGE_THERE('/blog', 'the blog start page'), 'from'],
    [
      'of the search',
      { from: '/search', to: '/about' },
      PAGE_THERE('/search', 'the site’s own page'),
      'from',
    ],
    [
      'of a page',
      { from: '/careers', to: '/about' },
      PAGE_THERE('/careers', 'the page “Careers at Acme”'),
      'from',
    ],
    [
      'of a page and those below it',
      { from: '/Careers/**', to: '/about' },
      PAGE_THERE('/Careers/**', 'the page “Careers at Acme”'),
      'from',
    ],
    [
      'of an article',
      { from: '/blog/guides/verifying-a-webhook', to: '/about' },
      PAGE_THERE(
        '/blog/guides/verifying-a-webhook',
        'the article “Verifying a webhook before you ship the goods”',
      ),
      'from',
    ],
    [
      'of an author',
      { from: '/blog/authors/nour-haddad', to: '/about' },
      PAGE_THERE('/blog/authors/nour-haddad', 'the author “Nour Haddad”'),
      'from',
    ],
  ] as const)('a redirect %s is refused', async ([_, row, sentence, field], { admin, redirects }) => {
    const status = { statusCode: 301 };
    expect(await admin.attempt('POST', collection('redirect'), { ...status, ...row })).toEqual({
      status: 400,
      sentence,
      fields: [field],
    });
    expect(await admin.list('redirect')).toHaveLength(redirects.length);
  });

  it('a changed redirect is checked too, and the field “replacesPage” allows redirecting an existing page', async ({
    admin,
    redirects,
  }) => {
    const row = redirects.find(({ from }) => from === '/second')?.documentId ?? '';
    const address = `${collection('redirect')}/${row}`;
    expect(await admin.attempt('PUT', address, { to: '/first' })).toMatchObject({
      status: 400,
      sentence: LOOP,
    });
    await admin.save('redirect', row, { from: '/careers', to: '/about', replacesPage: true });
    await admin.save('redirect', row, { from: '/second', to: '/third', replacesPage: false });
  });
});

const FILM = 'https://films.example/watch?v=1';
const LONG = 'A word. '.repeat(25_001);
const TOO_LONG = 'Rich text is longer than 200000 characters: the text is shown without its formatting.';
const EMPTY = 'it has no content, and nothing is shown.';
const NAMESAKE = (name: string, other: string) =>
  `“Name”: there is “${other}” already, and visitors cannot tell “${name}” from it. Use that one, or take another name.`;

/** A change of an entry, or a new entry of a type without drafts. */
interface Row {
  type: ContentTypeName;
  /** Slug of the entry, or null for a new one. */
  of: string | null;
  fields: Record<string, unknown>;
  field: string;
  sentence: string;
}
const section = (name: string, fields: object) => ({ __component: `site.${name}-section`, ...fields });
const ROWS: Record<string, Row> = {
  'a tag of blanks': {
    type: 'tag',
    of: null,
    fields: { name: '   ' },
    field: 'name',
    sentence: '“Name”: a tag needs a name.',
  },
  'a tag that differs in capital letters and blanks': {
    type: 'tag',
    of: null,
    fields: { name: ' fees ' },
    field: 'name',
    sentence: NAMESAKE(' fees ', 'Fees'),
  },
  'a category that differs in capital letters': {
    type: 'category',
    of: null,
    fields: { name: 'GUIDES', slug: 'more-guides' },
    field: 'name',
    sentence: NAMESAKE('GUIDES', 'Guides'),
  },
  'a profile whose address is a script': {
    type: 'social',
    of: null,
    fields: { link: 'javascript:alert(1)' },
    field: 'link',
    sentence:
      "“Address of the profile”: 'javascript:alert(1)' is no address for a link (https, http, mailto, tel, or a path that begins with /): the entry has no link.",
  },
  'a text over the limit': {
    type: 'article',
    of: 'verifying-a-webhook',
    fields: { body: LONG },
    field: 'body',
    sentence: `“Text”: ${TOO_LONG}`,
  },
  'a text of too many lines': {
    type: 'page',
    of: 'careers',
    fields: { body: 'A line.\n'.repeat(4_001) },
    field: 'body',
    sentence: '“Text”: Rich text has more than 4000 lines: the text is shown without its formatting.',
  },
  'a section over the limit': {
    type: 'commerce',
    of: 'online-shops',
    fields: { sections: [section('text', { body: LONG })] },
    field: 'sections',
    sentence: `“Sections” 1 → “Text”: ${TOO_LONG}`,
  },
  'an article without a category': {
    type: 'article',
    of: 'verifying-a-webhook',
    fields: { category: { set: [] } },
    field: 'category',
    sentence: NO_CATEGORY,
  },
  'a question without an answer': {
    type: 'page',
    of: 'careers',
    fields: { questions: [{ question: 'Why?', answer: '' }] },
    field: 'questions',
    sentence: "“Questions and answers” 1: 'Why?' is not shown: a question needs a question and an answer.",
  },
  'a gallery without pictures': {
    type: 'page',
    of: 'careers',
    fields: { sections: [section('gallery', { caption: 'Three' })] },
    field: 'sections',
    sentence: `“Sections” 1: ${EMPTY}`,
  },
  'a quotation without words, behind another section': {
    type: 'business-solution',
    of: 'payouts',
    field: 'sections',
    fields: { sections: [section('text', { body: 'One' }), section('quote', { text: ' ', name: 'A' })] },
    sentence: `“Sections” 2: ${EMPTY}`,
  },
  'a film that nobody plays': {
    type: 'page',
    of: 'careers',
    fields: { sections: [section('embed', { href: FILM })] },
    field: 'sections',
    sentence: `“Sections” 1: '${FILM}' is shown as a link, because the site plays films of YouTube and Vimeo alone.`,
  },
};

describe('content that the site would not show is refused', () => {
  it.for(Object.keys(ROWS))(
    'content that the site would not show is refused: %s',
    async (title, { admin, idOf }) => {
      const { type, of, fields, field, sentence } = ROWS[title] as Row;
      const address = of === null ? '' : `/${await idOf(type, of)}/actions/publish`;
      expect(await admin.attempt('POST', collection(type) + address, fields)).toEqual({
        status: 400,
        sentence,
        fields: [field],
      });
    },
  );

  it('the order of the home page with a repeated block is refused', async ({ admin }) => {
    const rows = ['header', 'faq', 'header'].map(block => ({ block }));
    const publish = `${single('landing')}/actions/publish`;
    expect(await admin.attempt('POST', publish, { positionsAndCustomBlocks: rows })).toEqual({
      status: 400,
      sentence: "“Order of the blocks” 3: the block 'header' is named twice: it is shown at the first place.",
      fields: ['positionsAndCustomBlocks'],
    });
    expect(await admin.attempt('PUT', single('landing'), { positionsAndCustomBlocks: rows })).toMatchObject({
      status: 200,
    });
  });

  it('a consent sentence over the limit, and a link without an address, are refused', async ({ admin }) => {
    const attempt = (fields: object) => admin.attempt('PUT', single('settings'), fields);
    expect(await attempt({ subscribeConsent: 'I agree. '.repeat(120) })).toEqual({
      status: 400,
      sentence:
        '“Consent of subscribers”: the sentence has more than 1000 characters, and its end is not shown.',
      fields: ['subscribeConsent'],
    });
    expect(await attempt({ footerLinks: [{ title: 'Nowhere' }] })).toMatchObject({
      status: 400,
      fields: ['footerLinks'],
    });
  });

  it('the REST API refuses content that the site would not show, and still accepts other writes', async ({
    admin,
    cms,
    idOf,
  }) => {
    const { data } = (await admin.call('POST', '/admin/api-tokens', {
      name: 'Writer',
      description: '',
      type: 'full-access',
      lifespan: null,
    })) as { data: { accessKey: string } };
    const put = async (fields: object) => {
      const answer = await fetch(`${cms.url}/api/articles/${await idOf('article', 'verifying-a-webhook')}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${data.accessKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ data: fields }),
      });
      return { status: answer.status, body: (await answer.json()) as { error?: { message: string } } };
    };
    expect((await put({ description: 'Written by a program.' })).status).toBe(200);
    const refused = await put({ category: null });
    expect([refused.status, refused.body.error?.message]).toEqual([400, NO_CATEGORY]);
  });
});

describe('the settings', () => {
  it('the settings offer only known languages, time zones and currencies', async ({ admin }) => {
    const { data } = (await admin.call('GET', '/content-manager/content-types')) as {
      data: { uid: string; attributes: Record<string, { type: string; enum?: string[] }> }[];
    };
    const attributes = data.find(({ uid }) => uid === 'api::settings.settings')?.attributes ?? {};
    const choices = (field: string) => attributes[field]?.enum ?? [];
    expect(choices('language')).toEqual(
      expect.arrayContaining(['en-GB', 'en-US', 'de-AT', 'de-LI', 'ar-EG']),
    );
    expect(choices('language').filter(tag => !/^(?:en|de|ar)-[A-Z]{2}$/.test(tag))).toEqual([]);
    expect(choices('timeZone')).toEqual(expect.arrayContaining(['UTC', 'Europe/Berlin', 'Asia/Kolkata']));
    expect(choices('currency')).toEqual(expect.arrayContaining(['EUR', 'USD', 'KZT']));
    const attempt = (fields: object) => admin.attempt('PUT', single('settings'), fields);
    for (const wrong of [{ language: 'fr-FR' }, { timeZone: 'Berlin' }, { currency: 'euro' }])
      expect(await attempt(wrong)).toMatchObject({ status: 400, fields: Object.keys(wrong) });
    const right = { language: 'de-CH', timeZone: 'Europe/Zurich', currency: 'CHF' };
    expect(await attempt(right)).toMatchObject({ status: 200 });
  });

  it('the settings keep an old value that is no longer offered', async ({ cms, cmsSettings, settings }) => {
    await endStrapi(cms.child);
    const database = new DatabaseSync(path.join(cmsSettings.CMS_DATA_DIR, 'content.db'));
    database.exec("update settings set language = 'en', time_zone = 'Asia/Calcutta', currency = 'DEM'");
    database.close();
    const next = await runStrapi({ ...cmsSettings, CMS_PORT: String(await freePort()) });
    try {
      const editor = await signIn(next.url, settings.ADMIN_EMAIL ?? '', settings.ADMIN_PASSWORD ?? '');
      const kept = { language: 'en', timeZone: 'Asia/Calcutta', currency: 'DEM' };
      expect(await editor.attempt('PUT', single('settings'), kept)).toMatchObject({ status: 200 });
    } finally {
      await endStrapi(next.child);
    }
  });
});
