import type { Request, Response } from 'express';
import { emailAddress, idempotencyKey } from '../../shared/forms/form-schema.ts';
import type { FormName, PageFormName } from '../../shared/forms/form-state.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { readerFor } from '../content/reading/reader-for-request.ts';
import { BackendError } from '../errors.ts';
import { inputsOf, onOneLine, versionOf } from '../loading/page-forms.ts';
import { isCheckedPageForm, MAX_ANSWERS } from '../outbox/checked-page-form.ts';
import { pageOfForm } from './answer-form.ts';
import type { FormParts } from './answer-with-page.ts';
import { decodePageForm } from './decode-page-form.ts';
import { findForm } from './find-form.ts';

type Values = Readonly<Record<string, string>>;

/** A checked post. Fails with a text for each wrong field. */
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
 * Decodes a post of a form that editors build, by the form as it is now.
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
    const answers = decodePageForm(inputs, values, labels);
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
