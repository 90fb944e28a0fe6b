import { createContext } from 'react';

export type FormName = 'contact' | 'subscribe';

/** The result of a form that was posted without JavaScript. The answer is the same page. */
export interface FormState {
  form: FormName;
  /** `limited`: too many posts came from the visitor's IP address. */
  status: 'sent' | 'invalid' | 'limited' | 'failed';
  message: string | null;
  /** By field name. */
  errors: Readonly<Record<string, string>>;
  /** By field name. */
  values: Readonly<Record<string, string>>;
}

/** Null when no form of this page was posted. */
export const FormStateContext = createContext<FormState | null>(null);
