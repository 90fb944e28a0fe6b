import { describe, expect, it } from 'vitest';
import { decodersOfPages, entryDecodersOf } from '../../server/decode/decode-blog.ts';
import type { DecodeRow } from '../../server/decode/decode-fields.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import type { FieldDescription } from '../../shared/content/descriptions.ts';
import { entryTypes } from '../../shared/content/entries.ts';
import { CAPTURE_SETS, comparable, decoded, decodeRows, startDecoding } from '../support/decoding.ts';
import { capture } from '../support/fake-backend.ts';

const QUESTIONS = [
  {
    question: 'How long does a payout take?',
    answer: [['p', null, ['Up to ', ['strong', null, ['one']], ' business day.']]],
  },
  { question: 'Is there a minimum?', answer: [['p', null, ['Yes: 10\u00a0USD.']]] },
];
const PLAIN = {
  id: 'ID',
  updatedAt: 'DATE',
  seo: { title: null, description: null, image: null, canonical: null, robots: null },
};
const text = (id: string, heading: string, paragraph: string) => [
  ['h2', { id }, [heading]],
  ['p', null, [paragraph]],
];

const EXPECTED = {
  'business-solutions': [
    {
      ...PLAIN,
      title: 'Mass payouts',
      description: 'Pay ten thousand people with one file.',
      slug: 'payouts',
      h1: 'Mass payouts',
      body: text('how-it-works', 'How it works', 'Upload a CSV, confirm, done.'),
      cover: {
        src: '/uploads/cover_wide.jpg',
        alt: 'A wide gradient with a white disc',
        width: 1200,
        height: 675,
        formats: [],
        scaled: true,
      },
      questions: QUESTIONS,
      contactForm: false,
    },
    {
      ...PLAIN,
      title: 'Payment links',
      description: 'No website needed.',
      slug: 'payment-links',
      h1: 'Payment links',
      body: text('how-it-works', 'How it works', 'Send a link.'),
      cover: { src: '/uploads/icon.svg', alt: '', width: 24, height: 24, formats: [], scaled: false },
      questions: [],
      contactForm: false,
    },
    {
      ...PLAIN,
      title: 'Bare solution',
      description: null,
      slug: 'bare-solution',
      h1: null,
      body: [],
      cover: null,
      questions: [],
      contactForm: false,
    },
  ],
  commerces: [
    {
      ...PLAIN,
      title: 'Online shops',
      description: 'Cards, wallets and local methods.',
      slug: 'online-shops',
      h1: 'Payments for online shops',
      body: text('plug-ins', 'Plug-ins', 'For the usual shop systems.'),
      cover: {
        src: '/uploads/cover_small.jpg',
        alt: '',
        width: 640,
        height: 360,
        formats: [],
        scaled: true,
      },
      questions: QUESTIONS,
      contactForm: false,
    },
    {
      ...PLAIN,
      title: 'Marketplaces',
      description: 'Split payments.',
      slug: 'marketplaces',
      h1: 'Payments for marketplaces',
      body: [],
      cover: null,
      questions: [],
      contactForm: false,
    },
  ],
  pages: [
    {
      ...PLAIN,
      title: 'About us',
      description: 'Who we are.',
      slug: 'about',
      h1: 'About us',
      body: text('who-we-are', 'Who we are', 'Forty people in three cities.'),
      cover: null,
      questions: QUESTIONS,
      contactForm: false,
    },
    {
      ...PLAIN,
      title: 'Terms',
      description: null,
      slug: 'terms',
      h1: 'Terms of use',
      body: text('1-scope', '1. Scope', 'These terms apply.'),
      cover: null,
      questions: [],
      contactForm: false,
    },
    // The questions of this page are broken JSON text in every recording.
    {
      ...PLAIN,
      title: 'Cookies',
      description: null,
      slug: 'cookies',
      h1: null,
      body: [],
      cover: null,
      questions: [],
      contactForm: false,
    },
  ],
} as const;

