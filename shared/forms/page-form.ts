import type { FormName, PageFormName } from './form-state.ts';

export const INPUTS = ['text', 'long-text', 'email', 'telephone', 'choice', 'checkbox'] as const;
export type Input = (typeof INPUTS)[number];

/** The prefix of field names, so that no field has the name of a hidden field. */
export const FIELD_PREFIX = 'field:';

export interface FormInput {
  /**
   * The field's name in the POST request. It contains the label, for responses without the form's content.
   * Typographic quotes would change it, but only fields of the content get them, and none is named `posted`.
   */
  readonly posted: string;
  readonly label: string;
  readonly input: Input;
  readonly isRequired: boolean;
  readonly hint: string | null;
  readonly options: readonly string[];
}

/** A form that editors build, as its page shows it: without its addressee. */
export interface ShownForm {
  readonly form: PageFormName;
  readonly place: PageFormName;
  /** A digest of the fields. A POST request with another one is from an earlier version. */
  readonly version: string;
  readonly title: string | null;
  readonly text: string | null;
  readonly inputs: readonly FormInput[];
  readonly button: string | null;
  readonly thanks: string | null;
}

/** @returns the label of a field by its posted name; null for another name. */
export function labelOf(name: string): string | null {
  return name.startsWith(FIELD_PREFIX) ? name.slice(FIELD_PREFIX.length) : null;
}

export function isPageForm(name: string | undefined): name is PageFormName {
  return /^form-[1-9]-./.test(name ?? '');
}

/** @returns the place of an editor's form on its page, such as `form-1`. Other forms keep their name. */
export function placeOf(name: FormName): FormName {
  return isPageForm(name) ? (`form-${name.split('-', 2)[1]}` as const) : name;
}
