import type { FormName } from './form-state.ts';

/** Texts by field name, without empty fields. Each change gives the draft a new `ID`. */
export type Draft = Readonly<Record<string, string>>;

const ID = '#';
/** The key in local storage of the last sent draft. Its value is an id that reveals no text. */
const SENT = 'sent:';

/** Texts that were typed but not accepted yet. `persistent-state.ts` passes them to the next document. */
export const drafts = new Map<string, Draft>();

/** Fields to keep: no hidden fields, checkboxes, passwords, files, or the trap for robots. */
const KEPT_FIELDS =
  'textarea,select,input:not([type=hidden],[type=checkbox],[type=password],[type=file],[name=website])';

function fieldsOf(form: HTMLFormElement): (HTMLInputElement | HTMLTextAreaElement)[] {
  return [...form.querySelectorAll<HTMLInputElement>(KEPT_FIELDS)];
}

export function saveDraft(name: FormName, form: HTMLFormElement, id: unknown = Math.random()): void {
  const filled = fieldsOf(form).filter(field => field.value);
  drafts.set(name, { ...Object.fromEntries(filled.map(field => [field.name, field.value])), [ID]: `${id}` });
}

/** Removes the draft of an accepted message. A duplicated tab drops its copy later. */
export function dropDraft(name: FormName): void {
  const id = drafts.get(name)?.[ID];
  drafts.delete(name);
  try {
    if (id) localStorage.setItem(SENT + name, id);
  } catch {
    // Without storage, no other tab has a copy.
  }
}

export function dropSentDrafts(): void {
  for (const [name, draft] of drafts)
    if (draft[ID] === localStorage.getItem(SENT + name)) drafts.delete(name);
}

/** Fills empty fields. Text typed before hydration stays and joins the draft. */
export function restoreDraft(name: FormName, form: HTMLFormElement): void {
  const draft = drafts.get(name);
  for (const field of fieldsOf(form)) field.value ||= draft?.[field.name] ?? '';
  saveDraft(name, form, draft?.[ID]);
}
