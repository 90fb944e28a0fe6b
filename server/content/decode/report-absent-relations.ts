import type { FieldDescription } from '../../../shared/content/content-types.ts';
import type { ServedType } from '../described-types.ts';
import type { DecodeContext } from './decode-context.ts';
import { entryOf, unwrap, type WireEntry } from './wire.ts';

/**
 * Reports absent relations in an answer. Decoding goes on without them, so the pages alone do not show the problem.
 *
 * @param isAsked whether the call asked for a field.
 */
export function reportAbsentRelations(
  { path, fields }: ServedType,
  body: unknown,
  isAsked: (name: string, field: FieldDescription) => boolean,
  context: DecodeContext,
): void {
  const bare = unwrap(body);
  const rows: readonly unknown[] = Array.isArray(bare) ? bare : [bare];
  const entries = rows.flatMap(row => entryOf(row) ?? []);
  if (entries.length === 0) return;
  for (const [name, field] of Object.entries(fields))
    if (field.kind === 'relation' && isAsked(name, field)) reportAbsentRelation(path, name, entries, context);
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
  context.report({ kind: 'relation-absent', type, id: null, field, updatedAt: null, reason });
}
