import type { RichElement, RichNode, RichText } from '../../../shared/content/rich-text.ts';
import type { MediaPolicy } from '../../addresses/safe-address.ts';
import { attributesOf, emptyToNull } from '../nodes/element-attributes.ts';
import { appended } from '../nodes/node-texts.ts';
import { normalizedId } from '../tree/normalize-ids.ts';

/** The longest text that the main thread reads, in less than 0.1 ms. A thread reads longer ones. */
const MAX_LENGTH = 4_000;

/** Signs of a bare address, which becomes a link. */
const BARE_ADDRESS = /www\.|https?:|@/i;
const HEADING = /^(#{2,4}) ([a-z\d](?:[a-z\d ,.'?-]*[a-z\d?.])?)$/i;
const ITEM = /^- (?=[\p{L}[*])/u;
/** The beginning of a line that can only be part of a paragraph. */
const PARAGRAPH_LINE = /^[\p{L}"'“‘([*]/u;
/** Plain characters, a link, or strong words. Texts with other characters are left to the parsers. */
const MARKDOWN_PART =
  /([\p{L}\p{N} ,.;:?!'"()%€$+/–—…’‘“”\u00a0-]+)|\[([\p{L}\p{N} ,.'’-]{2,})\]\(((?:https:\/\/|\/(?!\/))[a-z\d/._-]*(?:#[a-z\d_-]+)?|#[a-z\d_-]+)\)|\*\*([\p{L}\p{N} ,.'’-]+)\*\*/uy;
const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u;

const PARAGRAPH = /<p>(.*?)<\/p>[ \t\n]*/sy;
/** Plain characters, an entity, or strong or emphasised words. */
const HTML_PART =
  /((?:[^<>&\p{Cc}\p{Cs}]|[\t\n])+)|&(nbsp|amp|quot|lt|gt);|<(strong|b|em|i)>([^<>&\p{Cc}\p{Cs}]+)<\/\3>/uy;
const ENTITIES: Readonly<Record<string, string>> = { nbsp: '\u00a0', amp: '&', quot: '"', lt: '<', gt: '>' };
const TAGS: Readonly<Record<string, string>> = { b: 'strong', i: 'em' };
const NOT_BLANK = /[^ \t\n\f]/;

/**
 * Reads simple texts with the same result as `rich-text-compiler.ts`, without parsers and threads.
 * @returns null for other texts.
 */
export function readSimpleText(source: string, media: MediaPolicy): RichText | null {
  if (source.length > MAX_LENGTH) return null;
  return source.startsWith('<') ? readHtml(source) : readMarkdown(source, media);
}

function readMarkdown(source: string, media: MediaPolicy): RichText | null {
  const blocks = withoutLastBreaks(source).split(/\n{2,}/);
  const aliases = new Map<string, string>();
  for (const block of blocks) {
    const title = HEADING.exec(block)?.[2];
    if (title === undefined) continue;
    const id = slugOf(title);
    // Give up on a repeated id, to which the compiler would add a number.
    if (BARE_ADDRESS.test(title) || aliases.has(id) || new Set(aliases.values()).has(normalizedId(id)))
      return null;
    aliases.set(id, normalizedId(id));
  }
  const inline = (line: string) => readInline(line, { media, aliases });
  const tree: RichElement[] = [];
  for (const block of blocks) {
    const node = HEADING.test(block) ? heading(block, aliases) : listOrParagraph(block, inline);
    // Give up on two adjacent lists, which Markdown joins.
    if (node === null || (node[0] === 'ul' && tree.at(-1)?.[0] === 'ul')) return null;
    tree.push(node);
  }
  return tree;
}

type Tools = Parameters<typeof attributesOf>[1];

function heading(block: string, aliases: Tools['aliases']): RichElement {
  const [, marks = '', title = ''] = HEADING.exec(block) ?? [];
  return [`h${marks.length}`, { id: aliases.get(slugOf(title)) ?? '' }, [title]];
}

/** @returns the id that `rehype-slug` gives to a heading that HEADING accepts. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[,.'?]/g, '')
    .replaceAll(' ', '-');
}

function listOrParagraph(block: string, inline: (line: string) => RichNode[] | null): RichElement | null {
  const lines = block.split('\n');
  if (lines.every(line => ITEM.test(line))) {
    const items = lines.map(line => inline(line.slice(2)));
    return items.every(item => item !== null) ? ['ul', null, items.map(item => ['li', null, item])] : null;
  }
  if (!lines.every(line => PARAGRAPH_LINE.test(line))) return null;
  const read = lines.map(inline);
  if (!read.every(nodes => nodes !== null)) return null;
  return ['p', null, appended(read.flatMap((nodes, index) => (index === 0 ? nodes : ['\n', ...nodes])))];
}

function readInline(line: string, tools: Tools): RichNode[] | null {
  if (line === '' || line !== line.trim()) return null;
  const nodes: RichNode[] = [];
  for (MARKDOWN_PART.lastIndex = 0; MARKDOWN_PART.lastIndex < line.length; ) {
    const [whole, text, label, address, strong] = MARKDOWN_PART.exec(line) ?? [];
    if (whole === undefined) return null;
    const last = nodes.at(-1);
    // Give up on adjacent elements, whose marks the parsers read differently. `![` begins a picture.
    if (text === undefined && typeof last === 'object') return null;
    if (address !== undefined && typeof last === 'string' && last.endsWith('!')) return null;
    const words = label ?? strong;
    if (BARE_ADDRESS.test(text ?? words ?? '') || (words !== undefined && !isFramed(words))) return null;
    const node: RichNode | null =
      text ??
      (strong !== undefined ? ['strong', null, [strong]] : linkTo(address ?? '', [label ?? ''], tools));
    if (node === null) return null;
    nodes.push(node);
  }
  return nodes;
}

/** Whether words begin and end with a letter or digit. Next to these, Markdown marks always apply. */
function isFramed(words: string): boolean {
  const characters = [...words];
  return LETTER_OR_DIGIT.test(characters[0] ?? '') && LETTER_OR_DIGIT.test(characters.at(-1) ?? '');
}

function withoutLastBreaks(source: string): string {
  let end = source.length;
  while (source[end - 1] === '\n') end -= 1;
  return source.slice(0, end);
}

function linkTo(href: string, children: RichText, tools: Tools): RichElement | null {
  const attributes = attributesOf(
    { type: 'element', tagName: 'a', properties: { href }, children: [] },
    tools,
  );
  return attributes?.href === undefined ? null : ['a', emptyToNull(attributes), children];
}

function readHtml(source: string): RichText | null {
  const tree: RichElement[] = [];
  let from = 0;
  while (from < source.length) {
    PARAGRAPH.lastIndex = from;
    const [whole, content] = PARAGRAPH.exec(source) ?? [];
    const nodes = content === undefined ? null : readHtmlInline(content);
    if (whole === undefined || nodes === null) return null;
    tree.push(['p', null, nodes]);
    from += whole.length;
  }
  return tree;
}

function readHtmlInline(content: string): RichNode[] | null {
  const nodes: RichNode[] = [];
  for (HTML_PART.lastIndex = 0; HTML_PART.lastIndex < content.length; ) {
    const [whole, text, entity, tag, words] = HTML_PART.exec(content) ?? [];
    if (whole === undefined || (words !== undefined && !NOT_BLANK.test(words))) return null;
    if (words !== undefined && tag !== undefined) nodes.push([TAGS[tag] ?? tag, null, [words]]);
    else nodes.push(text ?? ENTITIES[entity ?? ''] ?? '');
  }
  const merged = appended(nodes);
  // Whether a node is blank. The compiler drops white space at a paragraph's edges, and blank paragraphs.
  const isBlank = (node: RichNode | undefined) => typeof node === 'string' && !NOT_BLANK.test(node);
  return merged.length === 0 || isBlank(merged[0]) || isBlank(merged.at(-1)) ? null : merged;
}
