import type { FieldDescription, FieldDescriptions } from '../../shared/content/descriptions.ts';
import { relationsInPath, routesOfType } from '../addresses/type-routes.ts';
import { sectionsIn } from '../rich-text/sources/with-sections.ts';
import { malformed } from '../wire/content-calls.ts';
import type { DecodeContext } from '../wire/decode-context.ts';
import { descriptionOf, type ServedType } from '../wire/described-types.ts';
import { entryOf, unwrap, type WireEntry } from '../wire/wire.ts';

type IsAsked = (name: string, field: FieldDescription) => boolean;

/**
 * Looks for fields that every row lacks. The backend sends an empty field as null, so a missing one means a
 * faulty type or permission. A missing relation is only reported, unless addresses of entries begin with it.
 * @throws BackendError `malformed` if all rows lack a required field, or both text and sections of pages.
 */
export function checkAbsentFields(
  type: ServedType,
  body: unknown,
  isAsked: IsAsked,
  context: DecodeContext,
): void {
  const bare = unwrap(body);
  const entries = entriesIn(Array.isArray(bare) ? bare : [bare]);
  if (entries.length === 0) return;
  const lost = lostField(type.fields, entries, isAsked);
  if (lost !== null)
    throw malformed(
      type,
      `no row has the field '${lost}', which the site needs: does the type still have it, and may the site read it?`,
    );
  const { route } = routesOfType(type.path);
  const inPath = route ? relationsInPath(route) : [];
  let unaddressed: string | null = null;
  for (const [name, field] of Object.entries(type.fields)) {
    if (field.kind !== 'relation' || !isAsked(name, field) || !isAbsent(name, entries)) continue;
    if (inPath.includes(name))
      unaddressed = `no row has a '${name}', so none has an address: is find of '${descriptionOf(field.target).path}' allowed in the backend?`;
    reportRelation(type.path, name, context);
  }
  if (unaddressed !== null) throw malformed(type, unaddressed);
}

function lostField(
  fields: FieldDescriptions,
  entries: readonly WireEntry[],
  isAsked: IsAsked,
): string | null {
  for (const [name, field] of Object.entries(fields)) {
    if (!isAsked(name, field)) continue;
    if (field.required && [name, ...(field.orElse ?? [])].every(each => isAbsent(each, entries))) return name;
    if (isTextLost(name, field, entries)) return name;
    if (field.kind !== 'relation') continue;
    const related = entriesIn(entries.flatMap(({ attributes }) => unwrap(attributes[name]) ?? []));
    if (related.length === 0) continue;
    const { fields: inner } = descriptionOf(field.target);
    const lost = lostField(
      inner,
      related,
      (read, { kind }) => kind !== 'relation' && field.reads?.includes(read) !== false,
    );
    if (lost !== null) return `${name}.${lost}`;
  }
  return null;
}

/** Whether every row lacks both a page's text and its sections. Feeds and the search work without these. */
function isTextLost(name: string, field: FieldDescription, entries: readonly WireEntry[]): boolean {
  const sections = 'followedBy' in field ? field.followedBy : undefined;
  if (sections === undefined || field.inLists || !isAbsent(name, entries)) return false;
  return entries.every(({ attributes }) => sectionsIn(attributes[sections]).length === 0);
}

function entriesIn(rows: readonly unknown[]): WireEntry[] {
  return rows.flatMap(row => entryOf(row) ?? []);
}

function isAbsent(name: string, entries: readonly WireEntry[]): boolean {
  return !entries.some(({ attributes }) => Object.hasOwn(attributes, name));
}

/** Reports a missing relation. Strapi omits it without an error if its type has no public permission. */
function reportRelation(type: string, field: string, context: DecodeContext): void {
  const reason = `'${field}' is missing in every row: is its type's public permission set in the backend?`;
  context.report({ kind: 'relation-absent', type, id: null, field, updatedAt: null, reason });
}
