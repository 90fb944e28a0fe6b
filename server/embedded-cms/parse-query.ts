import { isObject } from '../wire/wire.ts';
import { type ContentType, contentType, type LinkDefinition } from './content-types.ts';
import { StrapiError } from './strapi-error.ts';

export interface Selection {
  readonly fields: readonly string[] | null;
  /** The populated links, with the selection of their rows. Other links are absent. */
  readonly populate: ReadonlyMap<string, Selection>;
  readonly allLinks?: true;
  /** The selections of a zone's components by name. Rows of other components are absent. */
  readonly on?: ReadonlyMap<string, Selection>;
}

const OPERATORS = ['$eq', '$eqi', '$ne', '$in', '$notNull', '$null', '$lte', '$lt', '$gte', '$gt'] as const;
export type Operator = (typeof OPERATORS)[number];

export type Filter =
  | { readonly kind: 'all' | 'any'; readonly filters: readonly Filter[] }
  /** `of` is an attribute, or a link. Of a link, the id of the first linked row is compared. */
  | {
      readonly kind: 'attribute' | 'id-of-link';
      readonly of: string;
      readonly operator: Operator;
      /** The operands: several for `$in`, at most one for other operators. */
      readonly operands: readonly string[];
    }
  | { readonly kind: 'linked'; readonly of: string; readonly filter: Filter };

type Parsed = Readonly<Record<string, unknown>>;

const ALL_FIELDS: Selection = { fields: null, populate: new Map() };
const DEFAULT_PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;

