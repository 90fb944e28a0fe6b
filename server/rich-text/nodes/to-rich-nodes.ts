import type { Element, ElementContent, Root } from 'hast';
import type { RichElement, RichNode, RichText } from '../../../shared/content/rich-text.ts';
import { HEADING_TAGS, VOID_TAGS } from '../../../shared/content/rich-text-tags.ts';
import type { EmbedProvider } from '../../config/embed-providers.ts';
import type { LoseText } from '../../wire/lose-text.ts';
import { embedAt } from '../tree/embeds.ts';
import { type Attributes, type AttributeTools, attributesOf, emptyToNull } from './element-attributes.ts';
import { type highlight, languageName, MAX_CODE_LENGTH } from './highlight-code.ts';
import { appended, wellFormed } from './node-texts.ts';
import { plainText } from './read-rich-text.ts';
import { BLOCKS, MAY_BE_EMPTY, PARENTS, PARTS_ONLY, TEXT_ONLY } from './vocabulary.ts';

/** @param block the code block's number in the text, from 1. */
export type ColourCode = (code: string, language: string, block: number) => ReturnType<typeof highlight>;

/** @param tree a sanitised tree with final ids. */
export function toRichText(
  tree: Root,
  tools: AttributeTools & Pick<Tools, 'colour' | 'lose' | 'providers'>,
): RichText {
  const all: Tools = { ...tools, regions: { Code: 0, Table: 0 }, heading: '' };
  return wrapRuns(convertAll(tree.children as ElementContent[], TOP, all), 'p');
}

const HEADINGS: ReadonlySet<string> = new Set(HEADING_TAGS);

interface Tools extends AttributeTools {
  providers: readonly EmbedProvider[];
  colour: ColourCode;
  lose: LoseText;
  /** The code blocks and tables so far. They scroll, so each is a landmark and needs a number in its name. */
  regions: { Code: number; Table: number };
  /** The last heading so far. It names the tables below. */
  heading: string;
}

/** Where a node stands. A misplaced node becomes its content: browsers would move it and break hydration. */
interface Place {
  parent: string;
  /** Whether the place is inside a paragraph, heading or similar, which cannot contain blocks. */
  textOnly: boolean;
  inLink: boolean;
  preformatted: boolean;
}

const TOP: Place = { parent: '', textOnly: false, inLink: false, preformatted: false };
const PRE: Place = { parent: 'pre', textOnly: true, inLink: false, preformatted: true };

function convertAll(nodes: readonly ElementContent[], place: Place, tools: Tools): RichNode[] {
  const converted: RichNode[] = [];
  for (const node of nodes) {
    if (node.type === 'text') converted.push(wellFormed(node.value));
    else if (node.type === 'element') converted.push(...convert(node, place, tools));
  }
  return tidy(converted, place);
}

/** Merges adjacent texts, and drops white space between blocks. */
function tidy(nodes: readonly RichNode[], place: Place): RichNode[] {
  const merged = appended(nodes);
  if (place.preformatted) return merged;
  const edgeIsBlock = place.parent === '' || BLOCKS.has(place.parent);
  const isEdge = (node: RichNode | undefined) => (node === undefined ? edgeIsBlock : hasBlock(node));
  return merged.filter(
    (node, index) =>
      typeof node !== 'string' ||
      node.trim() !== '' ||
      // Keep a no-break space as text, although trim() removes it.
      /[^ \t\n\f]/.test(node) ||
      !((index === 0 ? edgeIsBlock : isEdge(merged[index - 1])) || isEdge(merged[index + 1])),
  );
}

function convert(element: Element, place: Place, tools: Tools): RichNode[] {
  const tag = element.tagName;
  const inPlace = PARENTS[tag]?.includes(place.parent) ?? true;
  if (tag === 'div' || tag === 'span' || !inPlace || (place.textOnly && BLOCKS.has(tag))) {
    return unwrap(element, place, tools);
  }
  if (VOID_TAGS.has(tag)) {
    const attributes = attributesOf(element, tools);
    return attributes === null ? [] : [[tag, emptyToNull(attributes), []]];
  }
  if (tag === 'oembed') return embed(element, tools);
  const attributes = attributesOf(element, tools);
  if (attributes === null) return [];
  if (tag === 'a' && (place.inLink || attributes.href === undefined)) return unwrap(element, place, tools);

  let children = convertAll(
    element.children,
    {
      parent: tag,
      textOnly: place.textOnly || TEXT_ONLY.has(tag),
      inLink: place.inLink || tag === 'a',
      preformatted: place.preformatted || tag === 'pre',
    },
    tools,
  );
  const partsOnly = PARTS_ONLY[tag];
  if (partsOnly) {
    const isPart = (node: RichNode) => typeof node !== 'string' && partsOnly.parts.includes(node[0]);
    children =
      partsOnly.otherwise === null
        ? children.filter(isPart)
        : wrapRuns(children, partsOnly.otherwise, isPart);
  }
  const first = children[0];
  // Remove line breaks at the beginning of <pre>, because HTML parsers drop the first one.
  if (tag === 'pre' && typeof first === 'string')
    children = tidy([first.replace(/^\n+/, ''), ...children.slice(1)], PRE);
  if (children.every(isBlank) && !MAY_BE_EMPTY.has(tag)) {
    return BLOCKS.has(tag) ? [] : children;
  }
  if (tag === 'p') return [captioned(children) ?? [tag, emptyToNull(attributes), children]];
  if (tag === 'pre') return [codeRegion(attributes, children, tools)];
  if (tag === 'table') return [tableRegion(attributes, children, tools)];
  if (HEADINGS.has(tag)) tools.heading = plainText(children);
  return [[tag, emptyToNull(attributes), children]];
}

