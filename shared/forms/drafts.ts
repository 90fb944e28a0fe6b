import type { FormName } from './form-state.ts';

/** Text by field name; empty fields are absent. Each change gives the draft another `ID`. */
export type Draft = Readonly<Record<string, string>>;

const ID = '#';
/** The key in local storage of the draft that was sent last. Its value is an id, which reveals no text. */
const SENT = 'sent:';

/** Text that was typed and not yet accepted as a message. `persistent-state.ts` carries it further. */
export const drafts = new Map<string, Draft>();

/** Hidden fields, checkboxes, passwords, files and the trap for robots are not kept. */
const KEPT_FIELDS =
  'textarea,input:not([type=hidden],[type=checkbox],[type=password],[type=file],[name=website])';

function fieldsOf(form: HTMLFormElement): (HTMLInputElement | HTMLTextAreaElement)[] {
  return [...form.querySelectorAll<HTMLInputElement>(KEPT_FIELDS)];
}

export function saveDraft(name: FormName, form: HTMLFormElement, id: unknown = Math.random()): void {
  const filled = fieldsOf(form).filter(field => field.value);
  drafts.set(name, { ...Object.fromEntries(filled.map(field => [field.name, field.value])), [ID]: `${id}` });
}

/** Removes the draft of an accepted message. A duplicated tab has a copy and drops it later. */
export function dropDraft(name: FormName): void {
  const id = drafts.get(name)?.[ID];
  drafts.delete(name);
  try {
    if (id) localStorage.setItem(SENT + name, id);
  } catch {
    // The browser denies storage, so no other tab has a copy.
  }
}

export function dropSentDrafts(): void {
  for (const [name, draft] of drafts)
    if (draft[ID] === localStorage.getItem(SENT + name)) drafts.delete(name);
}

/** Fills in the empty fields. Text that was typed before hydration stays and joins the draft. */
export function restoreDraft(name: FormName, form: HTMLFormElement): void {
  const draft = drafts.get(name);
  for (const field of fieldsOf(form)) field.value ||= draft?.[field.name] ?? '';
  saveDraft(name, form, draft?.[ID]);
}
