import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../server/rich-text/nodes/read-rich-text.ts';
import type { RichText } from '../../shared/content/rich-text.ts';
import { runs } from '../support/in-full.ts';
import { compileWithLosses, TAGS } from '../support/safe-rich-text.ts';

/** A word that occurs once in a source, with the names of the elements or keys around it. */
interface Word {
  word: string;
  within: readonly string[];
}

/** @returns the texts and addresses that reach visitors: text, alternative texts, titles, links, pictures. */
function visible(tree: RichText): string {
  const attributes = (nodes: RichText): string[] =>
    nodes.flatMap(node =>
      typeof node === 'string' ? [] : [...Object.values(node[1] ?? {}).map(String), ...attributes(node[2])],
    );
  return [plainText(tree), ...attributes(tree)].join('\n');
}

/** Most words that one finding stands for: a picture's address, alternative text and title. */
const WORDS_OF_LOSS = 3;

/**
 * Asserts that each word is shown, or that a finding names it. Beyond ten of a kind, findings only count.
 */
function expectShownOrNamed(source: unknown, words: readonly Word[]): void {
  const { tree, losses } = compileWithLosses(source);
  const text = visible(tree);
  const reasons = losses.map(({ reason }) => reason).join('\n');
  const counts = reasons.matchAll(/^and (\d+) more of this kind in the same text$/gm);
  let counted = WORDS_OF_LOSS * [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  for (const { word, within } of words) {
    if (text.includes(word) || reasons.includes(word)) continue;
    const names = within.map(name => (name.startsWith('[') ? name : `'${name}'`));
    const isNamed = [...within.map(name => `<${name}>`), ...names].some(name => reasons.includes(name));
    if (!isNamed) counted -= 1;
    if (counted < 0)
      expect.fail(`${word} of ${JSON.stringify(source)} is not in ${JSON.stringify(tree)}: ${reasons}`);
  }
}

/** Generates the words of a source. Letters around the number keep one word from being part of another. */
function createWords() {
  const words: Word[] = [];
  return {
    words,
    next(within: readonly string[], make = (word: string) => word): string {
      const word = `w${words.length}x`;
      words.push({ word, within });
      return make(word);
    },
  };
}
type Words = ReturnType<typeof createWords>;

/** Writes a part of a source. */
type Write = (words: Words, within: readonly string[]) => string;

// Elements with an end tag. `plaintext` has none, and `frameset` never occurs in a body.
const OTHERS =
  'div section form button label fieldset legend script style template noscript iframe object video audio embed oembed svg math select ' +
  'option textarea canvas dialog meter progress title xmp noembed noframes font u center marquee ruby rt map area picture main nav ' +
  'my-widget h1 b i col colgroup applet portal output datalist slot search hgroup';
const tagName = fc.constantFrom(...TAGS, ...OTHERS.split(' '));
const VOID = new Set('area br col embed hr img input source track wbr'.split(' '));
const OWN_TEXT: Record<string, string> = { img: 'alt', area: 'alt', embed: 'title', input: 'value' };
const ADDRESS_OF: Record<string, string> = {
  ...{ a: 'href', area: 'href', audio: 'src', embed: 'src', iframe: 'src', img: 'src', object: 'data' },
  ...{ oembed: 'url', portal: 'src', video: 'src', 'my-widget': 'url' },
};
const address = fc.constantFrom('', 'https://', '//', 'javascript://', 'ftp://').map(
  (scheme): Write =>
    (words, within) => {
      const name = ADDRESS_OF[within.at(-1) ?? ''];
      return scheme === '' || !name ? '' : words.next(within, word => ` ${name}="${scheme}${word}.example/"`);
    },
);

const html = fc.letrec<{ node: Write; nodes: Write }>(tie => ({
  nodes: fc
    .array(tie('node'), { maxLength: 4 })
    .map(all => (words, within) => all.map(one => one(words, within)).join(' ')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant<Write>((words, within) => words.next(within)),
    fc.tuple(tagName, address, tie('nodes')).map(
      ([name, addressOf, inner]): Write =>
        (words, within) => {
          const around = [...within, name];
          const start = `<${name}${addressOf(words, around)}`;
          // Browsers do not show a link without a text.
          if (name === 'a') return `${start}>${words.next(around)} ${inner(words, around)}</a>`;
          if (!VOID.has(name)) return `${start}>${inner(words, around)}</${name}>`;
          const own = OWN_TEXT[name];
          return own ? `${start} ${own}="${words.next(around)}">` : `${start}>`;
        },
    ),
  ),
})).nodes;

const inline: fc.Arbitrary<Write> = fc.oneof(
  fc.constant<Write>((words, within) => words.next(within)),
  fc.constantFrom('**', '*', '`', '~~').map(
    (mark): Write =>
      (words, within) =>
        `${mark}${words.next(within)}${mark}`,
  ),
  fc.constantFrom('/a', 'https://b.example', 'javascript:x', '//c.example', '#d', 'relative').map(
    (href): Write =>
      (words, within) =>
        `[${words.next(within)}](${href})`,
  ),
  fc.constantFrom('/uploads/a.png', 'https://b.example/a.png', 'data:image/png;base64,AA').map(
    (src): Write =>
      (words, within) =>
        `![${words.next(within)}](${src} "${words.next(within)}")`,
  ),
  fc.constantFrom('[^1]', '[^2]', '<br>').map(
    (text): Write =>
      () =>
        text,
  ),
  fc.tuple(tagName, html).map(
    ([name, inner]): Write =>
      (words, within) => {
        // Scripts and similar elements end a Markdown paragraph only at a blank line, so their content is one
        // line.
        if (VOID.has(name)) return '';
        return `<${name}>${inner(words, [...within, name])}</${name}>`;
      },
  ),
);
const line = fc.array(inline, { minLength: 1, maxLength: 4 }).map(
  (all): Write =>
    (words, within) =>
      all.map(one => one(words, within)).join(' '),
);
const row = fc.array(
  fc.oneof(
    line,
    fc.constant<Write>(() => ''),
  ),
  { minLength: 1, maxLength: 4 },
);
const block: fc.Arbitrary<Write> = fc.oneof(
  fc.tuple(fc.constantFrom('', '# ', '### ', '> ', '- ', '1. ', '- [x] '), line).map(
    ([start, text]): Write =>
      (words, within) =>
        `${start}${text(words, within)}`,
  ),
  fc.constant<Write>((words, within) => `\`\`\`js\n${words.next(within)}\n\`\`\``),
  fc.constantFrom('1', '2').map(
    (name): Write =>
      words =>
        `[^${name}]: ${words.next([`[^${name}]`])}`,
  ),
  fc.tuple(row, fc.array(row, { maxLength: 3 })).map(
    ([head, rows]): Write =>
      (words, within) => {
        const write = (cells: readonly Write[]) => `|${cells.map(cell => cell(words, within)).join('|')}|`;
        return [write(head), `|${'-|'.repeat(head.length)}`, ...rows.map(write)].join('\n');
      },
  ),
);
const markdown = fc.array(block, { maxLength: 6 }).map(
  (all): Write =>
    (words, within) =>
      all.map(one => one(words, within)).join('\n\n'),
);

const KEYS =
  'title text body theme children url href name caption items code alt question my-text size'.split(' ');
type Build = (words: Words, within: readonly string[]) => unknown;
const blocks = fc.letrec<{ value: Build; text: Build }>(tie => ({
  text: fc.constantFrom('', ' more', '\n\n## ').map(
    (end): Build =>
      (words, within) =>
        `${words.next(within)}${end}`,
  ),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('text'),
    fc.constantFrom<unknown>(null, true, '', 5).map(
      (value): Build =>
        () =>
          value,
    ),
    fc.array(tie('value'), { maxLength: 3 }).map(
      (all): Build =>
        (words, within) =>
          all.map(one => one(words, within)),
    ),
    fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 4 }).map(
      (entries): Build =>
        (words, within) =>
          Object.fromEntries([...new Map(entries)].map(([key, one]) => [key, one(words, [...within, key])])),
    ),
    tie('text').map(
      (text): Build =>
        (words, within) => ({ type: 'text', text: text(words, within) }),
    ),
    fc.tuple(fc.constantFrom('/a', 'javascript:x', null), tie('text')).map(
      ([url, text]): Build =>
        (words, within) => ({
          ...{ type: 'link', url, children: [{ type: 'text', text: text(words, within) }] },
        }),
    ),
    fc.array(tie('value'), { maxLength: 3 }).map(
      (all): Build =>
        (words, within) => ({
          ...{ type: 'list', format: 'ordered', children: all.map(one => one(words, within)) },
        }),
    ),
  ),
})).value;

describe('each word of a source', () => {
  it('each word of HTML is shown, or a finding names the word or its element', () => {
    fc.assert(
      fc.property(html, write => {
        const words = createWords();
        expectShownOrNamed(`<div>${write(words, [])}</div>`, words.words);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('each word of Markdown with HTML is shown, or a finding names the word or its element', () => {
    fc.assert(
      fc.property(markdown, write => {
        const words = createWords();
        expectShownOrNamed(`Text\n\n${write(words, [])}`, words.words);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('each word of Blocks and dynamic zones is shown, or a finding names the word or its key', () => {
    fc.assert(
      fc.property(blocks, build => {
        const words = createWords();
        const value = build(words, []);
        if (typeof value === 'object') expectShownOrNamed(value, words.words);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
