import { createContext, Script } from 'node:vm';
import type { Element, ElementContent, Root } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { RichElement, RichHeading, RichNode, RichText } from '../../shared/content/rich-text.ts';
import { safeHref } from './safe-address.ts';

export interface RichTextCompiler {
  /**
   * The sanitised tree of a Markdown or HTML source (HTML is what begins with a tag). Never throws: a source that cannot
   * be compiled (nested too deeply, taking too long) comes back as one paragraph of plain text, a non-string as `[]`.
   */
  compile(source: unknown): RichText;
  /** The headings of levels 2 and 3 in their order, for a table of contents. */
  headings(tree: RichText): RichHeading[];
  /** The text without markup, white space collapsed. */
  plainText(tree: RichText): string;
}

/** Elements nested deeper than this are nobody's article: parsers, React and JSON all recurse. */
const MAX_DEPTH = 100;
/**
 * A compilation is stopped after this. Markdown has inputs that take quadratic time (100 KB of `*a _b ` take minutes), and
 * the event loop belongs to every visitor. An ordinary text takes 2 to 5 ms a KiB. In ms, and ms a KiB.
 */
const DEADLINE_MS = 600;
const DEADLINE_MS_PER_KIB = 6;

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6'];
const TABLE_PARTS = ['caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'];
const BLOCK_TAGS = [
  ...['p', ...HEADINGS, 'ul', 'ol', 'li', 'blockquote', 'pre', 'table', ...TABLE_PARTS],
  ...['figure', 'figcaption', 'hr', 'details', 'summary', 'dl', 'dt', 'dd'],
];
const INLINE_TAGS = [
  ...['a', 'img', 'br', 'code', 'em', 'strong', 's', 'sub', 'sup', 'mark', 'small', 'abbr', 'kbd'],
  ...['del', 'ins', 'input'],
];
const BLOCKS: ReadonlySet<string> = new Set(BLOCK_TAGS);

/** What is renamed before it is sanitised. `div` never reaches the page: its content becomes paragraphs and blocks. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ...[['h1', 'h2'] as const, ['b', 'strong'] as const, ['i', 'em'] as const, ['strike', 's'] as const],
  ...['tt', 'samp'].map(tag => [tag, 'code'] as const),
  ...['section', 'article', 'main', 'header', 'footer', 'aside', 'nav', 'address', 'center', 'fieldset'].map(
    tag => [tag, 'div'] as const,
  ),
  ...['form', 'hgroup', 'search'].map(tag => [tag, 'div'] as const),
]);

/** A schema of our own: what is not named here does not exist. Unknown elements are replaced by what they contain. */
const SCHEMA: Schema = {
  tagNames: [...BLOCK_TAGS, ...INLINE_TAGS, 'div', 'span'],
  // These go with all that is in them.
  strip: [
    ...[
      'script',
      'style',
      'template',
      'noscript',
      'iframe',
      'object',
      'embed',
      'applet',
      'frameset',
      'svg',
      'math',
    ],
    ...[
      'title',
      'textarea',
      'select',
      'option',
      'datalist',
      'audio',
      'video',
      'canvas',
      'xmp',
      'noembed',
      'noframes',
    ],
    ...['plaintext', 'meter', 'progress', 'portal', 'dialog'],
  ],
  attributes: {
    '*': ['id'],
    a: ['href', 'title', 'ariaLabel'],
    abbr: ['title'],
    code: [['className', /^language-[\w+#.-]{1,40}$/]],
    details: ['open'],
    img: ['src', 'alt', 'title', ['width', /^\d{1,5}$/], ['height', /^\d{1,5}$/]],
    input: ['checked'],
    ol: [['start', /^\d{1,6}$/], 'reversed', ['type', '1', 'a', 'A', 'i', 'I']],
    td: [
      ['colSpan', /^[1-9]\d{0,2}$/],
      ['rowSpan', /^[1-9]\d{0,2}$/],
      ['align', 'left', 'center', 'right'],
    ],
    th: [
      ['colSpan', /^[1-9]\d{0,2}$/],
      ['rowSpan', /^[1-9]\d{0,2}$/],
      ['align', 'left', 'center', 'right'],
      ['scope', 'row', 'col', 'rowgroup', 'colgroup'],
    ],
  },
  // A second wall in front of `safeHref` and the media policy, which see every address that passes.
  protocols: { href: ['http', 'https', 'mailto', 'tel'], src: ['http', 'https'] },
  required: {},
  ancestors: {},
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
};

/** Every place an element may stand in; anywhere else it is replaced by its content. Others may stand everywhere. */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  dt: ['dl'],
  dd: ['dl'],
  summary: ['details'],
  figcaption: ['figure'],
  caption: ['table'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  tr: ['thead', 'tbody', 'tfoot'],
  th: ['tr'],
  td: ['tr'],
};
/** Elements that hold nothing but their own parts. Null: what else is in there is left out, as browsers move it away. */
const PARTS_ONLY: Readonly<Record<string, { parts: readonly string[]; otherwise: string | null }>> = {
  ul: { parts: ['li'], otherwise: 'li' },
  ol: { parts: ['li'], otherwise: 'li' },
  dl: { parts: ['dt', 'dd'], otherwise: 'dd' },
  table: { parts: ['caption', 'thead', 'tbody', 'tfoot'], otherwise: null },
  thead: { parts: ['tr'], otherwise: null },
  tbody: { parts: ['tr'], otherwise: null },
  tfoot: { parts: ['tr'], otherwise: null },
  tr: { parts: ['th', 'td'], otherwise: null },
};
/** Blocks that hold text alone. */
const TEXT_ONLY: ReadonlySet<string> = new Set([
  'p',
  ...HEADINGS,
  'pre',
  'summary',
  'figcaption',
  'caption',
  'dt',
]);
const VOID: ReadonlySet<string> = new Set(['img', 'br', 'hr', 'input']);
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['li', 'dd', 'th', 'td']);

/**
 * Ids of the page itself (of its sections, their titles, its root), so that no heading of a text takes their place.
 * Those with `_` or `:` in front are React's.
 */
const RESERVED_IDS: ReadonlySet<string> = new Set(
  (
    'root app page-data content main header footer nav navigation menu search top title form error announcer ' +
    'contacts subscribe subscribe-email faq countries payments directions partners metrics earn-more earnmore hero'
  ).split(' '),
);
const RESERVED_PATTERN = /^[_:]|^(?:category|corridor)-|-title$/;

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm, { singleTilde: false })
  .use(() => limitDepth)
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '', footnoteLabel: 'Notes' })
  .use(rehypeRaw)
  .freeze();
