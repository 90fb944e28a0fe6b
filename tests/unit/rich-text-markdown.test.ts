import fc from 'fast-check';
import type { Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, it } from 'vitest';
import { richTextMarkdown } from '../../server/endpoints/markdown/rich-text-markdown.ts';
import type { RichText } from '../../shared/content/rich-text.ts';
import { compileSafely } from '../support/safe-rich-text.ts';

const PAGE = 'https://site.example/blog/a/b';
const parser = unified().use(remarkParse).use(remarkGfm);

/** @returns a Markdown tree as a text of node types and words, without addresses. */
function shapeOf(node: Nodes): string {
  if ('value' in node) return node.type === 'text' ? node.value : `${node.type}(${node.value})`;
  const inner = 'children' in node ? node.children.map(shapeOf).join('') : '';
  return ['root', 'text'].includes(node.type) ? inner : `${node.type}(${inner})`;
}

const written = (text: RichText) => richTextMarkdown(text, PAGE);
const read = (markdown: string) => shapeOf(parser.parse(markdown)).replace(/\s+/g, ' ');

describe('richTextMarkdown', () => {
  it.for([
    ['headings', '## One\n\n### Two *words*', '## One\n\n### Two *words*'],
    ['marks', 'a **b** *c* ~~d~~ `e` `` f`g ``', 'a **b** *c* ~~d~~ `e` ``f`g``'],
    ['a break', 'a\\\nb', 'a\\\nb'],
    [
      'links',
      '[a](/x) [b](https://e.example/p_(q)) <https://f.example>',
      `[a](https://site.example/x) [b](https://e.example/p_%28q%29) [https://f.example](https://f.example/)`,
    ],
    [
      'a picture',
      '![What it shows](/uploads/p.png "t")',
      '![What it shows](https://site.example/uploads/p.png)\n\nt',
    ],
    ['lists', '- a\n- b\n  - c\n\n3. d\n4. e', '- a\n- b\n  - c\n\n3. d\n4. e'],
    ['a loose list', '- a\n\n  b\n\n- c', '- a\n\n  b\n\n- c'],
    ['tasks', '- [x] a\n- [ ] b', '- [x] a\n- [ ] b'],
    ['a quotation', '> a\n>\n> b', '> a\n>\n> b'],
    ['a callout', '> [!WARNING]\n> a', '> [!WARNING]\n> a'],
    ['code', '```ts\nconst a = `b`;\n\nc\n```', '```ts\nconst a = `b`;\n\nc\n```'],
    ['a table', '| a | b |\n| - | - |\n| `c\\|d` | e |', '| a | b |\n| --- | --- |\n| `c\\|d` | e |'],
    ['a rule', 'a\n\n---\n\nb', 'a\n\n---\n\nb'],
    ['two lists', '- a\n\n<!-- x -->\n\n- b', '- a\n\n<!-- -->\n\n- b'],
    ['a sum', '<details><summary>More</summary><p>a</p></details>', '**More**\n\na'],
  ] as const)('richTextMarkdown writes %s', async ([, source, expected]) => {
    expect(written(await compileSafely(source))).toBe(expected);
  });

  it('texts have the same words after writing and parsing Markdown, whatever marks they contain', () => {
    const word = fc.string({
      unit: fc.constantFrom(...'a1 .)*_`~[]()<>#+-=|!&\\;:/"\'x'),
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), words => {
        const expected = words.map(text => text.replace(/\s+/g, ' ').trim()).filter(text => text !== '');
        const tree: RichText = words.map(text => ['p', null, [text]]);
        expect(read(written(tree))).toBe(expected.map(text => `paragraph(${text})`).join(''));
      }),
      { numRuns: 2_000 },
    );
  });
});
