import { createContext } from 'react';

export type FormName = 'contact' | 'subscribe';

/**
 * What became of a form that was posted without JavaScript, for the page that is rendered as the answer:
 * the form shows the thanks, or the errors beside all that was typed.
 */
export interface FormState {
  form: FormName;
  /** `limited`: too many posts have come from the visitor's address. */
  status: 'sent' | 'invalid' | 'limited' | 'failed';
  /** One sentence for the whole form. */
  message: string | null;
  /** One sentence a field, by field name. */
  errors: Readonly<Record<string, string>>;
  /** What was typed, by field name. */
  values: Readonly<Record<string, string>>;
}

/** Null: no form of this page was posted. */
export const FormStateContext = createContext<FormState | null>(null);
