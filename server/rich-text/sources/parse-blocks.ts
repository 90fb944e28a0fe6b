import type { Element, ElementContent, Root } from 'hast';
import { isGiven, type ListContext, lose, MAX_ITEMS, quoted } from '../../wire/decode-context.ts';
import { notShown } from '../../wire/decode-json.ts';
import type { LoseText } from '../../wire/lose-text.ts';
import { isObject, textOf } from '../../wire/wire.ts';
import { setOf } from '../nodes/vocabulary.ts';
import { element, text } from '../tree/hast-nodes.ts';
import { nameOfAddress } from '../tree/show-lost.ts';
import { parseSource } from './parse-source.ts';
import { plainParagraphs } from './plain-paragraphs.ts';
import { sectionElements } from './section-kinds.ts';
import { MAX_DEPTH, MAX_LENGTH } from './source-bounds.ts';
import { strapiBlock } from './strapi-blocks.ts';
import { isFile, isForReaders } from './texts-for-readers.ts';

const OF_STRAPI = setOf(
  'id documentId __component createdAt updatedAt publishedAt locale localizations createdBy updatedBy',
);
const OF_BLOCKS = setOf('type format level language indentLevel');
const ADDRESSES = setOf('url href link src address embed');
/** Keys whose text may label the address beside it, the best first. */
const LABELS = ['title', 'alternativeText', 'caption', 'label', 'text', 'name'] as const;

interface Walk {
  lose: LoseText;
  length: number;
  leftOut: Set<string>;
  unknown: Set<string>;
  sections: number;
  isPlain: boolean;
}

/**
 * Turns Strapi's Blocks (`{type, children}`) and dynamic zones (`{__component, …}`) into an HTML tree.
 * Blocks become the same elements as Markdown. Other values become paragraphs of texts and links.
 */
export function parseBlocks(value: object, report: LoseText): Root {
  const walk: Walk = {
    lose: report,
    length: 0,
    leftOut: new Set(),
    unknown: new Set(),
    sections: 0,
    isPlain: false,
  };
  const children = blocks(value, walk, 0);
  const left = [...walk.leftOut].join(', ');
  const without = left === '' ? '' : `; not shown: ${left}`;
  const unknown =
    walk.unknown.size > 0 ? `${[...walk.unknown].join(', ')}: the site has no such section; ` : '';
  if ((walk.isPlain && children.length > 0) || left !== '')
    report('shown-as-text', `${unknown}blocks are shown as plain paragraphs and links${without}`);
  return { type: 'root', children };
}

function blocks(value: unknown, walk: Walk, depth: number): ElementContent[] {
  if (depth > MAX_DEPTH) {
    walk.leftOut.add(`everything deeper than ${MAX_DEPTH} blocks`);
    return [];
  }
  if (Array.isArray(value)) return inRuns(value, walk, depth);
  if (isObject(value) && isText(value.__component)) {
    const shown = section(value, walk, depth);
    if (shown) return shown;
  }
  const { length } = walk;
  const block = strapiBlock(value, source => fits(source, walk));
  if (block) return block.children.length > 0 ? [block] : [];
  walk.length = length;
  walk.isPlain = true;
  if (typeof value === 'string') return texts(value, walk);
  if (!isObject(value)) return leaveOut(value, 'a value without a name', walk);
  if (isInline(value)) return inRuns([value], walk, depth);
  const entries = Object.entries(value).filter(([key, inner]) => isShown(key, inner, value));
  const hasAddress = entries.some(([key, inner]) => isAddress(key, inner));
  const label = hasAddress
    ? LABELS.find(key => isText(value[key]) && !isAddress(key, value[key]))
    : undefined;
  return entries.flatMap(([key, inner]) => {
    // Skip the label, which is the text of the link.
    if (key === label) return [];
    if (isAddress(key, inner)) return paragraph([link(inner, label && value[label], walk)]);
    // Skip other texts of a media file: only its caption is for readers.
    if (isFile(value) && key !== 'caption') return [];
    if (typeof inner === 'object') return blocks(inner, walk, depth + 1);
    if (isText(inner) && isForReaders(key, inner)) return texts(inner, walk);
    return leaveOut(inner, quoted(key), walk);
  });
}

