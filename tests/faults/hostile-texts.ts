import fc from 'fast-check';
import type { Behaviour, FakeBackend } from '../support/fake-backend.ts';

/** Texts that an editor could enter into the fields of one page. */
export interface HostilePage {
  readonly name: string;
  /** Rich text: Markdown, HTML or Blocks. */
  readonly body: unknown;
  readonly questions?: readonly { readonly question: string; readonly answer: string }[];
}

/** @returns a block of code in Markdown. */
export const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;
/**
 * @returns a repeated text of at most `length` characters. `N` is replaced by the number of the repetition.
 */
export function repeatedTo(length: number, unit: string): string {
  const units: string[] = [];
  let total = 0;
  for (let number = 0; ; number += 1) {
    const next = unit.replaceAll('N', String(number));
    total += next.length;
    if (total > length || next === '') return units.join('');
    units.push(next);
  }
}
const cells = (rows: number, columns: number, cell: string) =>
  [cell, '-', ...Array(rows).fill(cell)].map(text => `|${`${text}|`.repeat(columns)}\n`).join('');

/** A block of code whose highlighting takes minutes. */
export const SLOW_CODE = fence('html', repeatedTo(19_990, '<script>'));
/** A text within the bounds of `source-bounds.ts` that takes seconds to compile. */
export const SLOW_LINKS = repeatedTo(198_000, '[a](/b) ');
/** 19,000 elements, with as many texts between them. */
export const MANY_ELEMENTS = `<p>${'<b>a</b> '.repeat(19_000)}</p>`;
/** A table that compiles slowly, and is shown as a table. */
export const LARGE_TABLE = cells(200, 25, 'a');

/** SVG files without a readable size, by address. A search for their tag `<svg …>` once took minutes. */
export const HOSTILE_PICTURES: ReadonlyMap<string, string> = new Map(
  [64, 256].map(kilobytes => [`/uploads/hostile-${kilobytes}.svg`, '<svg'.repeat((kilobytes * 1024) / 4)]),
);

/** Makes a backend serve the hostile pictures. */
export function serveHostilePictures(backend: FakeBackend): void {
  for (const [src, text] of HOSTILE_PICTURES)
    backend.on(src, (_req, res) => void res.setHeader('content-type', 'image/svg+xml').end(text));
}

/** Pages that once stopped the site for seconds to minutes. */
export const HOSTILE_PAGES: readonly HostilePage[] = [
  { name: '20 KB of <script> in a block of code', body: SLOW_CODE },
  { name: '1.5 KB of <script> in a block of code', body: fence('html', repeatedTo(1_500, '<script>')) },
  {
    name: '12 blocks of code of 1.5 KB',
    body: Array(12)
      .fill(fence('html', repeatedTo(1_500, '<script>')))
      .join('\n\n'),
  },
  {
    name: '24 answers of 198 KB',
    body: 'A text.',
    questions: Array.from({ length: 24 }, (_, index) => ({
      question: `Question ${index}`,
      answer: `${SLOW_LINKS.slice(0, 197_000)} ${index}`,
    })),
  },
  { name: 'a body of links', body: SLOW_LINKS },
  { name: 'a table of 200 × 25 cells', body: LARGE_TABLE },
  { name: 'a table of 800 × 24 cells', body: cells(800, 24, 'a') },
  {
    name: 'a table of 800 × 24 cells, in HTML',
    body: `<table>${`<tr>${'<td>a</td>'.repeat(24)}</tr>`.repeat(800)}</table>`,
  },
  { name: '19,000 elements', body: MANY_ELEMENTS },
  { name: '19,000 links', body: `<p>${repeatedTo(195_000, '<a href=/N>')}</p>` },
  { name: 'pictures without a size', body: repeatedTo(100_000, '![a](/uploads/N.png)\n\n') },
  ...Array.from(HOSTILE_PICTURES.keys(), src => ({ name: `a picture: ${src}`, body: `![a](${src})` })),
  { name: 'headings', body: repeatedTo(60_000, '## Heading N\n\n') },
  { name: 'emphasis', body: '*a _b '.repeat(990) },
  { name: 'footnotes', body: repeatedTo(100_000, 'a[^N] \n\n[^N]: b\n\n') },
  { name: 'bare addresses', body: repeatedTo(190_000, 'www.N.example ') },
  { name: 'a text of 4.5 MB', body: 'word '.repeat(900_000) },
  { name: 'a text of 4.5 MB of tags', body: '<p>a '.repeat(900_000) },
  {
    name: 'Blocks of 4 MB',
    body: Array(40_000).fill({
      type: 'paragraph',
      children: [{ type: 'text', text: 'Words of a text, forty letters in all.' }],
    }),
  },
  {
    name: 'code of 20 KB in TypeScript',
    body: fence('ts', repeatedTo(19_990, 'export const aN: readonly string[] = [`b`, /d/.source]; // N\n')),
  },
];

