import { describe, expect, it } from 'vitest';
import { decodeFields } from '../../server/decode/decode-entity.ts';
import {
  decodeRelated,
  imageOf,
  mediaAddressesOf,
  mediaAddressOf,
  schemaOf,
} from '../../server/decode/decode-fields.ts';
import { rowsIn } from '../../server/wire/content-calls.ts';
import { dateOf, entryOf, jsonOf, rowsOf, textOf } from '../../server/wire/wire.ts';
import type { FieldDescription } from '../../shared/content/descriptions.ts';
import { ok } from '../../shared/result.ts';
import { link, question } from '../../site/components.ts';
import { siteTypes } from '../../site/types.ts';
import { startDecoding } from '../support/decoding.ts';

const { context } = startDecoding();

/** Decodes one value by the description of its field. */
function decodeField(field: FieldDescription, value: unknown): unknown {
  const type = { path: null, noun: 'a thing', fields: { field } };
  return decodeFields<typeof type>(type, { field: value }, context).field;
}
const linkAt = (value: unknown) => decodeField({ kind: 'object', component: link, label: 'Link' }, value);
const questionsOf = (value: unknown) =>
  decodeField({ kind: 'list', component: question, label: 'Questions' }, value);

describe('entryOf', () => {
  it.each([
    ['Strapi 4', { id: 1, attributes: { a: 2 } }, { id: '1', attributes: { a: 2 } }],
    [
      'Strapi 5 with the header',
      { id: 1, documentId: 'd', attributes: { a: 2 } },
      { id: 'd', attributes: { a: 2 } },
    ],
    ['Strapi 5', { id: 1, documentId: 'd', a: 2 }, { id: 'd', attributes: { id: 1, documentId: 'd', a: 2 } }],
    ['a single answer', { data: { id: 1, attributes: { a: 2 } } }, { id: '1', attributes: { a: 2 } }],
  ])('entryOf reads an entry in the shape of %s', (_, value, entry) => {
    expect(entryOf(value)).toEqual(entry);
  });

  it.each([
    null,
    undefined,
    'text',
    5,
    [],
    [{ id: 1 }],
    {},
    { data: null },
    { attributes: { a: 1 } },
    { id: null },
    { id: '' },
    { id: Number.NaN },
    { id: {} },
  ])('entryOf finds no entry in %j', value => {
    expect(entryOf(value)).toBeNull();
  });
});

describe('rowsOf', () => {
  it.each([
    [[], []],
    [{ data: [] }, []],
    [{ data: null }, []],
    [null, []],
    [undefined, []],
    [[1], [1]],
    [{ data: [1] }, [1]],
    [{ id: 1 }, null],
    ['text', null],
    [{ data: { id: 1 } }, null],
  ])('rowsOf turns %j into %j', (value, rows) => {
    expect(rowsOf(value)).toEqual(rows);
  });
});

describe('jsonOf', () => {
  it.each([
    ['an object', { a: 1 }, { a: 1 }],
    ['a list', [1], [1]],
    ['text of an object', '{"a":1}', { a: 1 }],
    ['text of text of an object', '"{\\"a\\":1}"', { a: 1 }],
    ['text of null', 'null', null],
    ['null', null, null],
    ['undefined', undefined, null],
    ['broken text', '{"a":', null],
    ['text of broken text', '"{"', null],
    ['empty text', '', null],
  ])('jsonOf parses %s', (_, value, expected) => {
    expect(jsonOf(value)).toEqual(expected);
  });

  it('jsonOf parses JSON that was encoded twice, but not a third time', () => {
    const thrice = JSON.stringify(JSON.stringify(JSON.stringify({ a: 1 })));
    expect(jsonOf(thrice)).toBe('{"a":1}');
  });
});

describe('textOf', () => {
  it.each([
    [' a ', 'a'],
    ['\u00a0\n', null],
    ['', null],
    [0, '0'],
    [1.5, '1.5'],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [null, null],
    [undefined, null],
    [true, null],
    [[], null],
    [{}, null],
  ])('textOf turns %j into %j', (value, text) => {
    expect(textOf(value)).toBe(text);
  });
});

