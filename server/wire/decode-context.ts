import type { RichText } from '../../shared/content/rich-text.ts';
import type { ProblemKind } from '../ops/log-codes.ts';
import { oneLine } from '../ops/one-line.ts';
import { MAX_SIZE, type TreeSize } from './cut-nodes.ts';
import type { LoseText } from './lose-text.ts';

/** A picture's attributes. A size may still be added, because no page shows the picture yet. */
export interface UnsizedPicture {
  readonly src: string;
  width?: number | null;
  height?: number | null;
}

export interface ContentPlace {
  /** The type's path, such as `articles`; `articles.author` for a row inside a row. */
  type: string;
  id: string | null;
  /** The field with its place in JSON: `headerBlock.primary.href`, `questions[2]`. Null for a whole row. */
  field: string | null;
  /** The time of the row's last change. A problem that remains after a change is logged again. */
  updatedAt: string | null;
}

export interface ContentProblem extends ContentPlace {
  kind: ProblemKind;
  reason: string;
}

export interface ReportContext {
  at: ContentPlace;
  report(problem: ContentProblem): void;
}

export interface ListContext extends ReportContext {
  items: { left: number };
}

export interface DecodeContext extends ListContext {
  mediaAddress(value: unknown): string | null;
  /** @param changedAt the time of the file's last change after the upload, in ISO 8601. */
  withVersion(address: string, changedAt?: string | null): string;
  /** Compiles a text in a worker thread. Decoders run twice, because at first all texts are placeholders. */
  richText(source: unknown, lose: LoseText): RichText;
  /**
   * Receives a picture without a size. The size is then read from the picture's file.
   * @param onUnread called if the file names no size, or cannot be read now.
   */
  unsized(picture: UnsizedPicture, onUnread?: () => void): void;
  /** Whether the dates of an entry or a block allow it to be shown now. Notes when that changes. */
  isShown(values: Readonly<Record<string, unknown>>, at: DecodeContext): boolean;
  texts: { left: TreeSize };
  /** Notes the field that a value comes from. Only previews have it. */
  noteField?: NoteField;
  within?: ContentPlace;
}

/** @returns the value. A text gets a mark that names its field; the address of a file stays as it is. */
export type NoteField = <T>(
  kind: 'text' | 'file' | 'rich-text',
  value: T,
  place: Pick<DecodeContext, 'at' | 'within'>,
) => T;

export function lose(context: ReportContext, kind: ProblemKind, reason: string): void {
  context.report({ kind, ...context.at, reason });
}

export function inside<C extends ReportContext>(context: C, key: string | number): C {
  const { field } = context.at;
  const inner = typeof key === 'number' ? `[${key}]` : field === null ? key : `.${key}`;
  return { ...context, at: { ...context.at, field: `${field ?? ''}${inner}` } };
}

export function atRow<C extends ReportContext>(context: C, place: Omit<ContentPlace, 'field'>): C {
  return { ...context, at: { ...place, field: null }, within: context.at };
}

/** @returns the value. In a preview it is marked with its field. */
export function noted<T>(
  kind: Parameters<NoteField>[0],
  value: T,
  context: Pick<DecodeContext, 'noteField' | 'at' | 'within'>,
): T {
  return context.noteField ? context.noteField(kind, value, context) : value;
}

/** Limit for all lists of an entry. More items would block the main thread while rendering. */
export const MAX_ITEMS = 1_000;

export function atEntry(context: Omit<DecodeContext, 'items' | 'texts'>): DecodeContext {
  return { ...context, items: { left: MAX_ITEMS }, texts: { left: MAX_SIZE } };
}

export function shownItems<T>(list: readonly T[], context: ListContext): readonly T[] {
  const shown = Math.min(list.length, context.items.left);
  context.items.left -= shown;
  if (shown === list.length) return list;
  lose(context, 'value-left-out', `only the first ${shown} of ${list.length} items are shown`);
  return list.slice(0, shown);
}

/** Whether a value is neither null, undefined nor blank text. */
export function isGiven(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== null && value !== undefined;
}

const MAX_QUOTED = 80;

/** @returns the beginning of a value in quotation marks, on one line. */
export function quoted(value: unknown): string {
  const text = oneLine(typeof value === 'string' ? value : kindOf(value)).toWellFormed();
  const letters = [...text.slice(0, 2 * MAX_QUOTED)];
  return letters.length > MAX_QUOTED ? `'${letters.slice(0, MAX_QUOTED).join('')}…'` : `'${text}'`;
}

export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined) return 'nothing';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'a text' : String(value);
}
