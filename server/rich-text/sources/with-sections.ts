import { zoneBlock } from '../../../shared/content/zone-kinds.ts';
import { isGiven } from '../../wire/decode-context.ts';
import { jsonOf } from '../../wire/wire.ts';

/** @returns the items of a dynamic zone, or of JSON in the same format. */
export function sectionsIn(value: unknown): readonly unknown[] {
  const list = jsonOf(value);
  return Array.isArray(list) ? list : [];
}

/** @returns how many items of a zone stand before its first block. They continue the text of the page. */
export function countBeforeBlocks(items: readonly unknown[]): number {
  const first = items.findIndex(item => zoneBlock(item) !== undefined);
  return first < 0 ? items.length : first;
}

export function withSections(body: unknown, sections: unknown): unknown {
  const all = sectionsIn(sections);
  const before = all.slice(0, countBeforeBlocks(all));
  if (before.length === 0) return body;
  return [...(isGiven(body) ? [{ __component: 'site.text-section', body }] : []), ...before];
}
