import { isRecord } from '../content/json.ts';
import type { PageLabels } from '../labels/labels.ts';
import type { FormState } from './form-state.ts';

export type PostOutcome = Pick<FormState, 'status' | 'message' | 'errors'>;

export interface FormAttempt {
  /** The idempotency key; null before the first attempt and after a change of the message. */
  key: string | null;
  /** The time when the form was ready, by `performance.now()`. */
  openedAt: number;
}

const TIMEOUT_MS = 30_000;

function decodeRefusal(body: unknown): Pick<FormState, 'message' | 'errors'> {
  if (!isRecord(body)) return { message: null, errors: {} };
  const message = typeof body.message === 'string' ? body.message : null;
  return { message, errors: textValues(body.errors) };
}

/** @returns the texts among the values of an object; none for another value. */
export function textValues(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Sends a form as JSON, even if the tab closes meanwhile. Never rejects. */
export async function postEmailForm(
  form: HTMLFormElement,
  labels: PageLabels,
  extra: Record<string, string> = {},
): Promise<PostOutcome> {
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...Object.fromEntries(new FormData(form)), ...extra }),
      keepalive: true,
      // Safari has `AbortSignal.timeout` since version 16.
      signal: AbortSignal.timeout?.(TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    // Accept only 202, because a network's log-in page also answers 200.
    if (response.status === 202) return { status: 'sent', message: null, errors: {} };
    return { status: response.status === 422 ? 'invalid' : 'failed', ...decodeRefusal(body) };
  } catch {
    return { status: 'failed', message: navigator.onLine ? null : labels.text('notSentOffline'), errors: {} };
  }
}
