import type { FormName } from './form-state.ts';

/** The text in the fields of a form, by field name. Empty fields are absent. `ID` names the text: each change gives it another id. */
export type Draft = Readonly<Record<string, string>>;

/** No field has this name. */
const ID = '#';
/** The key in local storage of the draft that was sent last with a form. Its value is an id, which tells nothing of the text. */
const SENT = 'sent:';

/**
 * The text that was typed into each form and not yet accepted as a message. The drafts live in memory as long as the document, so
 * every navigation inside the site keeps them. `client/persistent-state.ts` carries them across a full load. Empty on the server.
 */
export const drafts = new Map<string, Draft>();

/** The fields whose text is kept. Hidden fields, checkboxes, passwords and files are not kept, nor is the trap for robots. */
const KEPT_FIELDS =
  'textarea,input:not([type=hidden],[type=checkbox],[type=password],[type=file],[name=website])';

function fieldsOf(form: HTMLFormElement): (HTMLInputElement | HTMLTextAreaElement)[] {
  return [...form.querySelectorAll<HTMLInputElement>(KEPT_FIELDS)];
}

/** Replaces the form's draft by the text in its fields. */
export function saveDraft(name: FormName, form: HTMLFormElement, id: unknown = Math.random()): void {
  const filled = fieldsOf(form).filter(field => field.value);
  drafts.set(name, { ...Object.fromEntries(filled.map(field => [field.name, field.value])), [ID]: `${id}` });
}

/**
 * Removes the draft of a message that was accepted, in the other tabs as well: a tab that was duplicated has a copy, in memory or in session
 * storage, and drops it before it passes it on to another document.
 */
export function dropDraft(name: FormName): void {
  const id = drafts.get(name)?.[ID];
  drafts.delete(name);
  try {
    if (id) localStorage.setItem(SENT + name, id);
  } catch {
    // The browser denies storage, so no other tab has a copy.
  }
}

/** Removes the drafts that were sent from another tab. */
export function dropSentDrafts(): void {
  for (const [name, draft] of drafts)
    if (draft[ID] === localStorage.getItem(SENT + name)) drafts.delete(name);
}

/** Fills in the empty fields of a form that is shown again. Text that was typed before hydration stays and joins the draft. */
export function restoreDraft(name: FormName, form: HTMLFormElement): void {
  const draft = drafts.get(name);
  for (const field of fieldsOf(form)) field.value ||= draft?.[field.name] ?? '';
  saveDraft(name, form, draft?.[ID]);
}
