import { emailAddress, line, paragraphs, textOf } from '../../shared/forms/form-schema.ts';
import { type FormInput, type Input, labelOf } from '../../shared/forms/page-form.ts';
import type { AnswerText, FormText, Labels } from '../../shared/labels/labels.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

const MAX_LINE = 200;
const MAX_TEXT = 5_000;
/** A telephone number has at least as many digits, of any script. */
const MIN_DIGITS = 5;

const text = line(MAX_LINE, 'wrongField');
const longText = paragraphs(MAX_TEXT, 'wrongField');
const CHECKS = {
  text,
  'long-text': longText,
  email: emailAddress,
  telephone: text,
  choice: longText,
  checkbox: longText,
} as const satisfies Record<Input, unknown>;

/** The words for a field of each kind that is empty, or has no value of its kind. */
const WRONG: Readonly<Record<Input, AnswerText | FormText>> = {
  text: 'missingField',
  'long-text': 'missingField',
  email: 'wrongEmail',
  telephone: 'wrongTelephone',
  choice: 'missingChoice',
  checkbox: 'missingConsent',
};

export interface PageFormAnswers {
  /** The answers with their labels, one in each line. A text of several lines follows its label. */
  readonly message: string;
  /** The first e-mail address, for an answer. */
  readonly email: string | null;
}

/** Checks posted values by the fields of a form. Fails with a text for each wrong field. */
export function decodePageForm(
  inputs: readonly FormInput[],
  values: Readonly<Record<string, string>>,
  labels: Labels,
): Result<PageFormAnswers, Record<string, string>> {
  const errors: Record<string, string> = {};
  const lines: string[] = [];
  let replyTo: string | null = null;
  for (const { posted: name, input, isRequired, options } of inputs) {
    const value = values[name] ?? '';
    if (value.trim() === '') {
      if (isRequired) errors[name] = labels.text(WRONG[input]);
      continue;
    }
    const { data, error } = CHECKS[input].safeParse(value);
    const [issue] = error?.issues ?? [];
    if (issue) errors[name] = textOf(issue, labels);
    else if (data === undefined || isOther(input, data, options)) errors[name] = labels.text(WRONG[input]);
    else {
      if (input === 'email') replyTo ??= data;
      lines.push(lineOf(labelOf(name) ?? name, input === 'checkbox' ? '✓' : data));
    }
  }
  if (Object.keys(errors).length > 0) return fail(errors);
  return ok({ message: lines.join('\n'), email: replyTo });
}

function lineOf(label: string, answer: string): string {
  return `${label}:${answer.includes('\n') ? '\n' : ' '}${answer}`;
}

/** Whether a text is no telephone number, or none of the choices. */
function isOther(input: Input, value: string, options: readonly string[]): boolean {
  if (input === 'choice') return !options.includes(value);
  return input === 'telephone' && (value.match(/\p{Nd}/gu)?.length ?? 0) < MIN_DIGITS;
}
