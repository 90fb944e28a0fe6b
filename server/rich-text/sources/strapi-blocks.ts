import type { Element, ElementContent } from 'hast';
import { isObject } from '../../wire/wire.ts';
import { element, text } from '../tree/hast-nodes.ts';
import { MAX_DEPTH } from './source-bounds.ts';

type Node = Readonly<Record<string, unknown>>;
/** Counts a text. @returns false if all texts together are too long, so that this one is left out. */
type Fits = (text: string) => boolean;

/** The elements of the editor's marks, the outermost first. */
const MARKS = [
  ['bold', 'strong'],
  ['italic', 'em'],
  ['underline', 'u'],
  ['strikethrough', 's'],
  ['code', 'code'],
] as const;
/** The keys of each kind of node. A node with further keys comes from another editor. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', ...MARKS.map(([mark]) => mark)],
  link: ['url', 'children', 'rel', 'target'],
  paragraph: ['children'],
  heading: ['level', 'children'],
  list: ['format', 'indentLevel', 'children'],
  'list-item': ['children'],
  quote: ['children'],
  code: ['language', 'children', 'plainText'],
  image: ['image', 'children'],
};

/** Turns a block into the element that Markdown has for it. @returns null for unknown blocks or parts. */
export function strapiBlock(value: unknown, fits: Fits, depth = 0): Element | null {
  if (depth > MAX_DEPTH || !isNode(value)) return null;
  switch (value.type) {
    case 'paragraph':
      return around('p', inline(value.children, fits));
    case 'heading':
      return isLevel(value.level) ? around(`h${value.level}`, inline(value.children, fits)) : null;
    case 'quote': {
      const paragraph = around('p', inline(value.children, fits));
      return paragraph && element('blockquote', [paragraph]);
    }
    case 'list':
      return list(value, fits, depth);
    case 'code':
      return code(value, fits);
    case 'image':
      return picture(value, fits);
    default:
      return null;
  }
}

/** Makes a list. Strapi stores an inner list beside the items, although it belongs to the item before it. */
function list({ format, children }: Node, fits: Fits, depth: number): Element | null {
  if (!Array.isArray(children) || (format !== 'ordered' && format !== 'unordered')) return null;
  const items: Element[] = [];
  for (const child of children as readonly unknown[]) {
    if (!isNode(child)) return null;
    if (child.type === 'list') {
      const inner = strapiBlock(child, fits, depth + 1);
      if (!inner) return null;
      const last = items.at(-1);
      if (last) last.children.push(text('\n'), inner);
      else items.push(element('li', [inner]));
      continue;
    }
    const item = child.type === 'list-item' ? around('li', inline(child.children, fits)) : null;
    if (!item) return null;
    items.push(item);
  }
  return element(format === 'ordered' ? 'ol' : 'ul', items);
}

function code({ language, children }: Node, fits: Fits): Element | null {
  const lines = inline(children, fits, textOf);
  if (!lines || (language !== undefined && language !== null && typeof language !== 'string')) return null;
  const className = language ? { className: [`language-${language}`] } : {};
  return element('pre', [element('code', [...lines, text('\n')], className)]);
}

function picture({ image, children }: Node, fits: Fits): Element | null {
  if (!isObject(image) || typeof image.url !== 'string' || inline(children, fits)?.length !== 0) return null;
  const { url: src, alternativeText, caption, width, height } = image;
  const shown = element('img', [], {
    src,
    alt: typeof alternativeText === 'string' ? alternativeText : '',
    ...(typeof width === 'number' && typeof height === 'number' ? { width, height } : {}),
  });
  if (typeof caption !== 'string' || caption.trim() === '' || !fits(caption)) return element('p', [shown]);
  return element('figure', [shown, element('figcaption', [text(caption)])]);
}

/** @returns the texts and links of a block; null if it has other parts. */
function inline(children: unknown, fits: Fits, toNodes = marked): ElementContent[] | null {
  if (!Array.isArray(children)) return null;
  const shown: ElementContent[] = [];
  for (const child of children as readonly unknown[]) {
    const nodes = isNode(child) ? inlineNode(child, fits, toNodes) : null;
    if (!nodes) return null;
    shown.push(...nodes);
  }
  return shown;
}

function inlineNode(node: Node, fits: Fits, toNodes: typeof marked): ElementContent[] | null {
  if (node.type === 'text') {
    if (typeof node.text !== 'string') return null;
    return node.text !== '' && fits(node.text) ? toNodes(node, node.text) : [];
  }
  if (node.type !== 'link' || typeof node.url !== 'string') return null;
  const label = inline(node.children, fits, toNodes);
  // Refuse a link without text, which would be invisible.
  if (!label || label.length === 0) return null;
  return [element('a', label, { href: node.url })];
}

/** Keeps the editor's line breaks on the page. */
function marked(node: Node, words: string): ElementContent[] {
  const lines = words
    .split('\n')
    .flatMap((line, index) => (index === 0 ? [text(line)] : [element('br', []), text(`\n${line}`)]));
  return MARKS.toReversed().reduce<ElementContent[]>(
    (inner, [mark, tagName]) => (node[mark] === true ? [element(tagName, inner)] : inner),
    lines,
  );
}

const textOf: typeof marked = (_node, words) => [text(words)];

function isNode(value: unknown): value is Node {
  if (!isObject(value) || typeof value.type !== 'string' || !Object.hasOwn(KEYS, value.type)) return false;
  const known = KEYS[value.type] ?? [];
  return Object.keys(value).every(key => key === 'type' || known.includes(key));
}

function isLevel(level: unknown): level is number {
  return typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= 6;
}

function around(tagName: string, children: ElementContent[] | null): Element | null {
  return children && element(tagName, children);
}
