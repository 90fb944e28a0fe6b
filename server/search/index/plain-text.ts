import { decodeHTMLStrict } from 'entities';
import {
  componentOf,
  type FieldDescription,
  type FieldDescriptions,
} from '../../../shared/content/descriptions.ts';
import { setOf } from '../../rich-text/nodes/vocabulary.ts';
import { isFile, isForReaders, zoneKind } from '../../rich-text/sources/texts-for-readers.ts';

/** The longest text, in characters. The rest of a longer text is not indexed. */
const MAX_TEXT = 200_000;
const MAX_DEPTH = 32;
const TEXT_KINDS: ReadonlySet<unknown> = new Set<FieldDescription['kind']>(['text', 'rich-text']);
const INLINE_NODES: ReadonlySet<unknown> = setOf('text link');
const BREAK = ' · ';
const SOFT_HYPHEN = '\u00ad';
const HIDDEN = ['script', 'style', 'template'];
/** Control characters. Two of them mark hits in the index, so texts must not contain them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Extracts text without rendering. Words of a broken text may stay although no page shows them. */
export function plainText(body: unknown, kindOf = zoneKind) {
  const headings: string[] = [];
  const texts: string[] = [];
  let length = 0;

  function add(source: string): void {
    if (length >= MAX_TEXT) return;
    const own = source.slice(0, MAX_TEXT - length);
    length += own.length;
    readSource(own, headings, texts);
  }

  /** @param described the fields of a component in a section; null for other values. */
  function read(value: unknown, depth: number, described: FieldDescriptions | null): void {
    if (depth > MAX_DEPTH || length >= MAX_TEXT) return;
    if (Array.isArray(value)) for (const item of value) read(item, depth + 1, described);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Readonly<Record<string, unknown>>;
    const { __component: component } = node;
    const fields = (typeof component === 'string' && kindOf(component)?.fields) || described;
    const isInline = INLINE_NODES.has(node.type);
    if (!isInline) texts.push(BREAK);
    if (node.type === 'heading') headings.push(textIn(node.children, 0));
    for (const [key, inner] of Object.entries(node)) {
      const field = fields ? fieldAt(fields, key) : undefined;
      if (typeof inner === 'string') {
        if (!(fields ? isVisible(field) : isShown(node, key, inner))) continue;
        add(inner);
        if (!isInline) texts.push(BREAK);
      } else read(inner, depth + 1, (field && componentOf(field)?.fields) ?? null);
    }
    if (!isInline) texts.push(BREAK);
  }

  if (typeof body === 'string') add(body);
  else read(body, 0, null);
  return { headings: tidy(headings.join(BREAK)), text: tidy(texts.join('')) };
}

function isVisible(field: FieldDescription | undefined): boolean {
  return field !== undefined && TEXT_KINDS.has(field.kind) && !('isCode' in field);
}

function fieldAt(fields: FieldDescriptions, key: string): FieldDescription | undefined {
  return fields[key] ?? Object.values(fields).find(({ orElse }) => orElse?.includes(key));
}

function isShown(node: Readonly<Record<string, unknown>>, key: string, text: string): boolean {
  if (isFile(node)) return key === 'caption' || key === 'alternativeText';
  return isForReaders(key, text);
}

function textIn(nodes: unknown, depth: number): string {
  if (!Array.isArray(nodes) || depth > MAX_DEPTH) return '';
  return nodes
    .map((node: unknown) => {
      if (typeof node !== 'object' || node === null) return '';
      const { text, children } = node as { text?: unknown; children?: unknown };
      return typeof text === 'string' ? text : textIn(children, depth + 1);
    })
    .join('');
}