function embed(element: Element, tools: Tools): RichNode[] {
  const found = embedAt(element.properties.url, tools.providers);
  const place: Place = { parent: 'oembed', textOnly: true, inLink: true, preformatted: false };
  const children = convertAll(element.children, place, tools);
  if (!found) return children;
  const { id } = element.properties;
  const attributes = { href: found.page, 'data-frame': found.player, 'data-provider': found.provider };
  return [['oembed', { ...(typeof id === 'string' ? { id: wellFormed(id) } : {}), ...attributes }, children]];
}

function codeRegion(
  attributes: Attributes,
  children: RichNode[],
  { regions, colour, lose }: Tools,
): RichElement {
  regions.Code += 1;
  const [code] = children;
  const isCode = children.length === 1 && typeof code === 'object' && code[0] === 'code';
  const className = isCode ? code[1]?.className : undefined;
  const language = typeof className === 'string' ? className.replace(/^language-/, '') : '';
  const name = languageName(language);
  const label = `Code ${regions.Code}${name ? `, ${name}` : ''}`;
  const named = { ...attributes, 'aria-label': label, ...(name ? { 'data-language': name } : {}) };
  const [text] = isCode && code[2].length === 1 ? code[2] : [];
  if (name === null || typeof text !== 'string') return ['pre', named, children];
  if (text.length > MAX_CODE_LENGTH)
    lose('shown-as-text', `code of more than ${MAX_CODE_LENGTH} characters is shown without colours`);
  const tokens = colour(text, language, regions.Code);
  return ['pre', named, isCode && tokens ? [['code', code[1], tokens]] : children];
}

function tableRegion(attributes: Attributes, children: RichNode[], { regions, heading }: Tools): RichElement {
  regions.Table += 1;
  const caption = children.find(node => typeof node === 'object' && node[0] === 'caption');
  const name = caption ? plainText([caption]) : heading;
  const label = `Table ${regions.Table}${name ? `: ${name}` : ''}`;
  return ['table', { ...attributes, 'aria-label': label }, children];
}

/** Replaces an element by its content. Its id moves to the first node or an empty `span`, for links. */
function unwrap(element: Element, place: Place, tools: Tools): RichNode[] {
  const isBlock = element.tagName === 'div' || BLOCKS.has(element.tagName);
  let nodes = convertAll(element.children, place, tools);
  if (isBlock && !place.textOnly) nodes = PARTS_ONLY[place.parent] ? nodes : wrapRuns(nodes, 'p');
  nodes = inLanguage(nodes, element, place);
  if (isBlock && place.textOnly) nodes = [' ', ...nodes, ' '];
  const id = element.properties.id;
  const first = nodes[0];
  if (typeof id !== 'string') return nodes;
  if (first !== undefined && typeof first !== 'string' && first[1]?.id === undefined) {
    return [[first[0], { id, ...first[1] }, first[2]], ...nodes.slice(1)];
  }
  return first !== undefined && hasBlock(first) ? nodes : [['span', { id }, []], ...nodes];
}

/** Gives content the language and direction of the replaced element. */
function inLanguage(nodes: RichNode[], { properties }: Element, { preformatted }: Place): RichNode[] {
  const attributes = emptyToNull(
    Object.fromEntries(
      Object.entries({ lang: properties.lang, dir: properties.dir }).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
  );
  if (attributes === null || preformatted || nodes.length === 0) return nodes;
  if (!nodes.some(hasBlock)) return [['span', attributes, nodes]];
  return nodes.map(node =>
    typeof node === 'string' ? node : [node[0], { ...attributes, ...node[1] }, node[2]],
  );
}

/** Turns a paragraph with one titled picture into a figure with a caption. */
function captioned(children: readonly RichNode[]): RichElement | null {
  const [only, ...others] = children.filter(node => !isBlank(node));
  if (only === undefined || typeof only === 'string' || others.length > 0 || only[0] !== 'img') return null;
  const { title, ...attributes } = only[1] ?? {};
  if (typeof title !== 'string' || title.trim() === '') return null;
  return [
    'figure',
    null,
    [
      ['img', attributes, []],
      ['figcaption', null, [title.trim()]],
    ],
  ];
}

function wrapRuns(
  nodes: readonly RichNode[],
  tag: string,
  standsAlone: (node: RichNode) => boolean = hasBlock,
): RichNode[] {
  const wrapped: RichNode[] = [];
  let run: RichNode[] = [];
  const close = () => {
    if (!run.every(isBlank)) wrapped.push((tag === 'p' ? captioned(run) : null) ?? [tag, null, run]);
    run = [];
  };
  for (const node of nodes) {
    if (standsAlone(node)) {
      close();
      wrapped.push(node);
    } else {
      run.push(node);
    }
  }
  close();
  return wrapped;
}

function hasBlock(node: RichNode): boolean {
  return typeof node !== 'string' && (BLOCKS.has(node[0]) || node[2].some(hasBlock));
}

function isBlank(node: RichNode): boolean {
  return typeof node === 'string' && !/[^ \t\n\f]/.test(node);
}
