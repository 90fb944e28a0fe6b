import { type FieldDescription, isComponentOrJson } from '../../../shared/content/descriptions.ts';
import { descriptionOf, labelOf, modelOf, servedType } from '../../wire/described-types.ts';

const PANEL_FIELDS: Readonly<Record<FieldDescription['kind'], string>> = {
  text: 'Text',
  slug: 'UID',
  address: 'Text',
  date: 'Date',
  moment: 'Date, datetime',
  flag: 'Boolean',
  'rich-text': 'Rich text',
  texts: 'JSON',
  object: 'JSON',
  list: 'JSON',
  navigation: 'JSON',
  'json-ld': 'JSON',
  json: 'JSON',
  number: 'Number',
  order: 'Number',
  choice: 'Enumeration',
  lines: 'Text, Long text',
  zone: 'Dynamic zone',
  picture: 'Media',
  file: 'Media',
  files: 'Media',
  'labelled-files': 'Media',
  relation: 'Relation',
  component: 'Component',
};

/** @returns a field as in the Content-Type Builder: `Relation to several “Tag”`. */
export function panelField(field: FieldDescription): string {
  const { kind } = field;
  const name = PANEL_FIELDS[kind];
  if (kind === 'relation') return `${name} to ${field.many ? 'several' : 'one'} “${labelOf(field.target)}”`;
  if (kind === 'component') return `${name} “${field.component.label}”`;
  if (kind === 'zone') return `${name} of ${(field.of ?? []).map(model => `“${labelOf(model)}”`).join(', ')}`;
  return isComponentOrJson(field) ? `${PANEL_FIELDS.component} or ${name}` : name;
}

export interface OwnedField {
  readonly owner: string;
  readonly name: string;
  readonly field: FieldDescription;
}

export function remedyForMissing(fields: readonly OwnedField[]): string {
  const places = [...Map.groupBy(fields, ({ owner }) => owner)].map(([owner, owned]) => {
    const added = owned.map(({ name, field }) => `${name} (${panelField(field)})`);
    const group = descriptionOf(owner).storage === 'component' ? 'Components → ' : '';
    return `${group}${labelOf(owner)} → Add another field: ${added.join(', ')}`;
  });
  return `Strapi: Content-Type Builder → ${places.join('; ')}`;
}

/** @param type a path or a name. @returns null for a field that Strapi adds automatically. */
export function remedyForUnknown(type: string, name: string): string | null {
  const owner = servedType(type) ? modelOf(type) : type;
  const field = descriptionOf(owner).fields[name];
  return field ? remedyForMissing([{ owner, name, field }]) : null;
}