function readSource(source: string, headings: string[], texts: string[]): void {
  const html = withoutHidden(source);
  for (const heading of headingElements(html)) headings.push(unmarked(heading));
  html.split('\n').forEach((line, at) => {
    const [, heading] = /^ {0,3}#{1,6}[ \t](.*)/.exec(line) ?? [];
    if (heading !== undefined) headings.push(unmarked(heading));
    if (MARKS_ALONE.test(line.trim())) texts.push(BREAK);
    else if (heading !== undefined) texts.push(BREAK, unmarked(heading), BREAK);
    else texts.push(PART_BEGIN.test(line) ? BREAK : at === 0 ? '' : ' ', unmarked(line));
  });
}

/** Lines of Markdown without text: rules, lines below titles, code fences, addresses of links. */
const MARKS_ALONE = /^(?:[|:=*_\s-]*$|```[^`]*$|~~~|\[[^\]]*\]:)/;
/** The beginning of a list item, a quotation or a table row. */
const PART_BEGIN = /^\s*(?:[-+*>|]|\d{1,9}[.)]\s)/;

function withoutHidden(source: string): string {
  let shown = withoutPart(source, '<!--', '-->');
  for (const name of HIDDEN) shown = withoutPart(shown, `<${name}`, `</${name}>`);
  return shown;
}

/** Removes each part from `begin` to `end`, ignoring case. Without an end, removes the rest. */
function withoutPart(source: string, begin: string, end: string): string {
  const lower = asciiLower(source);
  let shown = '';
  for (let at = 0; ; ) {
    const from = lower.indexOf(begin, at);
    if (from < 0) return at === 0 ? source : shown + source.slice(at);
    shown += `${source.slice(at, from)} `;
    const to = lower.indexOf(end, from);
    if (to < 0) return shown;
    at = to + end.length;
  }
}

/** Lowers ASCII only, because `toLowerCase` changes the length of some texts. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
}

function* headingElements(html: string): Generator<string> {
  const lower = asciiLower(html);
  for (let at = lower.indexOf('<h'); at >= 0; at = lower.indexOf('<h', at + 1)) {
    const level = lower[at + 2] ?? '';
    if (level < '1' || level > '6') continue;
    const from = lower.indexOf('>', at);
    const to = from < 0 ? -1 : lower.indexOf('</h', from);
    if (to < 0) return;
    yield html.slice(from + 1, to);
    at = to;
  }
}

const BLOCKS = setOf(
  'address article aside blockquote dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main ' +
    'nav ol p pre section summary table td th tr ul',
);
/** Tags inside words and sentences. All other tags end a word. */
const INLINE_TAGS =
  /<\/?(?:a|abbr|b|bdi|cite|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]*)?>/gi;

/** Removes tags and marks of Markdown. The texts of links stay, and their addresses go. */
function unmarked(source: string): string {
  const html = source
    .replace(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s"[^"]*")?\)/g, '')
    .replace(INLINE_TAGS, '')
    .replace(/<[^<>]*>/g, tag => (BLOCKS.has(nameOf(tag)) ? BREAK : ' '));
  return decodeHTMLStrict(html)
    .replaceAll(SOFT_HYPHEN, '')
    .replace(/^\s*(?:[-+*>]|\d{1,9}[.)])\s/, ' ')
    .replace(/\[!\w{1,20}\]/g, '')
    .replace(/!\[|[*~`[\]\\]+|(?<![\p{L}\p{N}_])_{1,3}(?=\S)|(?<=[^\s_])_{1,3}(?![\p{L}\p{N}_])/gu, '')
    .replace(/\|/g, BREAK)
    .replace(/#+/g, ' ');
}

function nameOf(tag: string): string {
  return /^<\/?([a-z]+[1-6]?)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
}

/** Makes one line, without separators at its ends and after a full stop. */
function tidy(text: string): string {
  const parts = text
    .replace(CONTROLS, ' ')
    .replace(/\s+/g, ' ')
    .split('·')
    .map(part => part.trim())
    .filter(Boolean);
  return parts
    .map((part, at) => (at === parts.length - 1 ? part : part + (SENTENCE_END.test(part) ? ' ' : BREAK)))
    .join('');
}

const SENTENCE_END = /[.!?:;,…؟؛،。！？][”"’»)]?$/u;
