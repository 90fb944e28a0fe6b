import { BLOCK_TAGS, HEADING_TAGS } from '../../../shared/content/rich-text-tags.ts';

export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const BLOCKS: ReadonlySet<string> = new Set(BLOCK_TAGS);

/** The parents that browsers require for an element. Under another parent, its content replaces it. */
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
  track: ['video', 'audio'],
};
/** Elements that may contain only `parts`. `otherwise` wraps other content; null drops it. */
export const PARTS_ONLY: Readonly<Record<string, { parts: readonly string[]; otherwise: string | null }>> = {
  ul: { parts: ['li'], otherwise: 'li' },
  ol: { parts: ['li'], otherwise: 'li' },
  dl: { parts: ['dt', 'dd'], otherwise: 'dd' },
  table: { parts: ['caption', 'thead', 'tbody', 'tfoot'], otherwise: null },
  thead: { parts: ['tr'], otherwise: null },
  tbody: { parts: ['tr'], otherwise: null },
  tfoot: { parts: ['tr'], otherwise: null },
  tr: { parts: ['th', 'td'], otherwise: null },
  video: { parts: ['track'], otherwise: null },
  audio: { parts: ['track'], otherwise: null },
};
export const TEXT_ONLY: ReadonlySet<string> = new Set([
  ...HEADING_TAGS,
  ...setOf('p pre summary figcaption caption dt oembed'),
]);
export const MAY_BE_EMPTY = setOf('li dd th td video audio oembed');