/** @throws StrapiError (400) for a filter or sort key that the type lacks. */
export function parseListQuery(type: ContentType, query: Parsed) {
  const { page, pageSize } = isObject(query.pagination) ? query.pagination : {};
  return {
    filter: parseFilters(type, query.filters),
    sort: listOf(query.sort)
      .flatMap(listOf)
      .map(item => parseSortKey(type, String(item))),
    page: positiveInteger(page) ?? 1,
    pageSize: Math.min(positiveInteger(pageSize) ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
  };
}

function parseFilters(type: ContentType, filters: unknown): Filter {
  return all(
    partsOf(filters).map(([key, condition]) =>
      key === '$or' || key === '$and'
        ? {
            kind: key === '$or' ? 'any' : 'all',
            filters: partsOf(condition).map(([, each]) => parseFilters(type, each)),
          }
        : parseCondition(type, key, condition, null),
    ),
  );
}

function parseCondition(type: ContentType, key: string, condition: unknown, link: string | null): Filter {
  const parts: [string, unknown][] = isObject(condition) ? partsOf(condition) : [['$eq', condition]];
  if (link === null && Object.hasOwn(type.links, key)) {
    const target = contentType(linkOf(type, key, null).target);
    return all(
      parts.map(([name, value]) =>
        isOperator(name)
          ? { kind: 'id-of-link', of: key, operator: name, operands: operandsOf(name, value) }
          : { kind: 'linked', of: key, filter: parseCondition(target, name, value, key) },
      ),
    );
  }
  if (!isAttribute(type, key)) throw StrapiError.invalidKey(key, link, 'filters');
  return all(
    parts.map(([operator, value]) => {
      if (!isOperator(operator)) throw StrapiError.invalidKey(operator, key, 'filters');
      return { kind: 'attribute', of: key, operator, operands: operandsOf(operator, value) };
    }),
  );
}

function all(filters: readonly Filter[]): Filter {
  return { kind: 'all', filters };
}

function isOperator(name: string): name is Operator {
  return (OPERATORS as readonly string[]).includes(name);
}

function operandsOf(operator: Operator, value: unknown): readonly string[] {
  if (operator === '$in') return listOf(value).map(String);
  return typeof value === 'string' ? [value] : [];
}

function parseSortKey(type: ContentType, item: string) {
  const [key = '', direction = 'asc'] = item.split(':');
  if (!isAttribute(type, key)) throw StrapiError.invalidKey(key, null, 'sort');
  if (!/^(?:asc|desc)$/i.test(direction)) {
    const message = 'Invalid order. order can only be one of asc|desc|ASC|DESC';
    throw new StrapiError(400, 'ValidationError', message);
  }
  return { key, isDescending: direction.toLowerCase() === 'desc' };
}

function isAttribute(type: ContentType, key: string): boolean {
  return key === 'id' || key === 'documentId' || type.attributes.includes(key);
}

/** @param path the attribute of a populated link. @throws StrapiError (400) for an unknown field or link. */
export function parseSelection(type: ContentType, query: Parsed, path: string | null = null): Selection {
  const fields = listOf(query.fields).map(String);
  for (const field of fields) {
    const known = type.attributes.includes(field) || ['*', 'id', 'documentId'].includes(field);
    if (!known) throw StrapiError.invalidKey(field, path, 'fields');
  }
  const isAll = fields.length === 0 || fields.includes('*');
  return { fields: isAll ? null : fields, populate: parsePopulate(type, query.populate, path) };
}

function parsePopulate(type: ContentType, populate: unknown, path: string | null): Map<string, Selection> {
  if (populate === '*' || populate === 'true')
    return new Map(
      Object.entries(type.links).flatMap(([key, { orJson }]) => (orJson ? [] : [[key, ALL_FIELDS]])),
    );
  const selections = new Map<string, Selection>();
  if (isObject(populate) && !Object.keys(populate).every(key => /^\d+$/.test(key))) {
    for (const [key, value] of partsOf(populate)) {
      const link = linkOf(type, key, path);
      if (value !== 'false') selections.set(key, linkSelection(link, key, value));
    }
    return selections;
  }
  for (const item of listOf(populate).map(String)) {
    const [key = '', ...inner] = item.split('.');
    const link = linkOf(type, key, path);
    const within = inner.length > 0 && { populate: inner.join('.') };
    selections.set(key, within ? linkSelection(link, key, within) : ALL_FIELDS);
  }
  return selections;
}

/** Parses `populate[x]=true`, `populate[x]=*`, or a query such as `populate[x][fields]`. */
function linkSelection(link: LinkDefinition, key: string, value: unknown): Selection {
  // Strapi 5 accepts `true` for a media attribute, but refuses `*`, as recorded calls show.
  if (value === '*' && link.kind === 'media') throw StrapiError.invalidKey('*', key, 'populate');
  if (!isObject(value)) return ALL_FIELDS;
  if (link.kind !== 'zone') return parseSelection(contentType(link.target), value, key);
  if (isObject(value.on))
    return {
      ...ALL_FIELDS,
      on: new Map(
        partsOf(value.on).map(([uid, own]) => {
          const name = uid.split('.').at(-1) ?? '';
          return [name, isObject(own) ? parseSelection(contentType(name), own, key) : ALL_FIELDS];
        }),
      ),
    };
  // Accept only `populate=*` in other queries of a zone. Strapi 5 refuses any query that does not name the
  // zone's components.
  if (value.populate !== '*') throw StrapiError.invalidKey('populate', key, 'populate');
  return { ...ALL_FIELDS, allLinks: true };
}

function linkOf(type: ContentType, key: string, path: string | null): LinkDefinition {
  const link = Object.hasOwn(type.links, key) ? type.links[key] : undefined;
  if (!link) throw StrapiError.invalidKey(key, path, 'populate');
  return link;
}

/** Reads `x=a,b` or `x[0]=a`. The query parser turns a long list into an object. */
function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'string') return value.split(',').map(item => item.trim());
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [value];
}

function partsOf(value: unknown): [key: string, value: unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  // The query parser stops after five levels, and leaves the brackets of the sixth.
  return isObject(value)
    ? Object.entries(value).map(([key, inner]) => [key.replace(/^\[(.*)\]$/, '$1'), inner])
    : [];
}

function positiveInteger(value: unknown): number | null {
  return typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null;
}
