import { componentOf, type FieldDescription } from '../../shared/content/content-types.ts';
import { descriptionOf, isServedPath, labelOf, modelOf } from './described-types.ts';

/** The field of Strapi's Content-Type Builder for each kind. */
const PANEL_FIELDS: Readonly<Record<FieldDescription['kind'], string>> = {
  text: 'Text',
  slug: 'UID',
  address: 'Text',
  date: 'Date',
  flag: 'Boolean',
  'rich-text': 'Rich text',
  'source-text': 'Rich text',
  questions: 'JSON',
  texts: 'JSON',
  links: 'JSON',
  navigation: 'JSON',
  'json-ld': 'JSON',
  json: 'JSON',
  number: 'Number',
  choice: 'Enumeration',
  lines: 'Text, Long text',
  zone: 'Dynamic zone',
  picture: 'Media',
  file: 'Media',
  files: 'Media',
  relation: 'Relation',
  component: 'Component',
};

/** @returns a field as Strapi's Content-Type Builder names it, with the types that it leads to: `Relation to several “Tag”`. */
export function panelField(field: FieldDescription): string {
  const { kind } = field;
  const name = PANEL_FIELDS[kind];
  if (kind === 'relation') return `${name} to ${field.many ? 'several' : 'one'} “${labelOf(field.target)}”`;
  if (kind === 'component') return `${name} “${labelOf(field.target)}”`;
  if (kind === 'zone') return `${name} of ${(field.of ?? []).map(model => `“${labelOf(model)}”`).join(', ')}`;
  return componentOf(field) === null ? name : `${PANEL_FIELDS.component} or ${name}`;
}

/** @returns what adds fields to a type, in the words of Strapi's panel. @param fields each with its path in the entry, such as `seo.metaTitle`. */
export function remedyForMissing(
  model: string,
  fields: readonly { readonly path: string; readonly field: FieldDescription }[],
): string {
  const added = fields.map(({ path, field }) => `${path} (${panelField(field)})`);
  return `Strapi: Content-Type Builder → ${labelOf(model)} → Add another field: ${added.join(', ')}`;
}

/** @param type the path of a type, or the name of a type without one. @returns the remedy for a field that the backend does not know; null for a field that Strapi adds by itself. */
export function remedyForUnknown(type: string, name: string): string | null {
  const model = isServedPath(type) ? modelOf(type) : type;
  const field = descriptionOf(model).fields[name];
  return field ? remedyForMissing(model, [{ path: name, field }]) : null;
}