/** Pieces from which hostile texts are generated. */
const PIECES = [
  ...[
    '*',
    '**',
    '_',
    '~~',
    '`',
    '```html\n',
    '```js\n',
    '```css\n',
    '[',
    ']',
    '](/a)',
    '](',
    '![',
    '<',
    '>',
    '</',
    '<b>',
    '</b>',
    '<p>',
  ],
  ...[
    '<div>',
    '<table>',
    '<td>',
    '<li>',
    '<a href=/N>',
    '<script>',
    '</script>',
    '<style>',
    '<!--',
    '-->',
    '&amp;',
    '&',
    '\\',
    '|',
    '-',
  ],
  ...[
    '| a ',
    '|\n',
    '|-|-|\n',
    '\n',
    '\n\n',
    '    ',
    '\t',
    '> ',
    '- ',
    '1. ',
    '# ',
    '[^N]',
    '[^N]: ',
    'www.',
    'https://',
    '@',
    'a',
    'N',
    ' ',
  ],
  ...[
    '"',
    "'",
    '=',
    '{',
    '}',
    '(',
    ')',
    ';',
    ':',
    '/',
    '/*',
    '//',
    '${',
    '#{',
    '0',
    'é',
    '😀',
    '\u0000',
    '\r\n',
  ],
];

/** Texts that repeat a few pieces, because parsers are slow for repetitions. */
export const hostileSource: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 2 }),
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(1_000, 6_000, 20_000, 60_000, 195_000),
  )
  .map(([first, unit, length]) => first.join('') + repeatedTo(length, unit.join('')));

/** Blocks of code in any of the languages. */
export const hostileCode: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('html', 'js', 'ts', 'css', 'json', 'yaml', 'bash', 'python', 'sql', 'diff', 'http'),
    fc.array(fc.constantFrom(...PIECES.filter(piece => !piece.includes('`'))), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom(1_500, 6_000, 19_900),
  )
  .map(([language, unit, length]) => fence(language, repeatedTo(length, unit.join(''))));

/**
 * Blocks as Strapi's editor sends them, and values that resemble them. They have at most 4 MB, because larger
 * responses are refused.
 */
export const hostileBlocks: fc.Arbitrary<unknown> = fc
  .tuple(hostileSource, fc.constantFrom(1, 20), fc.constantFrom('text', 'body', 'children', 'url'))
  .map(([text, times, key]) =>
    Array.from({ length: times }, () => ({
      type: 'paragraph',
      [key]: key === 'children' ? [{ type: 'text', text }] : text,
    })),
  );

/** Large or slow content other than a page's text. */
export interface HostileContent {
  readonly name: string;
  /** The call that gets the hostile response, and a page that shows it. */
  readonly path: string;
  readonly answer: Behaviour;
  readonly page: string;
}

const list = (rows: readonly object[]) => ({
  data: rows,
  meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: rows.length } },
});
const numbered = <T>(count: number, row: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => row(index));

export const HOSTILE_CONTENT: readonly HostileContent[] = [
  {
    name: '10,000 redirects',
    path: '/api/redirects',
    answer: list(numbered(10_000, id => ({ id, from: `/from/${id}`, to: `/to/${id}` }))),
    page: '/',
  },
  {
    name: '3,000 categories of ten questions',
    path: '/api/categories',
    answer: list(
      numbered(3_000, id => ({
        id,
        name: `Name ${id}`,
        slug: `slug-${id}`,
        questions: numbered(10, item => ({ question: `Q ${item}`, answer: `Answer **${id}**` })),
      })),
    ),
    page: '/blog',
  },
  {
    name: '30,000 authors',
    path: '/api/authors',
    answer: list(
      numbered(30_000, id => ({ id, name: `Name ${id}`, description: 'Some words about the author.' })),
    ),
    page: '/blog',
  },
  {
    name: 'JSON-LD of 4 MB',
    path: '/api/landing',
    answer: {
      data: {
        id: 1,
        title: 'Title',
        schema1: { '@graph': numbered(80_000, id => ({ '@id': `https://example.com/${id}` })) },
      },
    },
    page: '/',
  },
  {
    name: '60,000 links in the header',
    path: '/api/settings',
    answer: {
      data: { id: 1, headerLinks: numbered(60_000, id => ({ title: `Link ${id}`, href: `/link/${id}` })) },
    },
    page: '/about',
  },
  {
    name: '20,000 socials',
    path: '/api/socials',
    answer: list(numbered(20_000, id => ({ id, link: `https://s${id}.example/`, icon: null }))),
    page: '/about',
  },
  {
    name: '20,000 payment images',
    path: '/api/landing',
    answer: {
      data: {
        id: 1,
        title: 'Title',
        paymentsBlock: { title: 'Payments' },
        paymentBlockImages: numbered(20_000, id => ({
          id,
          title: `P ${id}`,
          image: { id, url: `/uploads/${id}.png`, width: 9, height: 9 },
        })),
      },
    },
    page: '/',
  },
  {
    name: '20,000 business solutions',
    path: '/api/business-solutions',
    answer: list(
      numbered(20_000, id => ({
        id,
        title: `T ${id}`,
        slug: `t-${id}`,
        description: 'Words of a description.',
      })),
    ),
    page: '/business-solutions/t-1',
  },
];
