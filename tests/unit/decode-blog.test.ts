import { describe, expect, it } from 'vitest';
import {
  decodeArticle,
  decodeArticleSummary,
  decodeAuthor,
  decodeBlogPage,
  decodeCategory,
} from '../../server/decode/decode-blog.ts';
import type { DecodeRow } from '../../server/decode/decode-fields.ts';
import { plainText } from '../../server/rich-text/nodes/read-rich-text.ts';
import { entryOf } from '../../server/wire/wire.ts';
import { CAPTURE_SETS, comparable, dataOf, decoded, decodeRows, startDecoding } from '../support/decoding.ts';
import { capture } from '../support/fake-backend.ts';

const QUESTIONS = [
  {
    question: 'How long does a payout take?',
    answer: [['p', null, ['Up to ', ['strong', null, ['one']], ' business day.']]],
  },
  { question: 'Is there a minimum?', answer: [['p', null, ['Yes: 10\u00a0USD.']]] },
];
const WIDE = {
  src: '/uploads/cover_wide.jpg',
  alt: 'A wide gradient with a white disc',
  width: 1200,
  height: 675,
  formats: [],
  scaled: true,
};
const SMALL = {
  src: '/uploads/cover_small.jpg',
  alt: '',
  width: 640,
  height: 360,
  formats: [],
  scaled: true,
};
const ICON = { src: '/uploads/icon.png', alt: 'Card', width: 64, height: 64, formats: [], scaled: true };
const JANE = {
  id: 'ID',
  name: 'Jane Roe',
  description: 'Writes about cross-border payments since 2014.',
  position: 'Editor',
  image: {
    src: '/uploads/avatar.jpg',
    alt: 'Portrait of Jane Roe',
    width: 320,
    height: 320,
    formats: [],
    scaled: true,
  },
};
const JOSE = { id: 'ID', name: 'José Núñez', description: null, position: 'Analyst', image: ICON };
const GUIDES = { id: 'ID', name: 'Guides', slug: 'guides' };
const NO_SEO = { title: null, description: null, image: null, canonical: null, robots: null };

