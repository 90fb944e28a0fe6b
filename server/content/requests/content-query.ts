import {
  type ContentTypeDescription,
  componentOf,
  type FieldDescription,
  isComponentOrJson,
} from '../../../shared/content/descriptions.ts';
import {
  descriptionOf,
  isLink,
  isPopulated,
  readsInLists,
  type ServedType,
} from '../../wire/described-types.ts';

export type QueryForm = 'list' | 'full';

/** A field that a backend may lack, or store as JSON in place of a component. */
export interface OptionalField {
  /** The type's path below `/api`, or the name of a type without a path. */
  readonly type: string;
  readonly field: string;
  /** The place among the populated fields of a query, such as `faqBlock.items`. */
  readonly path?: string;
  /** The effect of the missing field, for the log. Null if the field is read as JSON. */
  readonly cost: string | null;
}

export type IsMissing = (type: string, field: string) => boolean;

export interface Selection {
  query: string;
  optional: readonly OptionalField[];
}

type Populated = ReadonlyMap<string, Populated>;
const NOTHING: Populated = new Map();
/** Populates everything, which Strapi 5 needs below a dynamic zone or in a list of all components. */
const ALL: Populated = new Map([['*', NOTHING]]);

/** @param isProbe whether to leave out components, to find those stored as JSON. Each field is then named. */
export function selectionOf(
  type: ServedType,
  form: QueryForm,
  isMissing: IsMissing,
  isProbe = false,
): Selection {
  const optional: OptionalField[] = [];

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

  /** Populates all of a component, but only the relations and files of a related entry. */
  function insideOf(field: FieldDescription, path: readonly string[]): Populated {
    if (form === 'list' && readsInLists(field)) return NOTHING;
    if (field.kind === 'zone') return ALL;
    const component = componentOf(field);
    if (component !== null)
      return populatedOf(component, asked(component, component.name, isPopulated, path), path);
    if (field.kind !== 'relation' || field.reads) return NOTHING;
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

function costWithout(
  field: FieldDescription,
  storage: ContentTypeDescription['storage'],
): string | null | undefined {
  if (field.optional !== undefined) return field.optional;
  const isInComponent = storage === 'component';
  if (isComponentOrJson(field)) return null;
  return isInComponent && isLink(field) ? 'the files in it are not shown' : undefined;
}

/** Writes one part per inner field, because Strapi 5 refuses `populate=items,picture` below a component. */
function populateParts(field: string, inner: Populated): string[] {
  if (inner.size === 0) return [`${field}=true`];
  const [[name, deeper] = ['', inner]] = inner;
  if (inner.size === 1 && deeper.size === 0) return [`${field}[populate]=${name}`];
  return [...inner].flatMap(([name, deeper]) => populateParts(`${field}[populate][${name}]`, deeper));
}
