import { describe, expect, it } from 'vitest';
import { decodeLanding } from '../../server/decode/decode-landing.ts';
import { entryOf } from '../../server/wire/wire.ts';
import { ownFieldOf } from '../../shared/content/landing-fields.ts';
import { inColumns } from '../../site/blocks/countries/countries.load.server.ts';
import { shownImages } from '../../site/blocks/payments/payments.load.server.ts';
import { blocks } from '../../site/blocks.ts';
import { CAPTURE_SETS, comparable, startDecoding } from '../support/decoding.ts';
import { capture } from '../support/fake-backend.ts';
import { recordedLanding } from '../support/recorded-landing.ts';

function decode(value: unknown, decoding = startDecoding()) {
  const entry = entryOf(value);
  if (!entry) expect.fail('no entry');
  return decodeLanding(entry, decoding.context);
}

const landingOf = (attributes: Record<string, unknown>) => decode({ data: { id: 1, attributes } });
describe.each(CAPTURE_SETS)('the recorded landing page of %s', set => {
  it('the recorded landing page decodes to every block', () => {
    const decoding = startDecoding();
    const { attributes, ...landing } = decode(capture(set, 'landing.json'), decoding);
    // Fields and blocks added after the recording are null there.
    expect(comparable(landing)).toMatchObject(recordedLanding(set));
    expect(Object.keys(attributes)).toEqual(expect.arrayContaining(['title', 'schema3', 'updatedAt']));
    expect(decoding.problems).toEqual([
      {
        kind: 'row-left-out',
        type: 'landing.paymentBlockImages',
        id: set === 'v4' ? '3' : '6',
        field: 'title',
        reason: 'a payment method needs a title or an image',
      },
      ...(set === 'v4'
        ? [
            {
              ...{ kind: 'broken-json', type: 'things', id: null, field: 'partnersBlock' },
              reason: "'partnersBlock' is no JSON: it counts as empty",
            },
          ]
        : []),
    ]);
  });
});

const BLOCKS = blocks.flatMap(block => ('fields' in block ? [ownFieldOf(block)] : []));
const LISTS = [
  'metricsBlockUsdList',
  'metricsBlockPositiveQualities',
  'contactsListWithCheckmarks',
  'subscribeBlockSocials',
  'block1Icons',
  'paymentBlockImages',
] as const;
const SCHEMAS = ['schema1', 'schema2', 'schema3'] as const;

describe('a broken field', () => {
  const BROKEN: [string, unknown][] = [
    ['absent', undefined],
    ['null', null],
    ['empty text', ''],
    ['text that is no JSON', 'none'],
    ['JSON text that breaks off', '{"title":"Head'],
    ['broken text inside JSON text', '"{\\"title\\":"'],
    ['a number', 3],
    ['true', true],
  ];

  it.each(BROKEN)('a broken block becomes null: %s', (_, value) => {
    const landing = landingOf(Object.fromEntries(BLOCKS.map(name => [name, value])));
    for (const name of BLOCKS) expect(landing[name], name).toBeNull();
  });

  it.each(BROKEN)('a broken list becomes an empty list: %s', (_, value) => {
    const landing = landingOf(Object.fromEntries(LISTS.map(name => [name, value])));
    for (const name of LISTS) expect(landing[name], name).toEqual([]);
    expect(landingOf({ countries_list: value }).countries_list).toEqual([]);
  });

  it.each(BROKEN)('a broken JSON-LD schema or block order becomes null: %s', (_, value) => {
    const names = [...SCHEMAS, 'positionsAndCustomBlocks'] as const;
    const landing = landingOf(Object.fromEntries(names.map(name => [name, value])));
    for (const name of names) expect(landing[name], name).toBeNull();
  });

  it('JSON of the wrong kind becomes an empty list or null', () => {
    const blocks = landingOf(Object.fromEntries(BLOCKS.map(name => [name, [{ title: 'In a list' }]])));
    for (const name of BLOCKS) expect(blocks[name], name).toBeNull();
    const lists = landingOf(Object.fromEntries(LISTS.map(name => [name, { title: 'No list' }])));
    for (const name of LISTS) expect(lists[name], name).toEqual([]);
  });

  it('a broken field leaves the other fields in place', () => {
    expect(landingOf({ headerBlock: '{', faqBlock: { title: 'Questions' } })).toMatchObject({
      headerBlock: null,
      faqBlock: { title: 'Questions', items: [] },
    });
  });
});

