import {
  type ContentTypeDescription,
  componentOf,
  type FieldDescription,
} from '../../shared/content/content-types.ts';
import { descriptionOf, isLink, isPopulated, readsInLists, type ServedType } from './described-types.ts';

/** `list`: the query asks for the fields that lists show. `full`: for all fields. */
export type QueryForm = 'list' | 'full';

/** A field that a backend may lack, or hold as JSON in place of a component. */
export interface OptionalField {
  /** The path of its type below `/api`, or the name of a type without one. */
  readonly type: string;
  readonly field: string;
  /** The place of the field among the populated ones of a query, such as `faqBlock.items`. */
  readonly path?: string;
  /** The effect on pages when the field is missing, as a text for the log. Null: none, because the field is then read as JSON. */
  readonly cost: string | null;
}

/** Whether the backend is known to lack a field, or to hold it as JSON. */
export type IsMissing = (type: string, field: string) => boolean;

/** The part of a query that chooses the fields of the rows in an answer. */
export interface Selection {
  query: string;
  /** The optional fields that the query names. */
  optional: readonly OptionalField[];
}

/** Fields to populate, each with the fields to populate inside it. */
type Populated = ReadonlyMap<string, Populated>;
const NOTHING: Populated = new Map();
/** Everything one level below a dynamic zone. Strapi 5 accepts nothing else without a list of all components. */
const ALL: Populated = new Map([['*', NOTHING]]);

/**
 * @param isProbe whether the answer shall tell which fields are JSON: it must then hold no component, and `populate=*` would send all of them.
 * @returns the selection for a type's rows, without the fields that the backend lacks.
 */
export function selectionOf(
  type: ServedType,
  form: QueryForm,
  isMissing: IsMissing,
  isProbe = false,
): Selection {
  const optional: OptionalField[] = [];

  /** The names of the fields to ask for: first the fields that every backend has, then the optional ones. */
  function asked(
    { fields, storage }: ContentTypeDescription,
    typeName: string,
    isAsked: (field: FieldDescription) => boolean,
    above: readonly string[] = [],
  ): string[] {
    const certain: string[] = [];
    const uncertain: string[] = [];
    for (const [field, description] of Object.entries(fields)) {
      if (!isAsked(description)) continue;
      certain.push(...(description.orElse ?? []));
      const cost = costWithout(description, storage);
      if (cost === undefined) certain.push(field);
      else if (!isMissing(typeName, field)) {
        uncertain.push(field);
        optional.push({ type: typeName, field, path: [...above, field].join('.'), cost });
      }
    }
    return [...new Set([...certain, ...uncertain])];
  }

  /** The fields to populate inside a field: everything of a component, and the links of a related entry but neither its components nor the links of theirs. */
  function insideOf(field: FieldDescription, path: readonly string[]): Populated {
    if (form === 'list' && readsInLists(field)) return NOTHING;
    if (field.kind === 'zone') return ALL;
    const component = componentOf(field);
    if (component !== null) {
      const described = descriptionOf(component);
      return populatedOf(described, asked(described, component, isPopulated, path), path);
    }
    if (!('target' in field) || field.reads) return NOTHING;
    const related = descriptionOf(field.target);
    const isAsked = (inner: FieldDescription) => isLink(inner) && inner.kind !== 'component';
    return new Map(asked(related, related.path ?? field.target, isAsked, path).map(name => [name, NOTHING]));
  }

  function populatedOf(
    { fields }: ContentTypeDescription,
    names: readonly string[],
    above: readonly string[] = [],
  ): Populated {
    return new Map(
      names.map(name => {
        const field = fields[name];
        return [name, field ? insideOf(field, [...above, name]) : NOTHING];
      }),
    );
  }

  const isInForm = (field: FieldDescription) => form === 'full' || field.inLists !== undefined;
  const names =
    form === 'full' ? [] : asked(type, type.path, field => isInForm(field) && !isPopulated(field));
  const populated = populatedOf(
    type,
    asked(type, type.path, field => isInForm(field) && isPopulated(field)),
  );
  const hasComponents = optional.some(({ cost }) => cost === null);
  if (type.populatesAll && form === 'full' && !hasComponents && !isProbe)
    return { query: 'populate=*', optional };
  const parts = [...populated].flatMap(([name, inner]) => {
    const field = type.fields[name];
    const reads = form === 'list' && field ? readsInLists(field) : null;
    if (reads) return reads.map((read, index) => `populate[${name}][fields][${index}]=${read}`);
    return populateParts(`populate[${name}]`, inner);
  });
  return { query: [...names.map((name, index) => `fields[${index}]=${name}`), ...parts].join('&'), optional };
}

/** @returns the `cost` of an optional field; undefined for a field that every backend has. @param storage of the field's type. */
function costWithout(
  field: FieldDescription,
  storage: ContentTypeDescription['storage'],
): string | null | undefined {
  if (field.optional !== undefined) return field.optional;
  const isInComponent = storage === 'component';
  if (componentOf(field) !== null && (isInComponent || !('target' in field))) return null;
  return isInComponent && isLink(field) ? 'the files in it are not shown' : undefined;
}

/** @returns the parts of a query that populate a field. Fields inside it are named in one part if none of them has fields to populate. */
function populateParts(field: string, inner: Populated): string[] {
  if (inner.size === 0) return [`${field}=true`];
  if ([...inner.values()].every(({ size }) => size === 0))
    return [`${field}[populate]=${[...inner.keys()].join(',')}`];
  return [...inner].flatMap(([name, deeper]) => populateParts(`${field}[populate][${name}]`, deeper));
}
