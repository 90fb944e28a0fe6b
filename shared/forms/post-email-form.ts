import type { PageLabels } from '../labels/labels.ts';
import type { FormState } from './form-state.ts';

export type PostOutcome = Pick<FormState, 'status' | 'message' | 'errors'>;

/** The state that all attempts to send the same message share. */
export interface FormAttempt {
  /** Null until the first attempt, and again when the message changes. */
  key: string | null;
  /** When the form was ready, by `performance.now()`. */
  openedAt: number;
}

const TIMEOUT_MS = 30_000;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

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

/** Sends a form as JSON, even if the tab is closed meanwhile. Never rejects. */
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
      // Safari has `AbortSignal.timeout` from version 16 on.
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
