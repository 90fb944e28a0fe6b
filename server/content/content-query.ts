import type { ContentTypeDescription, FieldDescription } from '../../shared/content/content-types.ts';
import { descriptionOf, isLink, type ServedType } from './described-types.ts';

/** `list`: the query asks for the fields that lists show. `full`: for all fields. */
export type QueryForm = 'list' | 'full';

/** A field that a backend may lack. */
export interface OptionalField {
  /** The path of its type below `/api`, or the name of a type without one. */
  readonly type: string;
  readonly field: string;
  /** The effect on pages when the field is missing, as a text for the log. */
  readonly cost: string;
}

/** Whether the backend is known to lack a field. */
export type IsMissing = (type: string, field: string) => boolean;

/** The part of a query that chooses the fields of the rows in an answer. */
export interface Selection {
  query: string;
  /** The optional fields that the query names. */
  optional: readonly OptionalField[];
}

/** @returns the selection for a type's rows, without the fields that the backend lacks. */
export function selectionOf(type: ServedType, form: QueryForm, isMissing: IsMissing): Selection {
  if (type.populatesAll && form === 'full') return { query: 'populate=*', optional: [] };
  const optional: OptionalField[] = [];

  /** The names of the fields to ask for: first the fields that every backend has, then the optional ones. */
  function asked(
    { fields }: ContentTypeDescription,
    typeName: string,
    isAsked: (field: FieldDescription) => boolean,
  ): string[] {
    const certain: string[] = [];
    const uncertain: string[] = [];
    for (const [field, description] of Object.entries(fields)) {
      if (!isAsked(description)) continue;
      certain.push(...(description.orElse ?? []));
      if (description.optional === undefined) certain.push(field);
      else if (!isMissing(typeName, field)) {
        uncertain.push(field);
        optional.push({ type: typeName, field, cost: description.optional });
      }
    }
    return [...new Set([...certain, ...uncertain])];
  }

  function populate(name: string): string[] {
    const field = type.fields[name];
    if (!field || !('target' in field)) return [`populate[${name}]=true`];
    const { target, reads } = field;
    if (reads && form === 'list')
      return reads.map((read, index) => `populate[${name}][fields][${index}]=${read}`);
    const described = descriptionOf(target);
    const inner = reads ? [] : asked(described, described.path ?? target, isLink);
    return [`populate[${name}]${inner.length > 0 ? `[populate]=${inner.join(',')}` : '=true'}`];
  }

  const isInForm = (field: FieldDescription) => form === 'full' || field.inLists === true;
  const names = form === 'full' ? [] : asked(type, type.path, field => isInForm(field) && !isLink(field));
  const links = asked(type, type.path, field => isInForm(field) && isLink(field));
  const parts = [...names.map((name, index) => `fields[${index}]=${name}`), ...links.flatMap(populate)];
  return { query: parts.join('&'), optional };
}
