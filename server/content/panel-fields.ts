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

/** A field of a type, or of a component. */
export interface OwnedField {
  /** The name of the type or component that has the field. */
  readonly owner: string;
  readonly name: string;
  readonly field: FieldDescription;
}

/** @returns what adds fields to their types and components, in the words of Strapi's panel. */
export function remedyForMissing(fields: readonly OwnedField[]): string {
  const places = [...Map.groupBy(fields, ({ owner }) => owner)].map(([owner, owned]) => {
    const added = owned.map(({ name, field }) => `${name} (${panelField(field)})`);
    const group = descriptionOf(owner).storage === 'component' ? 'Components → ' : '';
    return `${group}${labelOf(owner)} → Add another field: ${added.join(', ')}`;
  });
  return `Strapi: Content-Type Builder → ${places.join('; ')}`;
}

/** @param type the path of a type, or the name of a type without one. @returns the remedy for a field that the backend does not know; null for a field that Strapi adds by itself. */
export function remedyForUnknown(type: string, name: string): string | null {
  const owner = isServedPath(type) ? modelOf(type) : type;
  const field = descriptionOf(owner).fields[name];
  return field ? remedyForMissing([{ owner, name, field }]) : null;
}
