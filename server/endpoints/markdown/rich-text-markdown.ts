import type { RichElement, RichNode, RichText } from '../../../shared/content/rich-text.ts';
import { HEADING_TAGS } from '../../../shared/content/rich-text-tags.ts';
import { wordsOf } from '../../../shared/content/sentence-text.ts';

const INLINE_MARKS: Readonly<Record<string, string>> = { strong: '**', em: '*', s: '~~', del: '~~' };
const LISTS: readonly string[] = ['ul', 'ol'];
const PLAYERS: readonly string[] = ['video', 'audio', 'oembed'];
/** Elements that are blocks. All others are parts of a paragraph. */
const BLOCKS: ReadonlySet<string> = new Set([
  ...HEADING_TAGS,
  ...LISTS,
  ...PLAYERS,
  ...'p li blockquote pre table figure figcaption hr details summary dl dt dd aside'.split(' '),
]);

/** Writes Markdown (CommonMark 0.31, GFM). @param page the base of relative addresses. */
export function richTextMarkdown(text: RichText, page: string): string {
  return blocks(text, page).join('\n\n');
}

const isElement = (node: RichNode | undefined): node is RichElement => Array.isArray(node);
const isBlock = (node: RichNode): boolean => isElement(node) && BLOCKS.has(node[0]);

function blocks(nodes: RichText, page: string): string[] {
  const written: string[] = [];
  let run: RichNode[] = [];
  let list: string | null = null;
  const add = (text: string, tag: string | null): void => {
    if (text === '') return;
    // Put a comment between two lists, because Markdown would join them.
    if (tag !== null && tag === list) written.push('<!-- -->');
    list = tag;
    written.push(text);
  };
  const endRun = (): void => {
    add(paragraph(run, page), null);
    run = [];
  };
  for (const node of nodes) {
    if (!isBlock(node)) {
      run.push(node);
      continue;
    }
    endRun();
    const [tag] = node as RichElement;
    add(block(node as RichElement, page), LISTS.includes(tag) ? tag : null);
  }
  endRun();
  return written;
}

function block([tag, attributes, children]: RichElement, page: string): string {
  const inside = (): string => blocks(children, page).join('\n\n');
  if (HEADING_TAGS.includes(tag)) {
    const words = inline(children, page).replace(/\n/g, ' ').trim();
    return words && `${'#'.repeat(Number(tag[1]))} ${words}`;
  }
  if (LISTS.includes(tag)) return listItems(tag, Number(attributes?.start ?? 1), children, page);
  if (PLAYERS.includes(tag)) return player(attributes, children, page);
  if (tag === 'hr') return '---';
  if (tag === 'pre') return codeBlock(children);
  if (tag === 'table') return table(children, page);
  if (tag === 'blockquote') return quoted(inside());
  // Write a callout as an alert of GitHub, because Markdown has no other callouts.
  if (tag === 'aside')
    return quoted(`[!${String(attributes?.['data-tone'] ?? 'note').toUpperCase()}]\n${inside()}`);
  if (tag === 'summary' || tag === 'dt') return marked('**', paragraph(children, page));
  return inside();
}

function paragraph(nodes: RichText, page: string): string {
  // Escape the beginnings of lines that Markdown would read as another block.
  return inline(nodes, page)
    .trim()
    .replace(/^([-+#>=|])/gm, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/gm, '$1\\$2');
}

function inline(nodes: RichText, page: string): string {
  let written = '';
  for (const node of nodes) {
    const own = isElement(node) ? inlineElement(node, page) : markdownText(node);
    const next = /\s$/.test(written) ? own.trimStart() : own;
    // An exclamation mark before a link would make a picture of it.
    written += written.endsWith('!') && next.startsWith('[') ? `\\${next}` : next;
  }
  return written;
}

function inlineElement([tag, attributes, children]: RichElement, page: string): string {
  const inside = (): string => inline(children, page);
  if (tag === 'br') return '\\\n';
  if (tag === 'code') return codeSpan(wordsOf(children));
  if (tag === 'input') return attributes?.checked === true ? '[x] ' : '[ ] ';
  if (tag === 'track') return '';
  if (tag === 'q') return `“${inside()}”`;
  if (tag === 'img') return `!${link(markdownText(String(attributes?.alt ?? '')), attributes?.src, page)}`;
  if (tag === 'a') return link(inside(), attributes?.href, page);
  return marked(INLINE_MARKS[tag] ?? '', inside());
}

/** Puts marks directly around the words, because marks beside a space would be shown. */
function marked(mark: string, text: string): string {
  const words = text.trim();
  return words === '' || mark === '' ? text : text.replace(words, () => mark + words + mark);
}

/** Writes a link. One without an address, or within its page, becomes plain text. */
function link(words: string, address: unknown, page: string): string {
  const url = typeof address === 'string' && !address.startsWith('#') ? URL.parse(address, page) : null;
  return url === null
    ? words
    : `[${words.replace(/\n/g, ' ')}](${url.href.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

function player(attributes: RichElement[1], children: RichText, page: string): string {
  const { href, src, title, 'data-provider': provider } = attributes ?? {};
  const address = href ?? src;
  const words = wordsOf(children).trim() || String(title ?? provider ?? address ?? '');
  return link(markdownText(words), address, page);
}

function listItems(tag: string, start: number, items: RichText, page: string): string {
  const elements = items.filter(isElement);
  const isLoose = elements.some(([, , children]) => children.some(one => isElement(one) && one[0] === 'p'));
  return elements
    .map(([, , children], index) => {
      const marker = tag === 'ol' ? `${start + index}. ` : '- ';
      const text = blocks(children, page).join(isLoose ? '\n\n' : '\n');
      return marker + text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length)}`);
    })
    .join(isLoose ? '\n\n' : '\n');
}

function table(children: RichText, page: string): string {
  const rows = elementsNamed(children, ['tr']).map(([, , cells]) =>
    elementsNamed(cells, ['th', 'td']).map(([, , cell]) =>
      // Write each cell on one line. A vertical bar would end it.
      blocks(cell, page).join(' ').replace(/\\?\n/g, ' ').replace(/\|/g, '\\|'),
    ),
  );
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, index) => cells[index] ?? '').join(' | ')} |`;
  const [head = [], ...others] = rows;
  const caption = elementsNamed(children, ['caption']).map(([, , words]) => paragraph(words, page));
  const lines = [line(head), line(head.map(() => '---').concat(Array(columns - head.length).fill('---')))];
  return columns === 0 ? '' : [...caption, [...lines, ...others.map(line)].join('\n')].join('\n\n');
}

function elementsNamed(nodes: RichText, tags: readonly string[]): RichElement[] {
  return nodes
    .filter(isElement)
    .flatMap(node => (tags.includes(node[0]) ? [node] : elementsNamed(node[2], tags)));
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function codeBlock(children: RichText): string {
  const code = children.find(isElement);
  const [, language = ''] = /language-([\w+#-]+)/.exec(String(code?.[1]?.className ?? '')) ?? [];
  const text = wordsOf(children).replace(/\n$/, '');
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = /^`|`$|^ .* $/s.test(text) ? ' ' : '';
  return text === '' ? '' : fence + space + text.replace(/\n/g, ' ') + space + fence;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

/** Escapes the characters of a text that Markdown or HTML would read as a mark. */
export function markdownText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*[\]<~]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
}
