import { BLOCK_TAGS, HEADING_TAGS } from '../../../shared/content/rich-text-tags.ts';

/** The places where elements of rich text may stand, so that a browser's parser leaves the markup as it is. */

export const BLOCKS: ReadonlySet<string> = new Set(BLOCK_TAGS);

/** Parents that an element needs; elsewhere its content takes its place. Elements that are not listed may stand everywhere. */
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
/** Elements that hold only their own parts. Other content is wrapped in `otherwise`, or left out where that is null. */
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
/** Blocks that hold text and inline elements only. */
export const TEXT_ONLY: ReadonlySet<string> = new Set([
  'p',
  ...HEADING_TAGS,
  'pre',
  'summary',
  'figcaption',
  'caption',
  'dt',
]);
export const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['li', 'dd', 'th', 'td']);
