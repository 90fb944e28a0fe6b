import { type FieldDescription, JSON_KINDS } from '../../../shared/content/content-types.ts';
import type { ServedType } from '../described-types.ts';
import type { DecodeContext } from './decode-fields.ts';
import { entryOf, jsonOf, unwrap, type WireEntry } from './wire.ts';

/**
 * Reports absent relations and broken JSON in an answer. Decoding goes on without them, so the pages alone do not show the problem.
 *
 * @param isAsked whether the call asked for a field.
 */
export function reportProblems(
  { path, fields }: ServedType,
  body: unknown,
  isAsked: (name: string, field: FieldDescription) => boolean,
  context: DecodeContext,
): void {
  const bare = unwrap(body);
  const rows: readonly unknown[] = Array.isArray(bare) ? bare : [bare];
  const entries = rows.flatMap(row => entryOf(row) ?? []);
  if (entries.length === 0) return;
  const isJson = ({ kind }: FieldDescription) => (JSON_KINDS as readonly string[]).includes(kind);
  const described = Object.entries(fields);
  for (const [name, field] of described)
    if (field.kind === 'relation' && isAsked(name, field)) reportAbsentRelation(path, name, entries, context);
  const jsonFields = described.flatMap(([name, field]) => (isJson(field) ? [name] : []));
  for (const entry of entries) reportBrokenJson(path, entry, jsonFields, context);
}

/** Reports a relation that no row has. Strapi leaves a relation out without an error when its type lacks the public permission. */
function reportAbsentRelation(
  type: string,
  field: string,
  entries: readonly WireEntry[],
  context: DecodeContext,
): void {
  if (entries.some(({ attributes }) => Object.hasOwn(attributes, field))) return;
  const reason = `'${field}' is missing in every row: is its type's public permission set in the backend?`;
  context.report({ kind: 'relation-absent', type, id: null, reason });
}

function reportBrokenJson(
  type: string,
  { id, attributes }: WireEntry,
  jsonFields: readonly string[],
  context: DecodeContext,
): void {
  for (const field of jsonFields) {
    const value = attributes[field];
    if (typeof value !== 'string' || value.trim() === '' || jsonOf(value) !== null || value.trim() === 'null')
      continue;
    context.report({ kind: 'broken-json', type, id, reason: `'${field}' is no JSON: it counts as empty` });
  }
}
