import type { Root as Markdown, Table } from 'mdast';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, type TreeAdapter } from 'parse5';

/**
 * Bounds that keep a text from blocking the event loop. Parsers need quadratic time or memory for some
 * inputs: 100 KB of `*a _b ` take minutes. They are counts, not times, so the machine's load does not matter,
 * and far above any article. `tests/unit/rich-text-bounds.test.ts` measures the worst texts within them.
 */

/** Characters: about 30,000 words. */
export const MAX_LENGTH = 200_000;
/** Depth of nested elements. Parsers, React and JSON recurse, and a deep tree would overflow their stack. */
export const MAX_DEPTH = 100;
const MAX_ELEMENTS = 20_000;
/** Lines of Markdown. Each may be a list item or a heading, which costs more than words. */
const MAX_LINES = 4_000;
/** A parser may compare each marker of a paragraph with all others: n markers count as n² comparisons. */
const MAX_COMPARISONS = 36_000_000;
/** Cells of all tables of a text. Markdown fills each row up to the number of columns. */
export const MAX_CELLS = 20_000;

/** The footnotes of a text, by normalized names. */
export interface Footnotes {
  readonly definitions: readonly string[];
  /** The footnotes to which the text (null) and each footnote refer. */
  readonly references: ReadonlyMap<string | null, readonly string[]>;
}

export class TooComplexError extends Error {
  constructor(what: string) {
    super(`Rich text ${what}`);
    this.name = 'TooComplexError';
  }
}

/** A text that begins with a tag is HTML, every other one Markdown. */
export function isHtml(source: string): boolean {
  const start = source.replace(/^(?:\s*<!--[\s\S]*?-->)+/, '').trimStart();
  return /^<(?:!doctype|[a-z][a-z0-9-]*)(?=[\s/>])/i.test(start);
}

/** @throws TooComplexError */
export function checkSource(source: string): void {
  if (source.length > MAX_LENGTH) throw new TooComplexError(`is longer than ${MAX_LENGTH} characters`);
}

/** @throws TooComplexError for Markdown with too many lines. */
export function checkLines(source: string): void {
  if (source.split(/\r\n?|\n/).length > MAX_LINES)
    throw new TooComplexError(`has more than ${MAX_LINES} lines`);
}

/** Checks Markdown before it is parsed. @throws TooComplexError */
export function checkMarkdown(source: string): void {
  let comparisons = 0;
  for (const paragraph of source.split(/\n[ \t]*\n/)) {
    comparisons += markersIn(paragraph) ** 2;
  }
  if (comparisons > MAX_COMPARISONS) throw new TooComplexError('has too many markers in one paragraph');
  for (const [prefix] of source.matchAll(/^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){20,}/gm)) {
    if ((prefix.match(/[>*+.)-]/g)?.length ?? 0) > MAX_DEPTH) throw tooDeep();
  }
}

/** @returns how many characters of a text may begin or end formatting. */
export function markersIn(text: string): number {
  return text.match(/[*_~`[\]<!&@\\|]|www\.|https?:|^[ \t]*(?:[>+-]|\d+[.)])/gm)?.length ?? 0;
}

/** Does not recurse: the tree may be too deep for the stack. @throws TooComplexError */
export function checkTree(tree: Markdown): CheckedTree {
  let hasHtml = false;
  const tables: Table[] = [];
  const definitions: string[] = [];
  const references = new Map<string | null, string[]>();
  const open: Visit[] = [{ node: tree, depth: 0, footnote: null }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { node, depth } = visit;
    let { footnote } = visit;
    if (depth > MAX_DEPTH) throw tooDeep();
    if (node.type === 'html') hasHtml = true;
    if (node.type === 'footnoteReference')
      references.set(footnote, [...(references.get(footnote) ?? []), node.identifier]);
    if (node.type === 'footnoteDefinition') {
      footnote = node.identifier;
      definitions.push(footnote);
    }
    if (!('children' in node)) continue;
    for (const child of node.children) {
      if (child.type === 'table') tables.push(child);
      open.push({ node: child, depth: depth + 1, footnote });
    }
  }
  return { hasHtml, tables, footnotes: { definitions, references } };
}

interface CheckedTree {
  hasHtml: boolean;
  tables: readonly Table[];
  footnotes: Footnotes;
}
interface Visit {
  node: Markdown | Markdown['children'][number];
  depth: number;
  /** The footnote that holds the node. */
  footnote: string | null;
}

/**
 * Parses HTML within the bounds. parse5 reports each element, also those that it adds: 100 KB of misnested
 * tags become millions. @param parse synchronous, because the listeners are set on parse5's default tree
 * adapter, which rehype uses. @throws TooComplexError
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
