import type { FormState } from '../forms/form-state.ts';
import type { PageLabels } from '../labels/labels.ts';

export type PostOutcome = Pick<FormState, 'status' | 'message' | 'errors'>;

/** The state that all attempts to send the same message share. */
export interface FormAttempt {
  /** The idempotency key. Null until the first attempt, and again when the message changes. */
  key: string | null;
  /** The time at which the form was ready, on the clock of `performance.now()`. */
  openedAt: number;
}

/** The longest wait for an answer, in ms. */
const TIMEOUT_MS = 30_000;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Reads the server's refusal. Values that are not strings are ignored. */
function decodeRefusal(body: unknown): Pick<FormState, 'message' | 'errors'> {
  if (!isRecord(body)) return { message: null, errors: {} };
  const errors = isRecord(body.errors) ? Object.entries(body.errors) : [];
  return {
    message: typeof body.message === 'string' ? body.message : null,
    errors: Object.fromEntries(
      errors.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}

/**
 * Sends a form as JSON to its own address, even if the tab is closed meanwhile. The promise never rejects.
 * @param extra fields besides those of the form.
 */
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
      // `AbortSignal.timeout` exists in Safari from version 16 on.
      signal: AbortSignal.timeout?.(TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    // Only 202 means that the server has the message. A network's log-in page answers 200, too.
    if (response.status === 202) return { status: 'sent', message: null, errors: {} };
    return { status: response.status === 422 ? 'invalid' : 'failed', ...decodeRefusal(body) };
  } catch {
    return { status: 'failed', message: navigator.onLine ? null : labels.text('notSentOffline'), errors: {} };
  }
}
