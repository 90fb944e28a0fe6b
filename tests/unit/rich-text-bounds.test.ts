import { describe, expect, it } from 'vitest';
import { compileRichText } from '../../server/rich-text/compiling/rich-text-compiler.ts';
import { plainText } from '../../server/rich-text/nodes/read-rich-text.ts';
import { UNBOUNDED } from '../../server/wire/cut-nodes.ts';
import { compile, failures, rules } from '../support/safe-rich-text.ts';

/** Repeats a unit, with `N` replaced by the number of the repetition. */
const repeated = (unit: string, times: number) =>
  Array.from({ length: times }, (_, index) => unit.replaceAll('N', String(index))).join('');

// Without bounds, each source would block the event loop for seconds or minutes, or exhaust the memory.
describe('a source that would cost too much', () => {
  it.each<[string, string, string]>([
    ['its length', 'a '.repeat(100_001), 'longer'],
    ['its lines', '- a\n'.repeat(4_001), 'lines'],
    ['its lines, ended by carriage returns', '#\r'.repeat(4_001), 'lines'],
    ['emphasis', '**a'.repeat(33_000), 'markers'],
    ['mixed emphasis', '*a _b '.repeat(8_000) + 'x_ y* '.repeat(8_000), 'markers'],
    ['brackets', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'markers'],
    ['unclosed links', '[a](b'.repeat(20_000), 'markers'],
    ['addresses', 'http://http://](/a)'.repeat(5_000), 'markers'],
    ['angle brackets', '<'.repeat(100_000), 'markers'],
    ['paragraphs that are each just too small', repeated(`${'*a _b '.repeat(1_500)}\n\n`, 10), 'markers'],
    ['quotations', '>'.repeat(50_000), 'deeper'],
    ['quotations with spaces', '> '.repeat(50_000), 'deeper'],
    [
      'quotations over several lines',
      repeated(`${'> '.repeat(60)}a\n`, 2).replace('a\n', `${'> '.repeat(60)}a\n`),
      'deeper',
    ],
    ['lists', '- '.repeat(50_000), 'deeper'],
    ['numbered lists', '1. '.repeat(30_000), 'deeper'],
    ['divisions in Markdown', `a${'<div>'.repeat(4_000)}`, 'deeper'],
    ['divisions', `<div>a${'<div>'.repeat(20_000)}`, 'deeper'],
    ['formatting that never ends', repeated('<b id=N><p>x', 5_000), 'deeper'],
    ['formatting that is repeated', repeated('<div><b id=N><table></b></table></div>x', 2_000), 'deeper'],
    ['formatting in blocks', `${'<p>'}${repeated('<i id=N>', 90)}${'<p>a'.repeat(2_000)}`, 'elements'],
    ['elements', '<p>a'.repeat(20_001), 'elements'],
  ])('an expensive source is refused and shown as plain text: %s', (_name, source, reason) => {
    const tree = compile(source);
    expect(failures.splice(0)).toEqual([expect.stringMatching(`^Rich text .*${reason}`)]);
    expect(tree.length).toBeLessThanOrEqual(1_000);
    expect(tree.every(node => node[0] === 'p' && typeof node[2]?.[0] === 'string')).toBe(true);
  });

  it('a refused text is shown without its HTML tags', () => {
    expect(compile(`${'> '.repeat(200)}deep <b>text</b>`)).toEqual([
      ['p', null, [`${'> '.repeat(200)}deep text`]],
    ]);
    failures.splice(0);
  });
});

describe('tables with too many cells', () => {
  const row = (text: string) => `|${`${text}|`.repeat(150)}\n`;

  it('a table with too many cells becomes lines of text, and the rest keeps its formatting', () => {
    const small = '| a | b |\n|---|---|\n| c | d |\n';
    const tree = compile(`## Before\n\n${small}\n${row('x')}${row('-')}${row('y').repeat(150)}\n**After**`);
    expect(failures.splice(0)).toEqual([]);
    expect(tree.map(node => node[0])).toEqual(['h2', 'table', ...Array(151).fill('p'), 'p']);
    expect(tree[3]).toEqual(['p', null, [Array(150).fill('y').join(' · ')]]);
    expect(tree.at(-1)).toEqual(['p', null, [['strong', null, ['After']]]]);
  });

  it('a table with too many cells becomes lines of text even in a refused source', () => {
    const html = `<h2>Before</h2><table><tr><td>a</td><td>b</td></tr>${'<tr><td>c</td><td>d</td></tr>'.repeat(7_000)}</table>`;
    const tree = compile(html);
    expect(failures.splice(0)).toHaveLength(1);
    expect(tree.slice(0, 3)).toEqual([
      ['p', null, ['Before']],
      ['p', null, ['a b']],
      ['p', null, ['c d']],
    ]);
    expect(plainText(tree).match(/c d/g)).toHaveLength(7_000);
  });
});

describe('a long text of an ordinary kind', () => {
  const sentence = 'A *plain* sentence with **weight**, `code` and [a link](/b), as texts have them. ';
  it.each<[string, string]>([
    ['25,000 words', repeated(`${sentence.repeat(6)}\n\n`, 300)],
    ['a paragraph of 4,000 words', sentence.repeat(285)],
    ['a list of 1,000 links', repeated('- [Page N](/page-N), *new*\n', 1_000)],
    ['a table of 600 rows', `| a | b | c |\n|---|---|---|\n${repeated('| *N* | [b](/b) | c |\n', 600)}`],
    ['a quotation in a quotation in lists', `${'> '.repeat(10)}${'- '.repeat(10)}a`],
    ['2,000 lines of code', `\`\`\`js\n${repeated('const a = [N];\n', 2_000)}\`\`\``],
    [
      'HTML as office programs write it',
      repeated('<p class="x" style="y"><span><b>a</b></span> b</p>', 3_000),
    ],
    ['300 elements of formatting that are not closed', repeated('<p><b>a</p>', 300)],
  ])('a long ordinary text is within the bounds: %s', (_name, source) => {
    expect(compile(source).length).toBeGreaterThan(0);
    expect(failures.splice(0)).toEqual([]);
  });
});

it.each([
  [0, 'nothing of it is shown'],
  [3, 'only the beginning is shown, 3 characters'],
])(
  'a text longer than the %i characters left on its page is cut, and the shown part is reported',
  (characters, shown) => {
    const reasons: string[] = [];
    const lose = (_kind: string, reason: string) => void reasons.push(reason);
    compileRichText('words', { ...rules, lose, maxSize: { ...UNBOUNDED, characters } });
    expect(reasons).toEqual([`the texts of the page are too large: ${shown}`]);
  },
);
