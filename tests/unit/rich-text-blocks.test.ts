import { describe, expect, it } from 'vitest';
import { plainText } from '../../server/rich-text/nodes/read-rich-text.ts';
import { compileWithLosses } from '../support/safe-rich-text.ts';

type Marks = Partial<Record<'bold' | 'italic' | 'underline' | 'strikethrough' | 'code', true>>;
const text = (words: string, marks: Marks = {}) => ({ type: 'text', text: words, ...marks });
const block = (type: string, children: readonly unknown[], more: object = {}) => ({
  type,
  ...more,
  children,
});
const paragraph = (...children: unknown[]) => block('paragraph', children);
const item = (...children: unknown[]) => block('list-item', children);
const list = (format: 'ordered' | 'unordered', ...children: unknown[]) => block('list', children, { format });

/** Blocks as Strapi's editor writes them, and the equivalent Markdown or HTML. */
const SAME: readonly (readonly [what: string, blocks: readonly unknown[], markdown: string])[] = [
  ['paragraphs', [paragraph(text('One.')), paragraph(text('Two.'))], 'One.\n\nTwo.'],
  ['an empty paragraph at the end', [paragraph(text('One.')), paragraph(text(''))], 'One.'],
  [
    'headings',
    [block('heading', [text('Fees')], { level: 2 }), block('heading', [text('A detail')], { level: 4 })],
    '## Fees\n\n#### A detail',
  ],
  ['a large heading', [block('heading', [text('Fees')], { level: 1 })], '# Fees'],
  [
    'marks, and the space between them',
    [
      paragraph(
        text('A '),
        text('bold', { bold: true }),
        text(' '),
        text('slanted', { italic: true }),
        text(', '),
        text('f(x)', { code: true }),
        text('.'),
      ),
    ],
    'A **bold** *slanted*, `f(x)`.',
  ],
  [
    'several marks on one text',
    [paragraph(text('very', { bold: true, italic: true }))],
    '***very***'.replace(/^(\*{3})(.*)\1$/, '<p><strong><em>$2</em></strong></p>'),
  ],
  [
    'underlined and struck texts',
    [paragraph(text('new', { underline: true }), text('old', { strikethrough: true }))],
    '<p><u>new</u><s>old</s></p>',
  ],
  ['a line that ends', [paragraph(text('One\nTwo'))], 'One\\\nTwo'],
  ['a text that looks like Markdown', [paragraph(text('2 * 3 * 4 <b>'))], '2 \\* 3 \\* 4 \\<b>'],
  [
    'links',
    [
      paragraph(
        text('See '),
        block('link', [text('all '), text('fees', { bold: true })], { url: '/fees' }),
        text('.'),
      ),
    ],
    'See [all **fees**](/fees).',
  ],
  ['a list', [list('ordered', item(text('One')), item(text('Two')))], '1. One\n2. Two'],
  [
    'a list in a list',
    [list('unordered', item(text('One')), list('ordered', item(text('In it'))), item(text('Two')))],
    '- One\n  1. In it\n- Two',
  ],
  ['a quote', [block('quote', [text('Said')])], '> Said'],
  [
    'code',
    [block('code', [text('const a = 1;\nf(a);')], { language: 'js' })],
    '```js\nconst a = 1;\nf(a);\n```',
  ],
  ['code without a language', [block('code', [text('a < b')])], '```\na < b\n```'],
  [
    'a picture',
    [
      block('image', [text('')], {
        image: {
          url: '/uploads/a.png',
          alternativeText: 'A',
          name: 'a.png',
          width: 40,
          height: 30,
          formats: null,
        },
      }),
    ],
    '<p><img src="/uploads/a.png" alt="A" width="40" height="30"></p>',
  ],
  [
    'a picture with a caption',
    [
      block('image', [text('')], {
        image: { url: '/uploads/a.png', alternativeText: null, caption: 'The sea' },
      }),
    ],
    '<figure><img src="/uploads/a.png" alt=""><figcaption>The sea</figcaption></figure>',
  ],
];

describe('a body of the Blocks editor is the same as one in Markdown or HTML', () => {
  it.each(SAME)('Blocks compile like Markdown or HTML: %s', (_, blocks, markdown) => {
    const expected = compileWithLosses(markdown);
    expect(expected.losses).toEqual([]);
    expect(compileWithLosses(blocks)).toEqual(expected);
  });

  it('all kinds of Blocks in one text compile like Markdown', () => {
    const blocks = SAME.filter(([, , source]) => !source.startsWith('<')).flatMap(([, parts]) => parts);
    const sources = SAME.flatMap(([, , source]) => (source.startsWith('<') ? [] : [source]));
    // The HTML comment ends a list. Otherwise the next list would continue it.
    const { tree } = compileWithLosses(sources.join('\n\n<!-- -->\n\n'));
    expect(compileWithLosses(blocks)).toEqual({ tree, losses: [] });
  });

  it('refused addresses in Blocks are left out and reported', () => {
    const { tree, losses } = compileWithLosses([
      paragraph(block('link', [text('a trap')], { url: 'javascript:alert(1)' })),
      block('image', [text('')], {
        image: { url: 'https://elsewhere.example/a.png', alternativeText: 'A spy' },
      }),
    ]);
    expect(plainText(tree)).toBe('a trap A spy');
    expect(JSON.stringify(tree)).not.toMatch(/javascript|elsewhere/);
    expect(losses.map(({ kind }) => kind)).toEqual(['address-refused', 'address-refused']);
  });

  it('nested lists deeper than 100 in Blocks are shown as text', () => {
    const deep = Array.from({ length: 300 }).reduce<unknown>(
      inner => list('ordered', inner),
      item(text('Last words')),
    );
    const { losses } = compileWithLosses([paragraph(text('First words')), deep]);
    expect(losses).toMatchObject([
      { kind: 'shown-as-text', reason: expect.stringContaining('deeper than 100') },
    ]);
  });
});