const DECODERS = {
  'business-solutions': entryDecodersOf('business-solutions'),
  commerces: entryDecodersOf('commerces'),
  pages: entryDecodersOf('pages'),
};
const decodePage = DECODERS.pages.full;
/** Fields of an entry in a list, of all content types. Those that its own type lacks are empty. */
const LISTED = [
  ...new Set([
    'id',
    ...entryTypes.flatMap(({ fields }) =>
      Object.entries<FieldDescription>(fields).flatMap(([name, { inLists, kind }]) =>
        inLists && kind !== 'order' && kind !== 'moment' ? [name] : [],
      ),
    ),
  ]),
].sort();

describe.each(CAPTURE_SETS)('the recorded responses of %s', set => {
  it.each(['business-solutions', 'commerces', 'pages'] as const)(
    'the recorded %s are decoded in full',
    type => {
      const { context, problems } = startDecoding();
      const entries = decodeRows(type, capture(set, `${type}.json`), DECODERS[type].full, context);
      // Fields that are newer than the recordings decode to null or empty.
      expect(comparable(entries)).toMatchObject(EXPECTED[type]);
      expect(problems).toMatchObject(type === 'pages' ? [{ kind: 'broken-json', field: 'questions' }] : []);
    },
  );

  it.each(['business-solutions', 'commerces', 'pages'] as const)(
    'the summaries of the recorded %s have only the summary fields',
    type => {
      const { context } = startDecoding();
      const entries = decodeRows(type, capture(set, `${type}.json`), DECODERS[type].summary, context);
      const summaries = EXPECTED[type].map(({ id, title, description, slug, cover, updatedAt }) => {
        return { id, title, description, slug, cover, updatedAt, seo: null };
      });
      expect(comparable(entries)).toMatchObject(summaries);
      for (const entry of entries ?? []) expect(Object.keys(entry).sort()).toEqual(LISTED);
    },
  );
});

describe('contactForm', () => {
  it.each([
    [true, true],
    [false, false],
    [null, false],
    [undefined, false],
    ['true', false],
    [1, false],
  ])('the contactForm %j decodes to %j', (contactForm, expected) => {
    const entry = decoded(decodePage, { id: 1, title: 'T', slug: 't', contactForm });
    expect(entry.contactForm).toBe(expected);
  });
});

describe('a page', () => {
  it('a page without a title or a slug is left out, and reported with its id', () => {
    const { context, problems } = startDecoding();
    const data = [
      { id: 1, documentId: 'abc', title: 'T' },
      { id: 2, attributes: { slug: 's', title: '' } },
      { id: 3, title: 'Kept', slug: 'kept' },
    ];
    expect(decodeRows('pages', { data }, decodePage, context)?.map(({ slug }) => slug)).toEqual(['kept']);
    const reason = 'a page needs a title and a slug';
    expect(problems).toEqual([
      { kind: 'row-left-out', type: 'pages', id: 'abc', field: 'slug', reason },
      { kind: 'row-left-out', type: 'pages', id: '2', field: 'title', reason },
    ]);
  });

  it('the HTML body of a page is sanitised', () => {
    const body = '<p onclick="x()">Hello<script>alert(1)</script></p>';
    const entry = decoded(decodePage, { id: 1, title: 'T', slug: 't', body });
    expect(entry.body).toEqual([['p', null, ['Hello']]]);
  });
});

describe('a field that only one type has', () => {
  const date = { kind: 'date', label: 'Date', required: true, inLists: true } as const;
  const dated = { ...contentTypes.commerce, fields: { ...contentTypes.commerce.fields, date } };
  const decoders = decodersOfPages([dated, contentTypes.page]);
  const row = { id: 1, title: 'T', slug: 't' };

  it.each(['full', 'summary'] as const)('a required field of one type is empty in other types: %s', form => {
    const decode = (type: string, values: object) => {
      const { context, problems } = startDecoding();
      const decoder: DecodeRow<unknown> | undefined = decoders.get(type)?.[form];
      return { entries: decoder && decodeRows(type, { data: [values] }, decoder, context), problems };
    };
    expect(decode('pages', row)).toMatchObject({ entries: [{ slug: 't', date: null }], problems: [] });
    expect(decode('commerces', row)).toMatchObject({ entries: [], problems: [{ field: 'date' }] });
    const withDate = { ...row, date: '2026-05-01' };
    expect(decode('commerces', withDate)).toMatchObject({ entries: [{ slug: 't' }], problems: [] });
  });
});