const html = unified().use(rehypeParse, { fragment: true }).freeze();
const clean = unified()
  .use(() => limitDepth)
  .use(() => standardise)
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeSlug)
  .freeze();

/**
 * @param media decides which picture addresses may be shown: `createMediaPolicy` of `safe-address.ts`
 * @param onFailure is told why a source came back as plain text, for the log
 */
export function createRichTextCompiler(
  media: { mediaAddress(value: unknown): string | null },
  onFailure?: (error: unknown) => void,
): RichTextCompiler {
  return {
    compile(source) {
      if (typeof source !== 'string' || source.trim() === '') return [];
      try {
        const deadline = DEADLINE_MS + (source.length / 1024) * DEADLINE_MS_PER_KIB;
        return withDeadline(Math.ceil(deadline), () => {
          const tree = clean.runSync(parse(source));
          const aliases = settleIds(tree);
          return wrapRuns(convertAll(tree.children as ElementContent[], TOP, { media, aliases }), 'p');
        });
      } catch (error) {
        onFailure?.(error);
        const text = source.replace(/<[a-z/!][^<>]*>/gi, ' ').replace(/\s+/g, ' ');
        return text.trim() === '' ? [] : [['p', null, [wellFormed(text.trim())]]];
      }
    },
    headings,
    plainText,
  };
}

/** Minutes of reading, at 220 words a minute, at least 1. */
export function readingMinutes(tree: RichText): number {
  return Math.max(1, Math.round(plainText(tree).split(' ').length / 220));
}

/** The headings of levels 2 and 3 in their order, for a table of contents. */
export function headings(tree: RichText): RichHeading[] {
  const found: RichHeading[] = [];
  for (const node of tree) {
    if (typeof node === 'string') continue;
    const [tag, attributes, children] = node;
    const id = attributes?.id;
    if ((tag === 'h2' || tag === 'h3') && typeof id === 'string') {
      found.push({ id, text: plainText(children), level: tag === 'h2' ? 2 : 3 });
    } else {
      found.push(...headings(children));
    }
  }
  return found;
}

