import { createContext } from 'react';

/** A form of a page: `form-1-ID` is the first one of the entry ID. `form-1` is its place on the page. */
export type PageFormName = `form-${string}`;
export type FormName = 'contact' | 'subscribe' | PageFormName;

/** The result of a form posted without JavaScript, whose response is the same page. */
export interface FormState {
  form: FormName;
  /** `limited`: too many messages from the visitor's IP address. */
  status: 'sent' | 'invalid' | 'limited' | 'failed';
  message: string | null;
  errors: Readonly<Record<string, string>>;
  values: Readonly<Record<string, string>>;
}

export const FormStateContext = createContext<FormState | null>(null);
