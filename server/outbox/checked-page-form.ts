import * as z from 'zod/mini';
import { emailAddress, line, paragraphs } from '../../shared/forms/form-schema.ts';

/** The longest text of all answers to a form that editors build. */
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

/** Whether a message is one that the site makes. The check would not change it again. */
export function isCheckedPageForm(message: Readonly<Record<string, string>>): boolean {
  const { data } = schema.safeParse(message);
  return data !== undefined && Object.entries(data).every(([name, value]) => value === message[name]);
}
