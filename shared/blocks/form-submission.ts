import { MIN_FILL_MS } from '../forms/form-limits.ts';
import { decodeEmailForm } from '../forms/form-schema.ts';
import { type FormAttempt, type PostOutcome, postEmailForm } from './post-email-form.ts';

/** Timers and the clock round differently, in ms. */
const TIMER_GRAIN_MS = 20;

/** @returns a random UUID. `crypto.randomUUID` is there only over https and on localhost; the random numbers are there always. */
function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  // RFC 9562, version 4.
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/**
 * Checks a form and sends it. Loaded only when somebody turns to a form: it brings the schema.
 *
 * The server takes what is sent too soon for a robot's. A person who has all filled in by the browser may be that quick, so
 * the page waits until the time is over: what costs a person a moment keeps out those who do not wait.
 */
export async function submitForm(form: HTMLFormElement, attempt: FormAttempt): Promise<PostOutcome> {
  const decoded = decodeEmailForm(Object.fromEntries(new FormData(form)));
  if (!decoded.ok) return { status: 'invalid', message: null, errors: decoded.error };
  attempt.key ??= newKey();
  const { key } = attempt;
  const tooSoon = MIN_FILL_MS - (performance.now() - attempt.openedAt);
  if (tooSoon > 0) await new Promise(resolve => setTimeout(resolve, tooSoon + TIMER_GRAIN_MS));
  const elapsedMs = String(Math.round(performance.now() - attempt.openedAt));
  const outcome = await postEmailForm(form, { idempotencyKey: key, elapsedMs });
  // After an answer that may not have been the server's last word the same words keep their key.
  if (outcome.status === 'sent' || outcome.status === 'invalid') attempt.key = null;
  return outcome;
}