// Fields newer than the recordings decode to null or empty. So the tests name only recorded fields.
describe.each(CAPTURE_SETS)('the recorded responses of %s', set => {
  it('recorded categories are decoded with all their fields', () => {
    const { context, problems } = startDecoding();
    const categories = decodeRows('categories', capture(set, 'categories.json'), decodeCategory, context);
    expect(comparable(categories)).toMatchObject([
      {
        id: 'ID',
        name: 'News',
        slug: 'news',
        description: 'What has changed, and since when.',
        title: 'News about payments',
        h1: 'News',
        questions: QUESTIONS,
      },
      {
        id: 'ID',
        name: 'Guides',
        slug: 'guides',
        description: 'Step by step, from the first invoice to the first payout.',
        title: 'Guides to accepting payments',
        h1: 'Guides & how-tos',
        questions: [],
      },
      // Optional fields are null in the backend.
      { id: 'ID', name: 'Cases', slug: 'cases', description: null, title: null, h1: null, questions: [] },
    ]);
    expect(problems).toEqual([]);
  });

  it('recorded authors are decoded with their first image', () => {
    const { context, problems } = startDecoding();
    const authors = decodeRows('authors', capture(set, 'authors.json'), decodeAuthor, context);
    expect(comparable(authors)).toMatchObject([
      JANE,
      JOSE,
      { id: 'ID', name: 'The editors', description: null, position: null, image: null },
    ]);
    expect(problems).toEqual([]);
  });

  it('the recorded blog page is decoded with all its attributes', () => {
    const entry = entryOf(capture(set, 'main-page.json'));
    if (!entry) expect.fail('no entry');
    const page = decodeBlogPage(entry, startDecoding().context);
    expect(page).toMatchObject({
      title: 'Blog about payments',
      description: 'News, guides and cases.',
      h1: 'Blog',
      questions: QUESTIONS,
    });
    expect(page.attributes).toMatchObject({ title: 'Blog about payments', h1: 'Blog' });
    expect(page.attributes).toHaveProperty('createdAt');
  });

  it('a recorded article is decoded in full', () => {
    const [row] = dataOf(capture(set, 'article-by-slug-deep.json'));
    expect(comparable(decoded(decodeArticle, row))).toMatchObject({
      id: 'ID',
      title: 'Accepting cards in Spain',
      description: 'Fees, terms and the papers a shop needs.',
      slug: 'accepting-cards-in-spain',
      category: GUIDES,
      author: JANE,
      cover: WIDE,
      date: 'DATE',
      updatedAt: 'DATE',
      h1: 'How to accept cards in Spain',
      body: expect.arrayContaining([['h2', { id: 'what-you-need' }, ['What you need']]]),
      headings: [{ id: 'what-you-need', text: 'What you need', level: 2 }],
      readingMinutes: 1,
      questions: QUESTIONS,
      seo: NO_SEO,
    });
  });

  it('recorded articles of a list are decoded without their bodies', () => {
    const { context, problems } = startDecoding();
    const articles = decodeRows(
      'articles',
      capture(set, 'articles-by-category.json'),
      decodeArticleSummary,
      context,
    );
    const dates = { date: 'DATE', updatedAt: null };
    expect(comparable(articles)).toMatchObject([
      {
        id: 'ID',
        title: 'Ten questions about chargebacks',
        description: 'And their short answers.',
        slug: 'ten-questions-about-chargebacks',
        category: GUIDES,
        author: JOSE,
        cover: SMALL,
        ...dates,
      },
      {
        id: 'ID',
        title: 'Embedding the payment widget',
        description: 'One tag, two attributes & a callback.',
        slug: 'embedding-the-payment-widget',
        category: GUIDES,
        author: JANE,
        cover: WIDE,
        ...dates,
      },
      {
        id: 'ID',
        title: 'Accepting cards in Spain',
        description: 'Fees, terms and the papers a shop needs.',
        slug: 'accepting-cards-in-spain',
        category: GUIDES,
        author: JANE,
        cover: WIDE,
        ...dates,
      },
    ]);
    expect(articles?.filter(article => 'body' in article || 'questions' in article)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('a recorded article without a category is left out of a list, and reported', () => {
    const { context, problems } = startDecoding();
    const body = capture(set, 'articles-page-1.json');
    const articles = decodeRows('articles', body, decodeArticleSummary, context);
    expect(articles?.map(({ slug }) => slug)).toEqual([
      'fees-go-down-in-may',
      'ten-questions-about-chargebacks',
    ]);
    expect(problems).toEqual([
      {
        kind: 'row-left-out',
        type: 'articles',
        id: entryOf(dataOf(body)[1])?.id,
        field: 'category',
        reason: 'an article without a category has no address',
      },
    ]);
  });

  it('a recorded article without a category is decoded in full when it is read alone', () => {
    const row = dataOf(capture(set, 'articles-page-1.json'))[1];
    const article = decoded(decodeArticle, row);
    expect(article).toMatchObject({ slug: 'outside-every-category', category: null });
    expect(article.author?.name).toBe('Jane Roe');
  });

  it('a recorded article with only a title is decoded', () => {
    const [row] = dataOf(capture(set, 'article-without-cover.json'));
    expect(comparable(decoded(decodeArticle, row))).toMatchObject({
      id: 'ID',
      title: 'A note without a cover',
      description: null,
      slug: 'a-note-without-a-cover',
      category: { id: 'ID', name: 'News', slug: 'news' },
      author: null,
      cover: null,
      date: 'DATE',
      updatedAt: 'DATE',
      h1: null,
      body: [],
      headings: [],
      readingMinutes: 1,
      questions: [],
      seo: NO_SEO,
    });
  });

  it('script tags and comments in a recorded code block are decoded as text', () => {
    const row = dataOf(capture(set, 'articles-page-2.json'))[1];
    const article = decoded(decodeArticle, row);
    const pre = article.body.find(node => node[0] === 'pre');
    expect(pre?.[1]).toEqual({ 'aria-label': 'Code 1, HTML', 'data-language': 'HTML' });
    expect(plainText(pre ? [pre] : [])).toBe('<script src="/uploads/widget.js" async></script>');
    expect(article.body).toContainEqual([
      'p',
      null,
      ['A ', ['code', null, ['<!-- comment -->']], ' does not harm it.'],
    ]);
    // Strapi 4 sends this article's questions as a JSON string inside a JSON string.
    expect(article.questions).toEqual(QUESTIONS);
  });

  it('a recorded article without requested relations is decoded with null relations', () => {
    const [row] = dataOf(capture(set, 'article-unpopulated.json'));
    expect(decoded(decodeArticle, row)).toMatchObject({
      slug: 'accepting-cards-in-spain',
      category: null,
      author: null,
      cover: null,
    });
  });

  it('a recorded list without articles is decoded as an empty list', () => {
    const { context } = startDecoding();
    for (const file of ['articles-empty.json', 'articles-page-past-end.json']) {
      expect(decodeRows('articles', capture(set, file), decodeArticleSummary, context)).toEqual([]);
    }
  });
});

describe('questions that were recorded as broken JSON', () => {
  const questions = (set: 'v4' | 'v5-flat') =>
    decoded(decodeArticle, dataOf(capture(set, 'articles-page-1.json'))[2]).questions;

  it('questions recorded as broken JSON become an empty list, and the rest of the article is decoded', () => {
    expect(questions('v4')).toEqual([]);
    expect(questions('v5-flat')).toEqual(QUESTIONS);
    const row = dataOf(capture('v4', 'articles-page-1.json'))[2];
    expect(decoded(decodeArticle, row)).toMatchObject({
      slug: 'ten-questions-about-chargebacks',
      headings: [{ id: 'why', text: 'Why', level: 2 }],
    });
  });
});

describe('the id of an entry', () => {
  it('the id of an entry is its documentId, or else its numeric id as text', () => {
    const first = (set: 'v4' | 'v5-as-v4' | 'v5-flat') => {
      const [row] = dataOf(capture(set, 'categories.json'));
      return { row, id: decoded(decodeCategory, row).id };
    };
    expect(first('v4').id).toBe('1');
    for (const set of ['v5-as-v4', 'v5-flat'] as const) {
      const { row, id } = first(set);
      expect(id).toMatch(/^[a-z0-9]{24}$/);
      expect(id).toBe(row?.documentId);
    }
    expect(first('v5-flat').id).toBe(first('v5-as-v4').id);
  });

  it.each([
    [{ id: 7 }, '7'],
    [{ id: 'seven' }, 'seven'],
    [{ id: 7, documentId: 'abc' }, 'abc'],
    [{ id: 7, documentId: '' }, '7'],
    [{ id: 0 }, '0'],
  ])('the entry %j has the id %j', (ids, id) => {
    expect(decoded(decodeCategory, { ...ids, name: 'News', slug: 'news' }).id).toBe(id);
  });
});

describe('the date of an article', () => {
  const dateFrom = (dates: Record<string, unknown>) =>
    decoded(decodeArticle, { id: 1, title: 'T', slug: 't', ...dates }).date;
  const date = '2024-02-29';
  const publishedAt = '2025-05-06T07:08:09.000Z';
  const createdAt = '2023-01-01T00:00:00.000Z';

  it('the date of an article is the editor’s, else the publication’s, else the creation’s', () => {
    expect(dateFrom({ date, publishedAt, createdAt })).toBe('2024-02-29T00:00:00.000Z');
    expect(dateFrom({ date: null, publishedAt, createdAt })).toBe(publishedAt);
    expect(dateFrom({ publishedAt: null, createdAt })).toBe(createdAt);
  });

  it.each(['', 'soon', 'Article 7', '7', 20240229, true, {}, '2024-13-45', 'March 2024'])(
    'the date of an article is the publication date when the editor’s date is %j',
    broken => {
      expect(dateFrom({ date: broken, publishedAt })).toBe(publishedAt);
    },
  );

  it('the date of an article is converted to UTC', () => {
    expect(dateFrom({ date: '2025-05-06T01:00:00+03:00' })).toBe('2025-05-05T22:00:00.000Z');
  });

  it('an article without any date is refused', () => {
    const { context } = startDecoding();
    expect(decodeArticle({ id: 1, title: 'T', slug: 't' }, context)).toEqual({
      ok: false,
      error: { field: 'date', reason: 'an article needs a title, a slug and a date' },
    });
  });
});

describe('a broken entry', () => {
  const NEEDS = 'a category needs a name and a slug';
  it.each<[string, DecodeRow<unknown>, object, string]>([
    ['a category without a slug', decodeCategory, { id: 5, name: 'News', slug: null }, NEEDS],
    ['a category without a name', decodeCategory, { id: 5, name: ' ', slug: 'news' }, NEEDS],
    ['an author without a name', decodeAuthor, { id: 5, name: null }, 'an author needs a name'],
    [
      'an article without a title',
      decodeArticle,
      { id: 5, slug: 'a', publishedAt: '2025-05-06' },
      'an article needs a title, a slug and a date',
    ],
    [
      'an article without a slug',
      decodeArticleSummary,
      { id: 5, title: 'A', publishedAt: '2025-05-06' },
      'an article needs a title, a slug and a date',
    ],
  ])('a broken entry is left out and reported with its id: %s', (_, decode, row, reason) => {
    const { context, problems } = startDecoding();
    expect(decodeRows('things', { data: [row] }, decode, context)).toEqual([]);
    expect(problems).toMatchObject([{ kind: 'row-left-out', type: 'things', id: '5', reason }]);
  });

  it('a broken entry leaves the other entries of its list in place', () => {
    const { context, problems } = startDecoding();
    const data = [{ id: 1, name: 'A', slug: 'a' }, null, 'text', 3, [], {}, { id: 2, name: 'B', slug: 'b' }];
    const categories = decodeRows('categories', { data }, decodeCategory, context);
    expect(categories?.map(({ slug }) => slug)).toEqual(['a', 'b']);
    expect(problems.map(({ id, reason }) => [id, reason])).toEqual(
      Array.from({ length: 5 }, () => [null, 'it has no id']),
    );
  });
});