/** The text of a tree without markup, white space collapsed. */
export function plainText(tree: RichText): string {
  const text = (node: RichNode): string => {
    if (typeof node === 'string') return node;
    const inner = node[2].map(text).join('');
    return BLOCKS.has(node[0]) || node[0] === 'br' ? ` ${inner} ` : inner;
  };
  return tree.map(text).join('').replace(/\s+/g, ' ').trim();
}

const sandbox: { work: (() => void) | null } = { work: null };
const callWork = new Script('work()');
const deadlineContext = createContext(sandbox);

/**
 * Runs synchronous work and stops it after `ms` (wall-clock time). Node can interrupt running JavaScript only below a
 * `vm` script, so one calls the work; the work itself runs in the ordinary context. It shares nothing with others but
 * rehype-slug's counter, which starts anew with each tree.
 *
 * @throws what the work throws, or ERR_SCRIPT_EXECUTION_TIMEOUT
 */
function withDeadline<T>(ms: number, work: () => T): T {
  const results: T[] = [];
  sandbox.work = () => void results.push(work());
  try {
    callWork.runInContext(deadlineContext, { timeout: ms });
  } finally {
    sandbox.work = null;
  }
  return results[0] as T;
}

function parse(source: string): Root {
  const start = source.replace(/^(?:\s*<!--[\s\S]*?-->)+/, '').trimStart();
  const isHtml = /^<(?:!doctype|[a-z][a-z0-9-]*)(?=[\s/>])/i.test(start);
  return isHtml ? html.parse(source) : markdown.runSync(markdown.parse(source));
}

/** Walks without recursion, because depth is what it looks for. */
function limitDepth(tree: object): void {
  const open: [node: object, depth: number][] = [[tree, 0]];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [node, depth] = entry;
    if (depth > MAX_DEPTH) throw new Error(`Rich text is nested deeper than ${MAX_DEPTH} elements`);
    if ('children' in node && Array.isArray(node.children)) {
      for (const child of node.children) open.push([child, depth + 1]);
    }
  }
}

/** Brings the variety of sources to the names that the schema and the conversion know. */
function standardise(tree: Root): void {
  visit(tree, 'element', (node, index, parent) => {
    node.tagName = RENAMED.get(node.tagName) ?? node.tagName;
    if (node.tagName === 'a' && !node.properties.id && typeof node.properties.name === 'string') {
      node.properties.id = node.properties.name;
    }
    if (node.tagName === 'input' && node.properties.type !== 'checkbox' && parent && index !== undefined) {
      parent.children.splice(index, 1);
      return index;
    }
    return undefined;
  });
}

/**
 * Makes every id unique in its text and none of the page's own; returns source id → final id, so that `#links` inside
 * the text follow. Ids stay readable: `fees`, `fees-1`, and `section-contacts` for a reserved one.
 */
function settleIds(tree: Root): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  const counts = new Map<string, number>();
  visit(tree, 'element', node => {
    const source = node.properties.id;
    if (source === undefined || source === null) return;
    let id = [...String(source).replace(/[^\p{L}\p{M}\p{N}_.:-]+/gu, '-')].slice(0, 80).join('');
    id = id.replace(/^-+/, '') || 'section';
    if (RESERVED_IDS.has(id.toLowerCase()) || RESERVED_PATTERN.test(id)) id = `section-${id}`;
    let unique = id;
    for (let count = counts.get(id) ?? 0; counts.has(unique); unique = `${id}-${count}`) {
      count += 1;
      counts.set(id, count);
    }
    counts.set(unique, 0);
    node.properties.id = unique;
    if (!aliases.has(String(source))) aliases.set(String(source), unique);
  });
  return aliases;
}

interface Tools {
  media: { mediaAddress(value: unknown): string | null };
  aliases: ReadonlyMap<string, string>;
}

