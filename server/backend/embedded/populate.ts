import { type ContentType, contentType, type LinkDefinition } from './content-types.ts';
import { isRecord } from './json-values.ts';
import { listOf, partsOf } from './query-values.ts';
import { StrapiError } from './strapi-error.ts';

/** The fields and links of a row that an answer shows. */
export interface Selection {
  /** The attributes; null means all. `id` and `documentId` are always included. */
  fields: readonly string[] | null;
  /** The populated links and the selection of their rows. Other links are absent. */
  populate: ReadonlyMap<string, Selection>;
  /** Whether all links of the rows are populated, as in a dynamic zone, whose rows are of several types. */
  allLinks?: true;
}

export const ALL_FIELDS: Selection = { fields: null, populate: new Map() };

/**
 * @param query the query, or the part of it that belongs to one populated link: `fields` and `populate` are read.
 * @param path the link's attribute; null for the query itself.
 * @throws StrapiError (400) for a key that the type does not have.
 */
export function parseSelection(
  type: ContentType,
  query: Record<string, unknown>,
  path: string | null = null,
): Selection {
  const fields = listOf(query.fields).map(String);
  for (const field of fields) {
    const known = type.attributes.includes(field) || ['*', 'id', 'documentId'].includes(field);
    if (!known) throw StrapiError.invalidKey(field, path, 'fields');
  }
  const all = fields.length === 0 || fields.includes('*');
  return { fields: all ? null : fields, populate: parsePopulate(type, query.populate, path) };
}

function parsePopulate(type: ContentType, populate: unknown, path: string | null): Map<string, Selection> {
  const selections = new Map<string, Selection>();
  if (populate === '*' || populate === 'true') {
    for (const [key, { orJson }] of Object.entries(type.links)) if (!orJson) selections.set(key, ALL_FIELDS);
    return selections;
  }
  if (isRecord(populate) && !Object.keys(populate).every(key => /^\d+$/.test(key))) {
    for (const [key, value] of partsOf(populate)) {
      const link = linkOf(type, key, path);
      if (value !== 'false') selections.set(key, linkSelection(link, key, value));
    }
    return selections;
  }
  for (const item of listOf(populate).map(String)) addByPath(selections, type, item.split('.'), path);
  return selections;
}

/** `populate[x]=true`, `populate[x]=*`, or a query of its own: `populate[x][fields]`, `populate[x][populate]`. */
function linkSelection(link: LinkDefinition, key: string, value: unknown): Selection {
  // Strapi 5 accepts `true` for a media attribute, but not `*`. The refusal was recorded from a real Strapi 5.
  if (value === '*' && link.kind === 'media') throw StrapiError.invalidKey('*', key, 'populate');
  if (link.kind === 'zone') {
    // Strapi 5 populates a zone without naming its components by `populate=*` alone.
    if (isRecord(value) && value.populate !== '*') throw StrapiError.invalidKey('populate', key, 'populate');
    return isRecord(value) ? { ...ALL_FIELDS, allLinks: true } : ALL_FIELDS;
  }
  return isRecord(value) ? parseSelection(contentType(link.target), value, key) : ALL_FIELDS;
}

/** Adds a path such as `author.image` of `populate[0]=author.image`. */
function addByPath(
  selections: Map<string, Selection>,
  type: ContentType,
  [key = '', ...deeper]: readonly string[],
  path: string | null,
): void {
  const target = contentType(linkOf(type, key, path).target);
  const populate = new Map(selections.get(key)?.populate);
  if (deeper.length > 0) addByPath(populate, target, deeper, key);
  selections.set(key, { fields: null, populate });
}

function linkOf(type: ContentType, key: string, path: string | null): LinkDefinition {
  const link = Object.hasOwn(type.links, key) ? type.links[key] : undefined;
  if (!link) throw StrapiError.invalidKey(key, path, 'populate');
  return link;
}
