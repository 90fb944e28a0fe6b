import type { Root as Markdown } from 'mdast';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, type TreeAdapter } from 'parse5';

/**
 * What keeps a text from holding the event loop, which belongs to every visitor. Parsers of Markdown and HTML have inputs
 * that take quadratic time (100 KB of `*a _b ` take minutes) or memory. They are refused by counting, never by the clock:
 * the same text is always treated alike, however busy the machine is. The figures are far above any article's
 * (`tests/unit/rich-text-bounds.test.ts` shows what the worst of each kind cost).
 */

/** Characters. About 30,000 words. */
const MAX_LENGTH = 200_000;
/** Elements nested deeper than this are nobody's article: parsers, React and JSON all recurse. */
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 20_000;
/** Lines of Markdown: each may be a list or a heading of its own, which costs more than words do. */
const MAX_LINES = 4_000;
/** Every marker of a paragraph may be compared with every other one: the sum over all paragraphs of their squares. */
const MAX_COMPARISONS = 36_000_000;
/** Markdown gives every row as many cells as the table has columns. */
const MAX_CELLS = 20_000;

/** A text that is refused for what it would cost. */
export class TooComplexError extends Error {
  constructor(what: string) {
    super(`Rich text ${what}`);
    this.name = 'TooComplexError';
  }
}

/** @throws TooComplexError */
export function checkSource(source: string): void {
  if (source.length > MAX_LENGTH) throw new TooComplexError(`is longer than ${MAX_LENGTH} characters`);
}

/**
 * Looks at Markdown before it is parsed.
 *
 * @throws TooComplexError
 */
export function checkMarkdown(source: string): void {
  if (source.split(/\r\n?|\n/).length > MAX_LINES)
    throw new TooComplexError(`has more than ${MAX_LINES} lines`);
  let comparisons = 0;
  for (const paragraph of source.split(/\n[ \t]*\n/)) {
    const markers = paragraph.match(/[*_~`[\]<!&@\\|]|www\.|https?:|^[ \t]*(?:[>+-]|\d+[.)])/gm)?.length ?? 0;
    comparisons += markers * markers;
  }
  if (comparisons > MAX_COMPARISONS) throw new TooComplexError('has too many markers in one paragraph');
  for (const [prefix] of source.matchAll(/^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){20,}/gm)) {
    if ((prefix.match(/[>*+.)-]/g)?.length ?? 0) > MAX_DEPTH) throw tooDeep();
  }
}

/**
 * Looks at Markdown after it was parsed. Walks without recursion, because depth is what it looks for.
 *
 * @returns whether there is HTML in it.
 * @throws TooComplexError
 */
export function checkTree(tree: Markdown): { hasHtml: boolean } {
  let hasHtml = false;
  let cells = 0;
  const open: [node: Markdown | Markdown['children'][number], depth: number][] = [[tree, 0]];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [node, depth] = entry;
    if (depth > MAX_DEPTH) throw tooDeep();
    if (node.type === 'html') hasHtml = true;
    if (node.type === 'table') cells += (node.children[0]?.children.length ?? 0) * node.children.length;
    if (cells > MAX_CELLS) throw new TooComplexError(`has tables of more than ${MAX_CELLS} cells`);
    if ('children' in node) for (const child of node.children) open.push([child, depth + 1]);
  }
  return { hasHtml };
}

/**
 * Parses HTML within the bounds. The parser tells of each element that it opens, also of those that it makes itself: out of
 * 100 KB of misnested tags come millions.
 *
 * @param parse synchronous; rehype-parse and rehype-raw take no tree adapter of their own, so the common one is listened to.
 * @throws TooComplexError
 */
export function boundedHtml<T>(parse: () => T): T {
  const adapter: TreeAdapter<DefaultTreeAdapterMap> = defaultTreeAdapter;
  let elements = 0;
  let depth = 0;
  adapter.onItemPush = () => {
    elements += 1;
    depth += 1;
    if (elements > MAX_ELEMENTS) throw new TooComplexError(`has more than ${MAX_ELEMENTS} elements`);
    if (depth > MAX_DEPTH) throw tooDeep();
  };
  adapter.onItemPop = () => {
    depth -= 1;
  };
  try {
    return parse();
  } finally {
    delete adapter.onItemPush;
    delete adapter.onItemPop;
  }
}

function tooDeep(): TooComplexError {
  return new TooComplexError(`is nested deeper than ${MAX_DEPTH} elements`);
}
