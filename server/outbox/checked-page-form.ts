import * as z from 'zod/mini';
import { emailAddress, line, paragraphs } from '../../shared/forms/form-schema.ts';

/** Limit for the characters of all answers together, for forms that editors build. */
export const MAX_ANSWERS = 20_000;
const MAX_LINE = 2_000;

const schema = z.strictObject({
  form: z.literal('page-form'),
  topic: line(MAX_LINE, 'wrongField'),
  page: line(MAX_LINE, 'wrongField'),
  email: z.optional(emailAddress),
  to: z.optional(emailAddress),
  message: paragraphs(MAX_ANSWERS, 'wrongField'),
});

/** Whether the site could have made a message: it is valid, and validation does not change it. */
export function isCheckedPageForm(message: Readonly<Record<string, string>>): boolean {
  const { data } = schema.safeParse(message);
  return data !== undefined && Object.entries(data).every(([name, value]) => value === message[name]);
}