describe('dateOf', () => {
  it.each([
    ['2026-11-21T09:37:14.891Z', '2026-11-21T09:37:14.891Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T09:37:14+01:00', '2026-11-21T08:37:14.000Z'],
    ['2026-02-31x', null],
    ['Article 7', null],
    ['12', null],
    ['', null],
    [1_763_717_834_891, null],
    [null, null],
  ])('dateOf turns %j into %j', (value, date) => {
    expect(dateOf(value)).toBe(date);
  });
});

describe('a media address', () => {
  it.each([
    ['relative', '/uploads/a.png', '/uploads/a.png'],
    ['relative without a slash', 'uploads/a.png', '/uploads/a.png'],
    ["absolute, the backend's own", 'https://cms.example/uploads/a.png', '/uploads/a.png'],
    ['absolute on an allowed origin', 'https://media.example/a.png', 'https://media.example/a.png'],
    ['absolute elsewhere', 'https://elsewhere.example/a.png', null],
    ['on the allowed host with another protocol', 'http://media.example/a.png', null],
    ['a script', 'javascript:alert(1)', null],
    ['data', 'data:image/png;base64,AA==', null],
    ['out of its folder', '/uploads/../secret', null],
    ['null', null, null],
    ['a number', 5, null],
  ])('a media address is read and checked: %s', (_, url, address) => {
    const medium = { id: 1, attributes: { url } };
    expect(mediaAddressOf({ data: medium }, context)).toBe(address);
    expect(mediaAddressOf({ id: 1, documentId: 'd', url }, context)).toBe(address);
    expect(imageOf({ data: medium }, context)?.src ?? null).toBe(address);
    expect(mediaAddressesOf({ data: [medium] }, context)).toEqual(address === null ? [] : [address]);
  });

  it('a media address may be a plain string in JSON by an editor', () => {
    expect(mediaAddressOf('/uploads/a.svg', context)).toBe('/uploads/a.svg');
    expect(mediaAddressOf({ url: '/uploads/a.svg' }, context)).toBe('/uploads/a.svg');
  });
});

describe('imageOf', () => {
  const image = (attributes: Record<string, unknown>) =>
    imageOf({ data: { id: 1, attributes: { url: '/uploads/a.png', ...attributes } } }, context);

  it('imageOf reads the first of several images', () => {
    const media = [
      { id: 1, url: '/uploads/first.png' },
      { id: 2, url: '/uploads/second.png' },
    ];
    expect(imageOf(media, context)?.src).toBe('/uploads/first.png');
    expect(imageOf({ data: media }, context)?.src).toBe('/uploads/first.png');
  });

  it.each([null, undefined, [], { data: null }, { data: [] }, 'text', 5])(
    'imageOf finds no image in %j',
    value => {
      expect(imageOf(value, context)).toBeNull();
    },
  );

  it.each([
    [null, ''],
    ['', ''],
    [' Card ', 'Card'],
    [undefined, ''],
  ])('imageOf reads the alternative text %j as %j', (alternativeText, alt) => {
    expect(image({ alternativeText })?.alt).toBe(alt);
  });

  it.each([
    [64, 64],
    [63.6, 64],
    [0, null],
    [-1, null],
    [null, null],
    ['64', null],
  ])('imageOf reads the width %j as %j', (width, expected) => {
    expect(image({ width })?.width).toBe(expected);
  });

  it('imageOf ignores the backend’s renditions of a picture that the site itself scales', () => {
    const formats = { small: { url: '/uploads/small.png', width: 500, height: 10 } };
    expect(image({ formats })).toMatchObject({ formats: [], scaled: true });
  });

  it('imageOf sorts the renditions by width, and leaves out unusable ones', () => {
    const format = (name: string, width: unknown, height: unknown = 10) => ({
      url: `/uploads/${name}.png`,
      width,
      height,
    });
    const formats = {
      large: format('large', 1000),
      thumbnail: format('thumbnail', 245),
      broken: null,
      text: 'x',
      sizeless: format('sizeless', null),
      flat: format('flat', 300, 0),
      elsewhere: { url: 'https://elsewhere.example/a.png', width: 500, height: 10 },
      small: format('small', 500),
    };
    // The site does not scale WebP, so it uses the backend's renditions.
    const url = '/uploads/a.webp';
    const expected = [
      { src: '/uploads/thumbnail.png', width: 245, height: 10 },
      { src: '/uploads/small.png', width: 500, height: 10 },
      { src: '/uploads/large.png', width: 1000, height: 10 },
    ];
    expect(image({ url, formats })?.formats).toEqual(expected);
    expect(image({ url, formats: JSON.stringify(formats) })?.formats).toEqual(expected);
  });

  it.each([null, undefined, [], 'x', '{', 5])('imageOf returns no renditions for %j', formats => {
    expect(image({ url: '/uploads/a.webp', formats })?.formats).toEqual([]);
  });
});

