import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRedirectTable, redirectRows } from '../../server/addresses/redirect-table.ts';
import {
  decodeArticle,
  decodeArticleSummary,
  decodeAuthor,
  decodeBlogPage,
  decodeCategory,
  entryDecodersOf,
} from '../../server/decode/decode-blog.ts';
import { decodeLanding } from '../../server/decode/decode-landing.ts';
import { decodeSettings, decodeSocial } from '../../server/decode/decode-settings.ts';
import { entryOf, rowsOf } from '../../server/wire/wire.ts';
import { CAPTURE_SETS, decodeRows, startDecoding } from '../support/decoding.ts';
import { capture } from '../support/fake-backend.ts';
import { runs } from '../support/in-full.ts';

const LISTS = {
  categories: decodeCategory,
  authors: decodeAuthor,
  socials: decodeSocial,
  'articles-page-1': decodeArticle,
  'articles-page-2': decodeArticle,
  'articles-by-category': decodeArticleSummary,
  'article-by-slug-deep': decodeArticle,
  'business-solutions': entryDecodersOf('business-solutions').summary,
  commerces: entryDecodersOf('commerces').full,
  pages: entryDecodersOf('pages').full,
} as const;
const SINGLES = { landing: decodeLanding, settings: decodeSettings, 'main-page': decodeBlogPage } as const;

/** Decodes a response as a list and as a single entry, with the decoders of all types. */
function decodeAll(body: unknown): void {
  const { context, problems } = startDecoding();
  for (const decode of new Set(Object.values(LISTS))) {
    const before = problems.length;
    const rows = decodeRows<unknown>('things', body, decode, context);
    expect(rows ?? []).not.toContain(null);
    expect(rows ?? []).not.toContain(undefined);
    // Each row is decoded or reported, whatever the problems inside it.
    const given = rows === null ? 0 : (rowsOf(body)?.length ?? 0);
    const leftOut = problems
      .slice(before)
      .filter(({ kind, type }) => kind === 'row-left-out' && type === 'things');
    expect((rows?.length ?? 0) + leftOut.length).toBe(given);
  }
  const entry = entryOf(body);
  if (entry) {
    for (const decode of Object.values(SINGLES)) {
      const { attributes, ...decoded } = decode(entry, context);
      expectNoNullInLists(decoded);
    }
  }
  for (const { reason } of problems) expect(reason).not.toBe('');
  buildRedirectTable(redirectRows(rowsOf(body) ?? [body]));
}

/** Rich text uses null for "no attributes". Elsewhere, null in a list is a bug of the decoder. */
function expectNoNullInLists(value: unknown): void {
  if (Array.isArray(value)) {
    if (typeof value[0] === 'string' && value.length === 3 && Array.isArray(value[2])) return;
    for (const item of value) {
      expect(item).not.toBeNull();
      expect(item).not.toBeUndefined();
      expectNoNullInLists(item);
    }
  } else if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(expectNoNullInLists);
  }
}

type Path = readonly (string | number)[];

/** @returns the path of every value in a JSON document, the root included. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [
    path,
    ...[...keys].flatMap(key => pathsOf((value as Record<typeof key, unknown>)[key], [...path, key])),
  ];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<typeof key, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const NAMES = [
  ...['data', 'attributes', 'id', 'documentId', 'meta', 'title', 'name', 'slug', 'url', 'formats', 'width'],
  ...[
    'questions',
    'question',
    'answer',
    'image',
    'icon',
    'link',
    'href',
    'items',
    'steps',
    'children',
    'body',
  ],
  ...[
    'date',
    'publishedAt',
    'createdAt',
    'category',
    'author',
    'cover',
    'headerBlock',
    'faqBlock',
    'from',
    'to',
  ],
  ...[
    'countries_list',
    'paymentBlockImages',
    'block1Icons',
    'positionsAndCustomBlocks',
    'schema1',
    'headerLinks',
  ],
  ...[
    'metricsBlockUsdList',
    'value',
    'contactsListWithCheckmarks',
    'statusCode',
    'custom',
    'block',
    'socials',
  ],
];
/** Field names that the decoders read, and names with a meaning in JavaScript. */
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...NAMES) },
  fc.constantFrom('__proto__', 'constructor', 'toString', 'valueOf', 'length', 'hasOwnProperty', 'toJSON'),
  fc.string(),
);
/** Values with a special meaning for the decoders. */
const leaf = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom<unknown>(
    'news',
    '/uploads/a.png',
    'https://media.example/a',
    '2025-05-06',
    '{"a":',
    '"',
    '[]',
  ),
  fc.constantFrom<unknown>('\ud800', '\u0000', '/**', '/a/**', '<p>x', '**', '-1', '1e999', -0, 1e300, null),
);
const shaped = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    tie('value').map(value => JSON.stringify(value)),
  ),
})).value;

describe('no decoder throws or leaves null in a list', () => {
  it('no decoder throws for any value', () => {
    fc.assert(fc.property(fc.anything({ withNullPrototype: true, withDate: true }), decodeAll), {
      numRuns: runs(300),
    });
  });

  it('no decoder throws for any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), decodeAll), { numRuns: runs(300) });
  });

  it('no decoder throws for any JSON with known field names', () => {
    fc.assert(fc.property(shaped, decodeAll), { numRuns: runs(600) });
  });

  it('no decoder throws for any list of rows', () => {
    const body = fc.record({ data: fc.array(fc.dictionary(key, shaped), { maxLength: 3 }) });
    fc.assert(fc.property(body, decodeAll), { numRuns: runs(300) });
  });

  it.each(
    CAPTURE_SETS.flatMap(set =>
      [...Object.keys(LISTS), ...Object.keys(SINGLES)].map(file => [set, file] as const),
    ),
  )('no decoder throws for the recorded response of %s with one value replaced: %s', (set, file) => {
    const body = capture(set, `${file}.json`);
    const mutated = fc
      .tuple(fc.constantFrom(...pathsOf(body)), fc.oneof(fc.jsonValue(), shaped, fc.constant(undefined)))
      .map(([path, by]) => replaced(body, path, by));
    fc.assert(fc.property(mutated, decodeAll), { numRuns: runs(20) });
  });

  it('no decoder throws for a recorded response with one value replaced by null', () => {
    for (const file of ['landing', 'settings']) {
      const body = capture('v5-as-v4', `${file}.json`);
      for (const path of pathsOf(body)) decodeAll(replaced(body, path, null));
    }
  });
});
