import type { FormName } from './form-state.ts';

/** The text in the fields of a form, by field name. Empty fields are absent. */
export type Draft = Readonly<Record<string, string>>;

/**
 * The text that was typed into each form and not yet accepted as a message. The drafts live in memory as long as the document, so
 * every navigation inside the site keeps them. `client/persistent-state.ts` carries them across a full load. Empty on the server.
 */
export const drafts = new Map<string, Draft>();

/** The fields whose text is kept. Hidden fields, passwords and files are not kept, nor is the trap for robots. */
const KEPT_FIELDS = 'textarea,input:not([type=hidden],[type=password],[type=file],[name=website])';

function fieldsOf(form: HTMLFormElement): (HTMLInputElement | HTMLTextAreaElement)[] {
  return [...form.querySelectorAll<HTMLInputElement>(KEPT_FIELDS)];
}

/** Replaces the form's draft by the text in its fields. */
export function saveDraft(name: FormName, form: HTMLFormElement): void {
  const filled = fieldsOf(form).filter(field => field.value);
  drafts.set(name, Object.fromEntries(filled.map(field => [field.name, field.value])));
}

/** Fills in the empty fields of a form that is shown again. Text that was typed before hydration stays and joins the draft. */
export function restoreDraft(name: FormName, form: HTMLFormElement): void {
  const draft = drafts.get(name);
  for (const field of fieldsOf(form)) field.value ||= draft?.[field.name] ?? '';
  saveDraft(name, form);
}