describe('linkAt', () => {
  it.each([
    [
      { title: 'A', href: '/a' },
      { title: 'A', href: '/a', icon: null, text: null },
    ],
    [
      { title: 'A', link: '/a' },
      { title: 'A', href: '/a', icon: null, text: null },
    ],
    [
      { title: ' A ', href: '#x', icon: '/uploads/i.svg', extra: 1 },
      { title: 'A', href: '#x', icon: '/uploads/i.svg', text: null },
    ],
    [
      { title: 'A', href: '/a', icon: 'javascript:x' },
      { title: 'A', href: '/a', icon: null, text: null },
    ],
    [{ title: 'A' }, null],
    [{ href: '/a' }, null],
    [{ title: 'A', href: 'data:text/html,x' }, null],
    [{ title: 'A', href: '//user@evil.example/' }, null],
    ['/a', null],
    [null, null],
    [[], null],
  ])('linkAt turns %j into %j', (value, link) => {
    expect(linkAt(value)).toEqual(link);
  });
});

describe('questionsOf', () => {
  it('questionsOf leaves out items without a question or an answer', () => {
    const value = [
      { question: 'Why?', answer: 'Because.' },
      { question: 'Why?' },
      { answer: 'Because.' },
      { question: ' ', answer: 'Because.' },
      { question: 'Why?', answer: '<script>x</script>' },
      'Why?',
      null,
    ];
    expect(questionsOf(value)).toEqual([{ question: 'Why?', answer: [['p', null, ['Because.']]] }]);
  });

  it.each([null, undefined, '', '{', '[{"question":"Wh', {}, 5])(
    'questionsOf returns no questions for %j',
    value => {
      expect(questionsOf(value)).toEqual([]);
    },
  );
});

describe('rowsIn', () => {
  it.each([null, undefined, 'html', 5, { data: null }, { data: 'x' }, { data: {} }, {}, { error: {} }])(
    'rowsIn rejects %j as a backend failure, instead of returning an empty list',
    body => {
      expect(() => rowsIn(siteTypes.page, body)).toThrow('the answer holds no list');
    },
  );

  it.each([[[]], [{ data: [] }]])('rowsIn returns an empty list for %j', body => {
    expect(rowsIn(siteTypes.page, body)).toEqual([]);
  });
});

describe('decodeRelated', () => {
  it.each([null, undefined, [], { data: null }, { data: [] }, 'x', {}])(
    'decodeRelated returns no rows for %j',
    value => {
      expect(decodeRelated('things', value, row => ok(row), context)).toEqual([]);
    },
  );
});

describe('schemaOf', () => {
  it('schemaOf leaves out a JSON-LD block that is too large, and reports it', () => {
    const { context, problems } = startDecoding();
    expect(schemaOf({ text: 'a'.repeat(199_000) }, context)).toHaveLength(199_011);
    expect(problems).toEqual([]);
    expect(schemaOf({ text: 'a'.repeat(200_000) }, context)).toBeNull();
    expect(problems).toMatchObject([
      { kind: 'value-left-out', reason: 'the JSON-LD has more than 200000 characters and is left out' },
    ]);
  });
});