describe('an empty block', () => {
  it('an empty block decodes to null texts and no items', () => {
    const landing = landingOf(Object.fromEntries(BLOCKS.map(name => [name, {}])));
    const words = { title: null, text: null };
    expect(landing).toMatchObject({
      headerBlock: { ...words, eyebrow: null, primary: null, secondary: null },
      paymentsBlock: { ...words, link: null },
      directionsBlock: { ...words, items: [] },
      partnersBlock: { ...words, items: [] },
      earnMoreBlock: { ...words, steps: [], link: null },
      contactsBlock: { ...words, email: null, phone: null, address: null },
      faqBlock: { title: null, items: [] },
    });
  });
});

describe('a value of a block that no page shows', () => {
  const link = { title: 'More', href: '/more' };
  it.each<[string, Record<string, unknown>, string | null]>([
    ['partnersBlock', { partnersBlock: { title: 'Partners' } }, 'the block needs a partner'],
    ['directionsBlock', { directionsBlock: { text: 'Ways' } }, 'the block needs a title or a direction'],
    ['earnMoreBlock', { earnMoreBlock: { link } }, 'the block needs a title, a text or a step'],
    [
      'faqBlock',
      { faqBlock: { title: 'Questions' } },
      'the block needs a question or a text in faqBlockContent',
    ],
    ['paymentsBlock', { paymentsBlock: { link } }, 'the block needs a title, a text or a logo'],
    ['paymentBlockImages', { paymentBlockImages: [{ id: 1, title: 'Visa' }] }, 'paymentsBlock is empty'],
    ['block1Icons', { block1Icons: [{ id: 1, url: '/uploads/a.svg' }] }, 'headerBlock is empty'],
    ['contactsListWithCheckmarks', { contactsListWithCheckmarks: ['Fast'] }, 'contactsBlock is empty'],
    ['faqBlock', { faqBlock: { title: 'Questions' }, faqBlockContent: 'Text' }, null],
    ['paymentsBlock', { paymentsBlock: { link, title: 'Pay' } }, null],
    ['directionsBlock', { directionsBlock: { title: 'Ways', text: 'All' } }, null],
  ])('a block’s value is reported only if no page can show it: %s of %j', (field, attributes, reason) => {
    const decoding = startDecoding();
    decode({ id: 1, ...attributes }, decoding);
    expect(decoding.problems).toEqual(
      reason === null
        ? []
        : [
            expect.objectContaining({
              kind: 'value-left-out',
              field,
              reason: expect.stringContaining(reason),
            }),
          ],
    );
  });
});

describe('figures in US dollars', () => {
  it.each([
    [1_250_000, 1_250_000],
    [0, 0],
    ['1250000', 1_250_000],
    ['0.35', 0.35],
    ['', null],
    [' ', null],
    ['1,250', null],
    ['a lot', null],
    [null, null],
    [[5], null],
  ])('the figure %j in US dollars becomes %j', (value, expected) => {
    const { metricsBlockUsdList } = landingOf({ metricsBlockUsdList: [{ value, label: 'a day' }] });
    expect(metricsBlockUsdList).toEqual(
      expected === null ? [] : [{ value: expected, label: 'a day', note: null }],
    );
  });
});

