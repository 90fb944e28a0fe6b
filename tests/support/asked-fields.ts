import { contentTypes } from '../../shared/content/content-types.ts';
import {
  componentOf,
  type FieldDescription,
  type FieldDescriptions,
  MEDIA_KINDS,
  type TypeDescription,
} from '../../shared/content/descriptions.ts';

const isMedia = ({ kind }: FieldDescription) => MEDIA_KINDS.some(media => media === kind);
const isLink = (field: FieldDescription) => isMedia(field) || field.kind === 'relation';
const isPopulated = (field: FieldDescription) =>
  isLink(field) || field.kind === 'zone' || componentOf(field) !== null;

/**
 * The fields in a query: `title` for a plain field, and `author.image` for a populated field of a populated
 * one. `category: name` is the only requested field of `category`. Everything else of the query is the rest.
 */
export function askedIn(query: string): { fields: string[]; rest: string } {
  const isOfFields = (part: string) => /^(?:fields|populate)\b/.test(part);
  const parts = query.split('&').filter(Boolean);
  const fields = parts.filter(isOfFields).flatMap(part => {
    const [key = '', value = ''] = part.split('=');
    const names = [...key.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name);
    const path = names.filter(name => !/^(?:fields|populate|\d+)$/.test(name)).join('.');
    if (path === '') return value;
    if (names.includes('fields')) return `${path}: ${value}`;
    return names.at(-1) === 'populate' ? value.split(',').map(inner => `${path}.${inner}`) : path;
  });
  return { fields: fields.sort(), rest: parts.filter(part => !isOfFields(part)).join('&') };
}

/** The fields that a query of a type must name, by the description of the type. */
export function describedFields(name: keyof typeof contentTypes, form: 'list' | 'full'): string[] {
  const type: TypeDescription = contentTypes[name];
  const fields = Object.entries(type.fields);
  const populated = fields.filter(([, field]) => isPopulated(field));
  if (form === 'full') {
    if (type.populatesAll && populated.every(([, field]) => isLink(field))) return ['*'];
    return populated.flatMap(([own, field]) => pathsOf(own, field)).sort();
  }
  const listed = fields.filter(([, { inLists }]) => inLists !== undefined);
  return listed
    .flatMap(([own, field]) => {
      const reads = Array.isArray(field.inLists) ? field.inLists : 'reads' in field ? field.reads : undefined;
      if (reads) return reads.map((read: string) => `${own}: ${read}`);
      return isPopulated(field) ? pathsOf(own, field) : [own, ...(field.orElse ?? [])];
    })
    .sort();
}

/** A file two levels below an entry is sent only if the query names each level. */
function pathsOf(name: string, field: FieldDescription): string[] {
  const inner = innerFields(field);
  return inner.length === 0 ? [name] : inner.map(path => `${name}.${path}`);
}

function innerFields(field: FieldDescription): string[] {
  if (field.kind === 'zone') return ['*'];
  const component = componentOf(field);
  if (component)
    return Object.entries(component.fields).flatMap(([name, inner]) =>
      isPopulated(inner) ? pathsOf(name, inner) : [],
    );
  if (field.kind !== 'relation' || field.reads) return [];
  // A test of the descriptions ensures that the target is one of the types.
  const related: FieldDescriptions = contentTypes[field.target as keyof typeof contentTypes].fields;
  return Object.keys(related).filter(name => related[name] && isLink(related[name]));
}
