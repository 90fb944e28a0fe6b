import { describe, expect, it } from 'vitest';
import { headings, plainText, readingMinutes } from '../../server/rich-text/nodes/read-rich-text.ts';
import type { RichNode } from '../../shared/content/rich-text.ts';
import { compile, compileSafely, failures } from '../support/safe-rich-text.ts';

it.each([[null], [undefined], [''], [' \n '], [5], [true], [{}], [[]], [[[]]]])(
  '%j compiles to an empty text',
  source => {
    expect(compile(source)).toEqual([]);
  },
);

describe('headings', () => {
  it('heading ids are made from the words of the headings', () => {
    expect(compileSafely('## A *b*\n\n##### E')).toEqual([
      ['h2', { id: 'a-b' }, ['A ', ['em', null, ['b']]]],
      ['h5', { id: 'e' }, ['E']],
    ]);
    expect(compileSafely('## Über uns')).toEqual([['h2', { id: 'über-uns' }, ['Über uns']]]);
  });
});

describe('code', () => {
  it.each([
    ['json', 'JSON', '{"a": [1, true]}', ['name', 'number', 'keyword']],
    ['ts', 'TypeScript', 'const a: number = "x"; // c', ['keyword', 'string', 'comment']],
    ['JS', 'JavaScript', 'return 5', ['keyword', 'number']],
    ['bash', 'Shell', 'echo "a" # c', ['keyword', 'string', 'comment']],
    ['http', 'HTTP', 'POST /a HTTP/1.1\nAccept: */*', ['keyword', 'string', 'name']],
    ['python', 'Python', 'def a(): return 1', ['keyword', 'number']],
    ['sql', 'SQL', "select a from b where c = 'd'", ['keyword', 'string']],
    ['xml', 'XML', '<a b="c"/>', ['name', 'string']],
    ['html', 'HTML', '<p class="c">', ['name', 'string']],
    ['css', 'CSS', 'a { color: #fff }', ['keyword', 'name', 'number']],
    ['yml', 'YAML', 'a: b # c', ['name', 'string', 'comment']],
    ['diff', 'Diff', '+ a\n- b', ['added', 'deleted']],
  ])('code in %s is labelled and coloured, and its text is unchanged', (language, name, source, colours) => {
    const tree = compileSafely(`\`\`\`${language}\n${source}\n\`\`\``);
    expect(tree[0]?.[1]).toEqual({ 'aria-label': `Code 1, ${name}`, 'data-language': name });
    const text = JSON.stringify(tree);
    for (const colour of colours) expect(text).toContain(`{"className":"el-code-${colour}"}`);
    const textOf = (node: RichNode): string =>
      typeof node === 'string' ? node : node[2].map(textOf).join('');
    expect(tree.map(textOf).join('')).toBe(`${source}\n`);
  });

  it.each([
    ['in an unknown language', 'constructor', 'a = 1'],
    ['of great length', 'json', '1, '.repeat(7_000).trim()],
    ['with tokens nested without end', 'python', 'f"{'.repeat(1_500)],
  ])('code %s stays uncoloured', (_name, language, source) => {
    const [node] = compileSafely(`\`\`\`${language}\n${source}\n\`\`\``);
    expect(node?.[2]).toEqual([['code', { className: `language-${language}` }, [`${source}\n`]]]);
    expect(failures.splice(0)).toEqual([]);
  });
});

it('each table is a landmark, so its label has a number that makes it unique', () => {
  const table = '<table><caption>Fees <b>2026</b></caption><tr><td>a</table>';
  expect(compileSafely(`${table}${table}`).map(node => node[1])).toEqual([
    { 'aria-label': 'Table 1: Fees 2026' },
    { 'aria-label': 'Table 2: Fees 2026' },
  ]);
});

it('a link opens a new window only with target=_blank', () => {
  expect(
    compileSafely('<p><a href="https://a.example/" target="_blank">a</a><a href="/b" target="x">b</a></p>'),
  ).toEqual([
    [
      'p',
      null,
      [
        ['a', { target: '_blank', href: 'https://a.example/', rel: 'noopener noreferrer' }, ['a']],
        ['a', { href: '/b' }, ['b']],
      ],
    ],
  ]);
});

it.each([
  ['/uploads/a.png', true],
  ['/uploads/a.JPG', true],
  ['https://cdn.example/a.jpeg?v=2', true],
  ['/uploads/a.svg', false],
  ['/uploads/a.gif', false],
  ['/uploads/a.webp', false],
  ['/uploads/png', false],
  ['/favicon.png', false],
])('a picture at %s is scaled by the site: %s', (src, scaled) => {
  expect(compile(`![b](${src})`)).toEqual([
    ['p', null, [['img', { alt: 'b', src, ...(scaled ? { scaled } : {}) }, []]]],
  ]);
  expect(JSON.stringify(compile(`<img src="${src}" width=8000 height=5001>`))).not.toContain('scaled');
});

it('headings() lists the headings for a table of contents', () => {
  const tree = compile('# One *two*\n\ntext\n\n### Three\n\n#### Four\n\n> ## Five');
  expect(headings(tree)).toEqual([
    { id: 'one-two', text: 'One two', level: 2 },
    { id: 'three', text: 'Three', level: 3 },
    { id: 'five', text: 'Five', level: 2 },
  ]);
});

it('plainText() puts a space between blocks', () => {
  expect(plainText(compile('# A\n\nb **c**d\n\n- e\n- f\\\ng'))).toBe('A b cd e f g');
});

it('readingMinutes() estimates the minutes of reading', () => {
  expect(readingMinutes([])).toBe(1);
  expect(readingMinutes(compile('word '.repeat(220 * 3)))).toBe(3);
});
