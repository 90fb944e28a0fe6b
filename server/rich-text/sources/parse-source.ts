import type { Root } from 'hast';
import type { Root as Markdown, Table } from 'mdast';
import rehypeParse from 'rehype-parse';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { type Processor, unified } from 'unified';
import type { LoseText } from '../../wire/lose-text.ts';
import {
  boundedHtml,
  checkLines,
  checkMarkdown,
  checkSource,
  checkTree,
  type Footnotes,
  isHtml,
  MAX_CELLS,
  markersIn,
} from './source-bounds.ts';

const AUTOLINKS: ReadonlySet<unknown> = new Set(['wwwAutolink', 'protocolAutolink', 'emailAutolink']);

const plain = unified().use(remarkParse).freeze();
const gfm = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).use(withoutAutolinks).freeze();
const gfmWithAutolinks = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).freeze();

/** Signs of GitHub's Markdown. A text without them is parsed in half the time. */
const GFM_SIGNS = /\||~~|\[\^|\[[ \tx]\]/i;
/** Signs of an autolink: `www.`, `@`, or `http(s):` that follows no link syntax and no attribute's quote. */
const AUTOLINK_SIGNS = /www\.|(?<!\]\(|<|=["'])https?:|@/i;

const toHtml = unified()
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '', footnoteLabel: 'Notes' })
  .freeze();
const withRawHtml = unified().use(rehypeRaw).freeze();
const html = unified().use(rehypeParse, { fragment: true }).freeze();

/** Parses HTML, which begins with a tag, or Markdown. @throws TooComplexError */
export function parseSource(source: string, lose: LoseText): Root {
  checkSource(source);
  return isHtml(source) ? boundedHtml(() => html.parse(source)) : parseMarkdown(source, lose);
}

function parseMarkdown(source: string, lose: LoseText): Root {
  checkLines(source);
  const bounded = withoutLargeTables(source, lose);
  checkMarkdown(bounded);
  const markdown: Markdown = parserFor(bounded).parse(bounded);
  const { hasHtml, tables, footnotes } = checkTree(markdown);
  widenTables(tables);
  noteUnusedFootnotes(footnotes, lose);
  const tree = toHtml.runSync(markdown);
  return hasHtml ? boundedHtml(() => withRawHtml.runSync(tree)) : tree;
}

function parserFor(source: string): typeof plain {
  if (AUTOLINK_SIGNS.test(source)) return gfmWithAutolinks;
  return GFM_SIGNS.test(source) ? gfm : plain;
}

/** Turns off autolinks, which examine every letter. */
function withoutAutolinks(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map(extension => ({
    ...extension,
    text: Object.fromEntries(
      Object.entries(extension.text ?? {}).map(([code, constructs]) => [
        code,
        [constructs ?? []].flat().filter(({ name }) => !AUTOLINKS.has(name)),
      ]),
    ),
  }));
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .filter(({ transforms }) => !transforms);
}

/** Gives a table as many columns as its longest row, because cells beyond the header would be dropped. */
function widenTables(tables: readonly Table[]): void {
  for (const table of tables) {
    const columns = Math.max(...table.children.map(({ children }) => lengthOf(children)));
    const align = [...(table.align ?? [])];
    while (align.length < columns) align.push(null);
    table.align = align;
  }
}

function noteUnusedFootnotes({ definitions, references }: Footnotes, lose: LoseText): void {
  const shown = new Set<string>();
  const open = [...(references.get(null) ?? [])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (shown.has(name)) continue;
    shown.add(name);
    open.push(...(references.get(name) ?? []));
  }
  for (const [index, name] of definitions.entries()) {
    if (!shown.has(name))
      lose('value-left-out', `the footnote [^${name}] is not shown, because no text refers to it`);
    else if (definitions.indexOf(name) < index)
      lose('value-left-out', `a second footnote [^${name}] is not shown`);
  }
}

/** @returns the number of cells up to the last one with content. An extra bar at the end adds none. */
function lengthOf(cells: Table['children'][number]['children']): number {
  return cells.findLastIndex(cell => cell.children.length > 0) + 1;
}

/** Limit for markers in all tables of a text. With more, `checkMarkdown` could refuse the whole text. */
const MAX_MARKERS = 5_000;

/** Turns large tables into paragraphs, because one of them would cost the text all formatting. */
function withoutLargeTables(source: string, lose: LoseText): string {
  if (markersIn(source) < MAX_MARKERS) return source;
  let markers = 0;
  let cells = 0;
  return source
    .split(/(\r?\n[ \t]*\r?\n)/)
    .map(part => {
      const [header, delimiters = '', ...rows] = part.split(/\r?\n/).filter(line => line.trim() !== '');
      if (header === undefined || !isDelimiterRow(delimiters)) return part;
      const lines = [header, ...rows].map(cellsOf);
      const columns = Math.max(...lines.map(({ length }) => length));
      const size = columns * lines.length;
      const inside = markersIn(part);
      if (markers + inside <= MAX_MARKERS && cells + size <= MAX_CELLS) {
        markers += inside;
        cells += size;
        return part;
      }
      lose(
        'shown-as-text',
        `a table of ${lines.length} rows and ${columns} columns is too large: its rows are shown as lines of text`,
      );
      return lines.map(line => line.filter(cell => cell !== '').join(' · ')).join('\n\n');
    })
    .join('');
}

function isDelimiterRow(line: string): boolean {
  return /^[ \t|:-]+$/.test(line) && line.includes('|') && line.includes('-');
}

function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map(cell => cell.trim());
}