function section(value: Record<string, unknown>, walk: Walk, depth: number): ElementContent[] | null {
  walk.sections += 1;
  const number = walk.sections;
  const component = String(value.__component);
  const context: ListContext = {
    at: { type: '', id: null, field: null, updatedAt: null },
    items: { left: MAX_ITEMS },
    report({ field, reason }) {
      const place = `section ${number} (${quoted(component)})${field === null ? '' : `, ${field}`}`;
      walk.lose('value-left-out', `${place}: ${reason}`);
    },
  };
  const noText = (source: unknown) => {
    if (isGiven(source) && typeof source !== 'string')
      lose(context, 'value-left-out', notShown(source, 'a text'));
  };
  const tools = {
    richText(source: unknown) {
      if (isObject(source) || Array.isArray(source)) return blocks(source, walk, depth + 1);
      noText(source);
      return isText(source) ? texts(source, walk) : [];
    },
    words(source: unknown) {
      const words = textOf(source);
      if (words === null) noText(source);
      return words !== null && fits(words, walk) ? words : null;
    },
  };
  const shown = sectionElements(value, tools, context);
  if (!shown) walk.unknown.add(quoted(component));
  return shown;
}

function inRuns(items: readonly unknown[], walk: Walk, depth: number): ElementContent[] {
  const shown: ElementContent[] = [];
  let run: ElementContent[] = [];
  for (const item of items) {
    if (isInline(item)) {
      walk.isPlain = true;
      run.push(...inline(item, walk));
      continue;
    }
    shown.push(...paragraph(run), ...blocks(item, walk, depth + 1));
    run = [];
  }
  return [...shown, ...paragraph(run)];
}

type Node = Readonly<Record<string, unknown>>;

function inline({ type, text: own, url, title, children }: Node, walk: Walk): ElementContent[] {
  if (type === 'text') return isText(own) && fits(own, walk) ? [text(own)] : [];
  // Keep only text, because a link cannot contain another link.
  const parts = Array.isArray(children) ? children : [];
  const words = parts.map(part => (isObject(part) && isText(part.text) ? part.text : '')).join('');
  return [link(url, isGiven(words) ? words : title, walk)];
}

function isInline(value: unknown): value is Node {
  return isObject(value) && (value.type === 'text' || value.type === 'link') && !isText(value.__component);
}

function isShown(key: string, value: unknown, owner: Record<string, unknown>): boolean {
  if (OF_STRAPI.has(key) || (OF_BLOCKS.has(key) && Array.isArray(owner.children))) return false;
  return isGiven(value) && typeof value !== 'boolean';
}

function isAddress(key: string, value: unknown): value is string {
  return isText(value) && (ADDRESSES.has(key) || /^(?:https?:)?\/\/\S+$/.test(value));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isGiven(value);
}

function link(address: unknown, label: unknown, walk: Walk): Element {
  const href = isText(address) ? address : '';
  const name = isText(label) && fits(label, walk) ? label : nameOfAddress(href);
  return element('a', [text(name)], { href });
}

function texts(source: string, walk: Walk): ElementContent[] {
  if (!fits(source, walk)) return [];
  try {
    // The cast is safe: all nodes are elements and texts, or comments and doctypes that sanitising removes.
    return parseSource(source, walk.lose).children as ElementContent[];
  } catch {
    walk.lose('shown-as-text', `${quoted(source)} is too complex: it is shown without its formatting`);
    return plainParagraphs(source).flatMap(words => paragraph([text(words)]));
  }
}

/** Counts a text. @returns false if all texts together are too long, so that this one is left out. */
function fits(source: string, walk: Walk): boolean {
  walk.length += source.length;
  if (walk.length <= MAX_LENGTH) return true;
  walk.leftOut.add(`everything after ${MAX_LENGTH} characters`);
  return false;
}

function leaveOut(value: unknown, name: string, walk: Walk): ElementContent[] {
  if (isGiven(value) && typeof value !== 'boolean') walk.leftOut.add(name);
  return [];
}

function paragraph(children: ElementContent[]): ElementContent[] {
  return children.length > 0 ? [element('p', children)] : [];
}
