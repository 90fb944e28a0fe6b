import { createContext } from 'react';

export type FormName = 'contact' | 'subscribe';

/**
 * The result of a form that was posted without JavaScript. The answer is the same page, whose form shows the thanks, or the
 * errors and the text that was typed.
 */
export interface FormState {
  form: FormName;
  /** `limited` means that too many posts came from the visitor's IP address. */
  status: 'sent' | 'invalid' | 'limited' | 'failed';
  /** One sentence for the whole form. */
  message: string | null;
  /** One sentence for each wrong field, by field name. */
  errors: Readonly<Record<string, string>>;
  /** The values that were typed, by field name. */
  values: Readonly<Record<string, string>>;
}

/** The result of the posted form. Null when no form of this page was posted. */
export const FormStateContext = createContext<FormState | null>(null);
