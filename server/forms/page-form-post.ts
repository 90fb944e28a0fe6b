import type { Request, Response } from 'express';
import { emailAddress, idempotencyKey, line, paragraphs, textOf } from '../../shared/forms/form-schema.ts';
import type { FormName, PageFormName } from '../../shared/forms/form-state.ts';
import { type FormInput, type Input, labelOf } from '../../shared/forms/page-form.ts';
import type { AnswerText, FormText, Labels } from '../../shared/labels/labels.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import type { RouteId } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/reading/content-reader.ts';
import { readerFor } from '../content/reading/reader-for-request.ts';
import { BackendError } from '../errors.ts';
import type { RouteContent } from '../loading/loader.ts';
import { inputsOf, onOneLine, type PageForm, versionOf } from '../loading/page-forms.ts';
import { isCheckedPageForm, MAX_ANSWERS } from '../outbox/checked-page-form.ts';
import type { PageMatch } from '../page/page-request.ts';
import { movedPath } from '../page/resolve/load-page.ts';
import { pageOfForm } from './answer-form.ts';
import type { FormParts } from './answer-with-page.ts';

type Values = Readonly<Record<string, string>>;

export type DecodedPost = Result<
  {
    readonly form: FormName;
    readonly message: Values;
    /** Fields of the message outside of its idempotency key. */
    readonly links: Values;
    readonly idempotencyKey: string | undefined;
  },
  Values
>;

/**
 * Decodes a POST request of a form that editors have built, by the form's current fields.
 * @returns null if the content cannot be read. The error `page` says that the page has no such form, and
 *   `version` that its fields have changed.
 */
export async function decodePost(
  parts: FormParts,
  req: Request,
  res: Response,
  values: Values & { readonly form: PageFormName },
  labels: Labels,
): Promise<DecodedPost | null> {
  const { path } = pageOfForm(parts.routes, req, values);
  try {
    const form = await findForm(parts, readerFor(parts, res), path, values.form);
    if (form === null) return fail({ page: labels.text('goneForm') });
    const inputs = inputsOf(form);
    if (values.version !== versionOf(inputs)) return fail({ version: labels.text('changedForm') });
    const key = idempotencyKey.safeParse(values.idempotencyKey || undefined);
    if (!key.success) return fail({ idempotencyKey: labels.text('wrongKey') });
    const answers = decodeAnswers(inputs, values, labels);
    if (!answers.ok) return answers;
    const { message, email } = answers.value;
    const to = emailAddress.safeParse(form.addressee).data;
    const topic = onOneLine(form.title ?? '') || path;
    const stored = {
      form: 'page-form',
      topic,
      page: path,
      ...(email && { email }),
      ...(to && { to }),
      message,
    };
    if (!isCheckedPageForm(stored))
      return fail({ [inputs[0]?.posted ?? 'form']: labels.count('tooLong', MAX_ANSWERS) });
    return ok({ form: values.form, message: stored, links: {}, idempotencyKey: key.data });
  } catch (error) {
    if (error instanceof BackendError) return null;
    throw error;
  }
}

/** The block with a form, in `site/blocks/form/`. */
const BLOCK = 'form';

/**
 * Finds the named form in the content of its page, and reads nothing of its definition from the request.
 * @param name the form's number, and the id of its entry: `form-1-ID`.
 * @returns null if the page has no such form.
 */
async function findForm(
  parts: Pick<FormParts, 'routes' | 'contents'>,
  reader: ContentReader,
  path: string,
  name: string,
): Promise<PageForm | null> {
  const [, number, entry] = /^form-([1-9])-(.+)$/.exec(name) ?? [];
  const match = matchRoute(parts.routes, path);
  const present = match && (await readZone(parts, reader, match));
  const moved = match && !present ? await movedPath(parts, reader, match) : null;
  const target = moved === null ? null : matchRoute(parts.routes, moved);
  const zone = target ? await readZone(parts, reader, target) : present;
  if (zone?.id !== entry) return null;
  const forms = zone?.sections.filter(part => 'block' in part && part.block === BLOCK);
  const found = forms?.[Number(number) - 1];
  // The cast is safe: the compiler checks in `completeForm` that the values of this block are a PageForm.
  return found && 'block' in found ? (found.data as PageForm) : null;
}

async function readZone(
  { contents }: Pick<FormParts, 'contents'>,
  reader: ContentReader,
  { route, params }: PageMatch,
) {
  const zone = contents[route.id].zone as RouteContent<RouteId>['zone'];
  // The cast is safe: the parameters are those of the matched route.
  return (await zone?.(reader, params as never)) ?? null;
}

const MAX_LINE = 200;
const MAX_TEXT = 5_000;
/** A telephone number has at least this many digits, in any script. */
const MIN_DIGITS = 5;

const text = line(MAX_LINE, 'wrongField');
const longText = paragraphs(MAX_TEXT, 'wrongField');
/** How each kind of field is checked, and the label of its error for a missing or wrong value. */
const INPUTS = {
  text: { check: text, wrong: 'missingField' },
  'long-text': { check: longText, wrong: 'missingField' },
  email: { check: emailAddress, wrong: 'wrongEmail' },
  telephone: { check: text, wrong: 'wrongTelephone' },
  choice: { check: longText, wrong: 'missingChoice' },
  checkbox: { check: longText, wrong: 'missingConsent' },
} as const satisfies Record<Input, { readonly check: unknown; readonly wrong: AnswerText | FormText }>;

/**
 * Checks posted values by the fields of a form. Fails with a text for each wrong field.
 * @returns the answers with their labels, joined by line breaks, and the first e-mail address.
 */
function decodeAnswers(
  inputs: readonly FormInput[],
  values: Values,
  labels: Labels,
): Result<{ readonly message: string; readonly email: string | null }, Record<string, string>> {
  const errors: Record<string, string> = {};
  const lines: string[] = [];
  let email: string | null = null;
  for (const { posted: name, input, isRequired, options } of inputs) {
    const value = values[name] ?? '';
    const { check, wrong } = INPUTS[input];
    if (value.trim() === '') {
      if (isRequired) errors[name] = labels.text(wrong);
      continue;
    }
    const { data, error } = check.safeParse(value);
    const [issue] = error?.issues ?? [];
    if (issue) errors[name] = textOf(issue, labels);
    else if (data === undefined || isOther(input, data, options)) errors[name] = labels.text(wrong);
    else {
      if (input === 'email') email ??= data;
      lines.push(lineOf(labelOf(name) ?? name, input === 'checkbox' ? '✓' : data));
    }
  }
  if (Object.keys(errors).length > 0) return fail(errors);
  return ok({ message: lines.join('\n'), email });
}

function lineOf(label: string, answer: string): string {
  return `${label}:${answer.includes('\n') ? '\n' : ' '}${answer}`;
}

/** Whether a value is wrong for its field: no telephone number, or none of the offered choices. */
function isOther(input: Input, value: string, options: readonly string[]): boolean {
  if (input === 'choice') return !options.includes(value);
  return input === 'telephone' && (value.match(/\p{Nd}/gu)?.length ?? 0) < MIN_DIGITS;
}