describe('the order of the landing page', () => {
  it('in the block order, a row with the CMS name `ownText` equals a row without a block name', () => {
    const named = landingOf({
      positionsAndCustomBlocks: [{ block: 'ownText', custom: 'Words', anchor: 'words' }],
    });
    const unnamed = landingOf({
      positionsAndCustomBlocks: [{ block: null, custom: 'Words', anchor: 'words' }],
    });
    expect(named.positionsAndCustomBlocks).toEqual(unnamed.positionsAndCustomBlocks);
    expect(named.positionsAndCustomBlocks).toMatchObject([{ id: 'words' }]);
  });

  it('the block order keeps custom blocks and each known block once, and reports every other item', () => {
    const decoding = startDecoding();
    const { positionsAndCustomBlocks } = decode(
      {
        id: 1,
        positionsAndCustomBlocks: [
          { block: 'faq' },
          { block: 'Faq' },
          { block: '__proto__' },
          'header',
          'footer',
          { block: 'header' },
          'faq',
          5,
          null,
          {},
          ['partners'],
          { blok: 'partners' },
          { block: 'metrics', custom: 'Lost' },
          { custom: '**Bold**' },
          { custom: '   ' },
          { custom: '<script>alert(1)</script>' },
          { block: 'subscribe' },
        ],
      },
      decoding,
    );
    expect(positionsAndCustomBlocks).toEqual([
      { block: 'faq' },
      { block: 'header' },
      { block: 'metrics' },
      { custom: [['p', null, [['strong', null, ['Bold']]]]], id: 'block-14' },
      { block: 'subscribe' },
    ]);
    const at = (index: number) => `positionsAndCustomBlocks[${index}]`;
    expect(decoding.problems.map(({ field, reason }) => [field, reason])).toEqual([
      [at(1), expect.stringContaining("'Faq' is not shown: one of header, countries,")],
      [at(2), expect.stringContaining("'__proto__' is not shown")],
      [at(4), expect.stringContaining("'footer' is not shown")],
      [at(5), "the block 'header' is named twice: it is shown at the first place"],
      [at(6), "the block 'faq' is named twice: it is shown at the first place"],
      [
        at(7),
        '5 is not shown: an object with block, custom, anchor, hidden, publishAt, unpublishAt, name, id is needed',
      ],
      [
        at(10),
        'a list is not shown: an object with block, custom, anchor, hidden, publishAt, unpublishAt, name, id is needed',
      ],
      [
        at(11),
        "'blok': not shown, because the known keys are block, custom, anchor, hidden, publishAt, unpublishAt, name, id",
      ],
      [`${at(12)}.custom`, 'the text is not shown: a position has a block or a text'],
      [`${at(15)}.custom`, '<script> is not shown, with all that is in it'],
    ]);
  });

  it('the block order omits hidden rows, and if all are hidden, the other blocks keep their default order', () => {
    const order = (...rows: object[]) =>
      landingOf({ positionsAndCustomBlocks: rows }).positionsAndCustomBlocks;
    const faq = { block: 'faq', hidden: true };
    expect(order(faq, { block: 'header' }, { custom: 'Words', hidden: true })).toEqual([{ block: 'header' }]);
    const others = blocks.map(({ name }) => ({ block: name })).filter(({ block }) => block !== 'faq');
    expect(order(faq)).toEqual(others);
  });

  it('an empty block order of the landing page stays empty', () => {
    expect(landingOf({ positionsAndCustomBlocks: [] }).positionsAndCustomBlocks).toEqual([]);
  });
});

describe('the countries', () => {
  it.each([
    [0, [0, 0, 0]],
    [1, [1, 0, 0]],
    [2, [1, 1, 0]],
    [3, [1, 1, 1]],
    [4, [2, 2, 0]],
    [5, [2, 2, 1]],
    [6, [2, 2, 2]],
    [7, [3, 3, 1]],
    [32, [11, 11, 10]],
    [40, [14, 14, 12]],
  ])('%i countries are split into columns of these sizes: %j', (count, sizes) => {
    const countries_list = Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      title: `Country ${index}`,
    }));
    const columns = inColumns(landingOf({ countries_list }).countries_list);
    expect(columns.map(column => column.length)).toEqual(sizes.filter(size => size > 0));
    expect(columns.flat().map(({ title }) => title)).toEqual(countries_list.map(({ title }) => title));
  });

  it('the columns of countries contain each country once', () => {
    for (let count = 0; count <= 100; count += 1) {
      const items = Array.from({ length: count }, (_, index) => index);
      const columns = inColumns(items);
      expect(columns.flat()).toEqual(items);
      const size = Math.ceil(count / 3);
      expect(columns.every(column => column.length <= size)).toBe(true);
      expect(columns[0] ?? []).toHaveLength(size);
    }
  });

  it('countries may be components, and a country without a title and a name is left out', () => {
    const decoding = startDecoding();
    const { countries_list } = decode(
      {
        id: 1,
        countries_list: [
          { id: 1, name: 'spain', image: [{ id: 4, url: '/uploads/es.svg' }] },
          { id: 2, link: '/nowhere' },
          { id: 3, title: 'Perú', link: 'javascript:alert(1)', image: { url: 'https://x.example/a.png' } },
        ],
      },
      decoding,
    );
    expect(countries_list).toEqual([
      { id: '1', name: 'spain', title: 'spain', link: null, image: '/uploads/es.svg' },
      { id: '3', name: null, title: 'Perú', link: null, image: null },
    ]);
    expect(decoding.problems).toEqual([
      {
        kind: 'row-left-out',
        type: 'landing.countries_list',
        id: '2',
        field: 'title',
        reason: 'a country needs a title',
      },
      {
        ...{ kind: 'address-refused', type: 'landing.countries_list', id: '3', field: 'link' },
        reason: expect.stringContaining("'javascript:alert(1)'"),
      },
      {
        ...{ kind: 'address-refused', type: 'landing.countries_list', id: '3', field: 'image' },
        reason: expect.stringContaining("'https://x.example/a.png'"),
      },
    ]);
  });
});