/** Where a node stands. What is written has to survive the browser's own parser unchanged, or hydration would differ. */
interface Place {
  /** The nearest element that is written. */
  parent: string;
  /** Inside a paragraph, a heading …: no blocks from here on. */
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

/** Merges texts, and drops those between blocks that are white space alone. */
function tidy(nodes: readonly RichNode[], place: Place): RichNode[] {
  const merged: RichNode[] = [];
  for (const node of nodes) {
    const last = merged.at(-1);
    if (node === '') continue;
    if (typeof node === 'string' && typeof last === 'string') merged[merged.length - 1] = last + node;
    else merged.push(node);
  }
  if (place.preformatted) return merged;
  const edgeIsBlock = place.parent === '' || BLOCKS.has(place.parent);
  const isEdge = (node: RichNode | undefined) => (node === undefined ? edgeIsBlock : hasBlock(node));
  return merged.filter(
    (node, index) =>
      typeof node !== 'string' ||
      node.trim() !== '' ||
      // A no-break space is text: trim() would take it for white space.
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
  if (VOID.has(tag)) {
    const attributes = attributesOf(element, tools);
    return attributes === null ? [] : [[tag, emptyToNull(attributes), []]];
  }
  const attributes = attributesOf(element, tools) ?? {};
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
  // The parser drops a line break that follows <pre>.
  if (tag === 'pre' && typeof first === 'string')
    children = tidy([first.replace(/^\n+/, ''), ...children.slice(1)], PRE);
  if (children.every(isBlank) && !MAY_BE_EMPTY.has(tag)) {
    return BLOCKS.has(tag) ? [] : children;
  }
  if (tag === 'p') return [captioned(children) ?? [tag, emptyToNull(attributes), children]];
  return [[tag, emptyToNull(attributes), children]];
}

/**
 * An element's content in its place. Its id, which a link of the text may mean, moves to what stands first, or to an empty
 * `span`: the only way one comes to the page.
 */
function unwrap(element: Element, place: Place, tools: Tools): RichNode[] {
  const isBlock = element.tagName === 'div' || BLOCKS.has(element.tagName);
  let nodes = convertAll(element.children, place, tools);
  if (isBlock && !place.textOnly) nodes = PARTS_ONLY[place.parent] ? nodes : wrapRuns(nodes, 'p');
  if (isBlock && place.textOnly) nodes = [' ', ...nodes, ' '];
  const id = element.properties.id;
  const first = nodes[0];
  if (typeof id !== 'string') return nodes;
  if (first !== undefined && typeof first !== 'string' && first[1]?.id === undefined) {
    return [[first[0], { id, ...first[1] }, first[2]], ...nodes.slice(1)];
  }
  return first !== undefined && hasBlock(first) ? nodes : [['span', { id }, []], ...nodes];
}

/** A paragraph that is nothing but a picture with a title is a figure with a caption. */
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

/** Puts every run of text and inline elements into an element of its own. */
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

type Attributes = Record<string, string | number | boolean>;

function emptyToNull(attributes: Attributes): Attributes | null {
  return Object.keys(attributes).length === 0 ? null : attributes;
}

/** The attributes under React's names. Null: the element cannot be shown without the address it was refused. */
function attributesOf(element: Element, tools: Tools): Attributes | null {
  const { href, src, className, ariaLabel, ...others } = element.properties;
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(others)) {
    if (typeof value === 'string') attributes[name] = wellFormed(value);
    else if (typeof value === 'number' || value === true) attributes[name] = value;
  }
  if (typeof ariaLabel === 'string') attributes['aria-label'] = wellFormed(ariaLabel);
  if (Array.isArray(className) && className.length > 0) attributes.className = className.join(' ');

  if (element.tagName === 'a') {
    const address = linkAddress(href, tools);
    if (address !== null) attributes.href = address;
    if (address !== null && /^https?:/.test(address)) attributes.rel = 'noopener noreferrer';
  }
  if (element.tagName === 'img') {
    const address = tools.media.mediaAddress(src);
    if (address === null) return null;
    return { ...attributes, src: address, alt: attributes.alt ?? '', loading: 'lazy', decoding: 'async' };
  }
  if (element.tagName === 'input') {
    return {
      ...attributes,
      type: 'checkbox',
      disabled: true,
      'aria-label': attributes.checked ? 'Done' : 'To do',
    };
  }
  return attributes;
}

function linkAddress(href: unknown, { media, aliases }: Tools): string | null {
  const address = safeHref(href);
  if (address?.startsWith('#')) {
    const id = decoded(address.slice(1));
    const target = aliases.get(id) ?? aliases.get(id.toLowerCase());
    return target === undefined ? address : safeHref(`#${target}`);
  }
  if (address?.startsWith('/')) return address;
  // A file of the content backend, named by the backend's own address, is ours to serve.
  const upload = media.mediaAddress(href);
  return upload?.startsWith('/uploads/') ? upload : address;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What the browser's parser makes of a text anyway: no NUL, LF line ends, no half surrogates. */
function wellFormed(text: string): string {
  return text.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed();
}
