import { isGiven } from '../decode/decode-context.ts';
import { jsonOf } from '../decode/wire.ts';

/**
 * @param sections the sections of a dynamic zone, or JSON of the same form.
 * @returns a body and the sections after it as one source; the body itself without sections.
 */
export function withSections(body: unknown, sections: unknown): unknown {
  const list = jsonOf(sections);
  if (!Array.isArray(list) || list.length === 0) return body;
  return [...(isGiven(body) ? [{ __component: 'site.text-section', body }] : []), ...list];
}