describe('the JSON-LD schemas', () => {
  it('JSON-LD schemas keep everything except executable addresses and __proto__ keys', () => {
    const { schema1 } = landingOf({
      schema1:
        '{"@type":"Organization","url":"javascript:alert(1)","name":"Note: a javascript: primer","__proto__":{"x":1},"sameAs":["https://example.com/","java\\tscript:x"],"logo":{"url":" data:text/html,x"}}',
    });
    expect(JSON.parse(schema1 ?? '')).toEqual({
      '@type': 'Organization',
      name: 'Note: a javascript: primer',
      sameAs: ['https://example.com/', null],
      logo: {},
    });
    expect(schema1).not.toContain('__proto__');
  });

  it.each([
    ['an object', { '@type': 'X' }, '{"@type":"X"}'],
    ['a list', [{ '@type': 'X' }], '[{"@type":"X"}]'],
    ['a string of JSON', '{ "@type": "X" }', '{"@type":"X"}'],
    ['a string of a string of JSON', '"{\\"@type\\":\\"X\\"}"', '{"@type":"X"}'],
    ['a string of a word', '"X"', null],
    ['a number', 4, null],
    ['nested too deeply for JSON.stringify', '['.repeat(100_000) + ']'.repeat(100_000), null],
  ])('a JSON-LD schema given as %s becomes a JSON string or null', (_, value, expected) => {
    const landing = landingOf({ schema1: value, schema2: value, schema3: value });
    for (const name of SCHEMAS) expect(landing[name]).toBe(expected);
  });
});

describe('payment methods', () => {
  it.each([
    [
      { title: 'Visa', image: null },
      { title: 'Visa', icon: null, alt: 'Visa' },
    ],
    [
      { title: null, image: { url: '/uploads/v.svg', alternativeText: 'Visa' } },
      { title: null, icon: '/uploads/v.svg', alt: 'Visa' },
    ],
    [{ image: { url: '/uploads/v.svg' } }, { title: null, icon: '/uploads/v.svg', alt: '' }],
    [
      { title: 'Visa', image: { url: '/uploads/v.svg', alternativeText: '' } },
      { title: 'Visa', icon: '/uploads/v.svg', alt: 'Visa' },
    ],
  ])('the payment methods %j decode to %j', (row, expected) => {
    const { paymentBlockImages: images } = landingOf({ paymentBlockImages: [{ id: 1, ...row }] });
    expect(shownImages(images)).toEqual([expected]);
  });
});

describe('faqBlockContent', () => {
  it.each([
    ['Markdown', '**Bold**', [['p', null, [['strong', null, ['Bold']]]]]],
    ['HTML', '<p>Plain</p>', [['p', null, ['Plain']]]],
    ['text that looks like JSON', '{"a":1}', [['p', null, ['{"a":1}']]]],
  ])('faqBlockContent is compiled: %s', (_, faqBlockContent, tree) => {
    expect(landingOf({ faqBlockContent }).faqBlockContent).toEqual(tree);
  });

  it.each([null, undefined, 5, {}, []])('faqBlockContent decodes %j to an empty text', faqBlockContent => {
    expect(landingOf({ faqBlockContent }).faqBlockContent).toEqual([]);
  });
});
