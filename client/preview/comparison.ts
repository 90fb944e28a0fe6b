import { MOMENT_HEADER, type PreviewNotes } from '../../shared/payload/preview-notes.ts';
import { element } from '../element.ts';
import type { Panel } from './panel.ts';
import { button } from './text-form.ts';

type Values = Readonly<Record<string, unknown>>;
type Entries = Readonly<Record<string, Values>>;

/** A header value that is no time: the site then answers for the time of the preview. */
const AS_SHOWN = 'as-shown';
/** How much equal text is shown before and after a difference, in characters. */
const CONTEXT = 120;
/** Fields that change with each publish, and tell an editor nothing. */
const NOISE: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'publishedAt', 'documentId']);

/**
 * @param panel null if its origin is unknown.
 * @returns the element that shows the differences of the page's entries at two times, side by side.
 */
export function createComparison(
  payloadAt: (headers: Readonly<Record<string, string>>) => Promise<PreviewNotes | null>,
  panel: Panel | null,
): HTMLElement {
  const with_ = element('input', { type: 'datetime-local' });
  const result = element('div');
  const box = element('details', { id: 'preview-comparison' }, element('summary', {}, 'Compare'));
  box.append(element('label', {}, 'With another moment than now ', with_), result);
  const show = async () => {
    if (!box.open) return;
    const [then, other] = await Promise.all(
      [AS_SHOWN, with_.value].map(moment => payloadAt({ [MOMENT_HEADER]: moment })),
    );
    const tables = then && other ? tablesOf(then, other, with_.value || 'Now', panel) : ['No answer.'];
    result.replaceChildren(
      ...(tables.length > 0 ? tables : ['Nothing has changed in the entries of this page.']),
    );
  };
  box.addEventListener('toggle', () => void show());
  with_.addEventListener('change', () => void show());
  return box;
}

function tablesOf(then: PreviewNotes, other: PreviewNotes, moment: string, panel: Panel | null): Node[] {
  const before: Entries = then.entries ?? {};
  const after: Entries = other.entries ?? {};
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(about => {
    const [was = {}, is = {}] = [before[about], after[about]];
    const names = Object.keys({ ...was, ...is }).filter(name => !NOISE.has(name));
    const changed = names.filter(name => wordsOf(was[name]) !== wordsOf(is[name]));
    if (changed.length === 0) return [];
    const table = element('table');
    table.createCaption().textContent = `${about.split(':')[0]}: ${wordsOf(was.title ?? is.title ?? was.name ?? is.name)}`;
    addRow(table, 'th', ['Field', 'Then', moment.replace('T', ', ')]);
    for (const name of changed) addRow(table, 'td', [name, ...marked(wordsOf(was[name]), wordsOf(is[name]))]);
    const wanted = Object.fromEntries(Object.entries(was).filter(([name]) => changed.includes(name)));
    return panel && before[about]
      ? [table, restoring(panel, then, `${about}.${changed[0]}`, wanted)]
      : [table];
  });
}

function addRow(table: HTMLTableElement, cell: 'th' | 'td', contents: readonly (string | Node)[]): void {
  table.insertRow().append(...contents.map(content => element(cell, {}, content)));
}

function restoring(panel: Panel, notes: PreviewNotes, field: string, value: Values): HTMLElement {
  const note = element('span', { role: 'status' });
  const restore = async () => {
    const state = await panel.ask('read', field, notes);
    if (!state) return panel.open(field, notes);
    const { updatedAt } = state;
    const saved =
      state.refused === undefined ? await panel.ask('restore', field, notes, { value, updatedAt }) : state;
    const isSaved = saved && saved.refused === undefined && !saved.isChanged;
    note.textContent = isSaved
      ? saved.hasDrafts
        ? ' Restored as a draft.'
        : ' Restored for all visitors.'
      : ` Not restored. ${saved?.refused ?? 'Somebody saves this entry, or the panel cannot restore.'}`;
  };
  return element(
    'p',
    {},
    button('Restore what was then', () => void restore()),
    note,
  );
}

/** @returns a value as a text for editors. A related entry is shown by its name. */
function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(wordsOf).join('\n');
  if ('documentId' in value) {
    const { title, name, documentId } = value as Values;
    return String(title ?? name ?? documentId);
  }
  const parts = Object.entries(value).filter(([name, part]) => !NOISE.has(name) && part !== null);
  return parts.map(([name, part]) => `${name}: ${wordsOf(part)}`).join('\n');
}

/** @returns both texts, each with the part marked that the other lacks. */
function marked(a: string, b: string): Node[] {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [a, b].map(text => {
    const shown = document.createDocumentFragment();
    const mark = element('mark', {}, text.slice(start, text.length - end));
    const before = text.slice(0, start);
    const after = text.slice(text.length - end);
    shown.append(before.length > CONTEXT ? `…${before.slice(-CONTEXT)}` : before, mark);
    shown.append(after.length > CONTEXT ? `${after.slice(0, CONTEXT)}…` : after);
    return shown;
  });
}
