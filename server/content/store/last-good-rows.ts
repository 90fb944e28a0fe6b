import type { JsonAnswer } from '../../backend/backend-client.ts';
import { entryOf, isObject, rowsOfAll, type WireEntry } from '../../wire/wire.ts';

interface BrokenRows {
  readonly own: ReadonlySet<string>;
  /** Rows inside other rows, such as the category of an article. */
  readonly inside: ReadonlySet<string>;
}

export function countRows(answers: readonly JsonAnswer[]): number {
  return new Set(rowsOfAll(answers).map(row => entryOf(row)?.id ?? row)).size;
}

export function withLastGoodRows(
  answers: readonly JsonAnswer[],
  broken: BrokenRows,
  before: readonly JsonAnswer[],
): readonly JsonAnswer[] | null {
  const lastGood = new Map(rowsOfAll(before).map(row => [entryOf(row)?.id ?? '', row]));
  const mended = answers.map((answer): JsonAnswer => {
    const { body } = answer;
    if (!isObject(body) || !Array.isArray(body.data)) return answer;
    const rows: readonly unknown[] = body.data;
    const data = rows.map(row => mendedRow(row, broken, lastGood));
    if (data.every((row, index) => row === rows[index])) return answer;
    const changed = { ...body, data };
    return { text: JSON.stringify(changed), body: changed };
  });
  return mended.every((answer, index) => answer === answers[index]) ? null : mended;
}

function mendedRow(
  row: unknown,
  { own, inside }: BrokenRows,
  lastGood: ReadonlyMap<string, unknown>,
): unknown {
  const entry = entryOf(row);
  const good = entry && lastGood.get(entry.id);
  if (!entry || !isObject(row) || !good) return row;
  if (own.has(entry.id)) return good;
  const parts = lastGoodParts(entry, inside, entryOf(good)?.attributes ?? {});
  if (parts === null) return row;
  return entry.attributes === row
    ? { ...row, ...parts }
    : { ...row, attributes: { ...entry.attributes, ...parts } };
}

function lastGoodParts(
  { attributes }: WireEntry,
  inside: ReadonlySet<string>,
  before: Record<string, unknown>,
): Record<string, unknown> | null {
  if (inside.size === 0) return null;
  const parts = Object.entries(attributes).flatMap(([name, value]) => {
    const id = entryOf(value)?.id;
    // Do not replace a relation that now leads to another row.
    const isSame = id !== undefined && inside.has(id) && entryOf(before[name])?.id === id;
    return isSame ? [[name, before[name]] as const] : [];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : null;
}
