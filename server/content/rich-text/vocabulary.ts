/** The elements that rich text may consist of, and where each may stand. */

export const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6'];
const TABLE_PARTS = ['caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'];
export const BLOCK_TAGS = [
  ...['p', ...HEADINGS, 'ul', 'ol', 'li', 'blockquote', 'pre', 'table', ...TABLE_PARTS],
  ...['figure', 'figcaption', 'hr', 'details', 'summary', 'dl', 'dt', 'dd'],
];
export const INLINE_TAGS = [
  ...['a', 'img', 'br', 'code', 'em', 'strong', 's', 'sub', 'sup', 'mark', 'small', 'abbr', 'kbd'],
  ...['del', 'ins', 'cite', 'q', 'input'],
];
export const BLOCKS: ReadonlySet<string> = new Set(BLOCK_TAGS);

/** Every place an element may stand in; anywhere else it is replaced by its content. Others may stand everywhere. */
export const PARENTS: Readonly<Record<string, readonly string[]>> = {
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
export const PARTS_ONLY: Readonly<Record<string, { parts: readonly string[]; otherwise: string | null }>> = {
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
export const TEXT_ONLY: ReadonlySet<string> = new Set([
  'p',
  ...HEADINGS,
  'pre',
  'summary',
  'figcaption',
  'caption',
  'dt',
]);
export const VOID: ReadonlySet<string> = new Set(['img', 'br', 'hr', 'input']);
export const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['li', 'dd', 'th', 'td']);
