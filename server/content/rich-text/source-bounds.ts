import type { Root as Markdown } from 'mdast';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, type TreeAdapter } from 'parse5';

/**
 * Bounds that keep a text from blocking the event loop. Parsers of Markdown and HTML need quadratic time or memory for some inputs:
 * 100 KB of `*a _b ` take minutes. The bounds are counts, not times, so the result does not depend on the load of the machine. They are
 * far above any article. `tests/unit/rich-text-bounds.test.ts` measures the worst texts within them.
 */

/** Characters: about 30,000 words. */
const MAX_LENGTH = 200_000;
/** Depth of nested elements. Parsers, React and JSON recurse, and a deep tree would overflow their stack. */
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 20_000;
/** Lines of Markdown. Each line may be a list item or a heading, which costs more than words. */
const MAX_LINES = 4_000;
/** Comparisons of markers: a parser may compare each marker of a paragraph with all others, so n markers count as n² comparisons. */
const MAX_COMPARISONS = 36_000_000;
/** Cells of tables. Markdown fills each row up to the number of columns. */
const MAX_CELLS = 20_000;

/** A text that would cost too much. */
class TooComplexError extends Error {
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
 * Checks Markdown before it is parsed.
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
 * Checks parsed Markdown. The walk does not recurse, because the tree may be too deep for the stack.
 *
 * @returns whether the Markdown holds HTML.
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
 * Parses HTML within the bounds. parse5 reports each element that it opens, also the elements that it adds itself: 100 KB of
 * misnested tags become millions of elements.
 *
 * @param parse synchronous. rehype-parse and rehype-raw use parse5's default tree adapter, so the listeners are set on that object.
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
