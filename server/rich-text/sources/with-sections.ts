import { isGiven } from '../../wire/decode-context.ts';
import { jsonOf } from '../../wire/wire.ts';

/** Joins a body with the sections of a dynamic zone, or JSON of the same form. */
export function withSections(body: unknown, sections: unknown): unknown {
  const list = jsonOf(sections);
  if (!Array.isArray(list) || list.length === 0) return body;
  return [...(isGiven(body) ? [{ __component: 'site.text-section', body }] : []), ...list];
}
