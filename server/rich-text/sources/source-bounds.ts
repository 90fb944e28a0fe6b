import type { Root as Markdown, Table } from 'mdast';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, type TreeAdapter } from 'parse5';
import { NamedError } from '../../ops/named-error.ts';

/**
 * Limits that keep a text from blocking the event loop. Some inputs take quadratic time or memory: 100 KB of
 * `*a _b ` take minutes. The limits are counts, so the machine's load does not matter. They are far above any
 * article. `tests/unit/rich-text-bounds.test.ts` measures the worst texts.
 */

/** Limit in characters, about 30,000 words. */
export const MAX_LENGTH = 200_000;
/** The deepest nesting of elements, because parsers, React and JSON recurse. */
export const MAX_DEPTH = 100;
const MAX_ELEMENTS = 20_000;
/** Limit for Markdown. A line may be a list item or heading, which cost more than words. */
const MAX_LINES = 4_000;
/** Limit for a parser, which may compare each marker of a paragraph with all others, n² in all. */
const MAX_COMPARISONS = 36_000_000;
/** Limit for a text's tables. Markdown fills each row up to the number of columns. */
export const MAX_CELLS = 20_000;

/** The footnotes of a text, by normalised name. */
export interface Footnotes {
  readonly definitions: readonly string[];
  /** The footnotes that the text (null) and each footnote refer to. */
  readonly references: ReadonlyMap<string | null, readonly string[]>;
}

export class TooComplexError extends NamedError {
  constructor(what: string) {
    super(`Rich text ${what}`);
  }
}

/** Whether a text is HTML, which begins with a tag. Other texts are Markdown. */
export function isHtml(source: string): boolean {
  const start = source.replace(/^(?:\s*<!--[\s\S]*?-->)+/, '').trimStart();
  return /^<(?:!doctype|[a-z][a-z0-9-]*)(?=[\s/>])/i.test(start);
}

/** @throws TooComplexError */
export function checkSource(source: string): void {
  if (source.length > MAX_LENGTH) throw new TooComplexError(`is longer than ${MAX_LENGTH} characters`);
}

export function checkLines(source: string): void {
  if (source.split(/\r\n?|\n/).length > MAX_LINES)
    throw new TooComplexError(`has more than ${MAX_LINES} lines`);
}

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

/** @returns the number of characters that may begin or end formatting. */
export function markersIn(text: string): number {
  return text.match(/[*_~`[\]<!&@\\|]|www\.|https?:|^[ \t]*(?:[>+-]|\d+[.)])/gm)?.length ?? 0;
}

/** Checks a tree without recursion, because it may be too deep for the stack. @throws TooComplexError */
export function checkTree(tree: Markdown) {
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

interface Visit {
  node: Markdown | Markdown['children'][number];
  depth: number;
  footnote: string | null;
}

/**
 * Parses HTML within the limits. parse5 reports each element, including added ones: 100 KB of misnested tags
 * become millions of elements.
 * @param parse must be synchronous: the listeners are on parse5's default tree adapter, which rehype uses.
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
