import { type FormWords, formCatalogues } from '../../site/words.ts';
import { createLabels, type FormLabels, type PageLabels } from '../labels/labels.ts';
import type { PageLanguage } from '../labels/page-language.ts';
import { MIN_FILL_MS } from './form-limits.ts';
import { decodeEmailForm } from './form-schema.ts';
import { isPageForm } from './page-form.ts';
import { type FormAttempt, type PostOutcome, postEmailForm } from './post-email-form.ts';

/** A margin for timers, in ms, which may fire early by `performance.now()`. */
const TIMER_GRAIN_MS = 20;

/** Makes a random UUID. `crypto.randomUUID` exists only over https and on localhost. */
function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

async function formLabels(language: PageLanguage): Promise<FormLabels> {
  const { default: catalogue } = await formCatalogues[language.catalogue]();
  return createLabels<FormWords>(language, catalogue);
}

/** Sends a form not sooner than the server accepts, because autofill can be too fast. */
export async function submitForm(
  form: HTMLFormElement,
  attempt: FormAttempt,
  labels: PageLabels,
): Promise<PostOutcome> {
  const values = Object.fromEntries(new FormData(form));
  // Leave the check of an editor's form to the server, which knows its current fields.
  const isOfPage = isPageForm(String(values.form));
  const consent = form.querySelector<HTMLInputElement>('[name=consent]')?.value ?? null;
  const decoded = isOfPage ? null : decodeEmailForm(values, await formLabels(labels.language), consent);
  if (decoded?.ok === false) return { status: 'invalid', message: null, errors: decoded.error };
  attempt.key ??= newKey();
  const { key } = attempt;
  const tooSoon = MIN_FILL_MS - (performance.now() - attempt.openedAt);
  if (tooSoon > 0) await new Promise(resolve => setTimeout(resolve, tooSoon + TIMER_GRAIN_MS));
  const elapsedMs = String(Math.round(performance.now() - attempt.openedAt));
  const outcome = await postEmailForm(form, labels, { idempotencyKey: key, elapsedMs });
  // If the editor's form has changed, post it as without scripts: the response has the new form and the text.
  if (isOfPage && (outcome.errors.page ?? outcome.errors.version)) form.submit();
  // Keep the idempotency key after a failure, because the message may have arrived.
  if (outcome.status === 'sent' || outcome.status === 'invalid') attempt.key = null;
  return outcome;
}
