import type { FormState } from '../forms/form-state.ts';

export type PostOutcome = Pick<FormState, 'status' | 'message' | 'errors'>;

/** What the attempts to send the same words have in common. */
export interface FormAttempt {
  /** The idempotency key; null until it is needed, and again when the words change. */
  key: string | null;
  /** When the form was there to be filled in, on the clock of `performance`. */
  openedAt: number;
}

/** An answer that has not come by then will not come, in ms. */
const TIMEOUT_MS = 30_000;
const OFFLINE = 'You seem to be offline. Nothing you typed is lost: please try again when you are connected.';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Reads the answer of the address: only strings are taken from it. */
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
 * Sends a form as JSON to its own address, even if the tab is closed meanwhile. It never rejects.
 * @param extra fields besides those of the form.
 */
export async function postEmailForm(
  form: HTMLFormElement,
  extra: Record<string, string> = {},
): Promise<PostOutcome> {
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...Object.fromEntries(new FormData(form)), ...extra }),
      keepalive: true,
      // Safari has it since 16.
      signal: AbortSignal.timeout?.(TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    // Nothing else is a promise: a network's sign-in page is a 200, too.
    if (response.status === 202) return { status: 'sent', message: null, errors: {} };
    return { status: response.status === 422 ? 'invalid' : 'failed', ...decodeRefusal(body) };
  } catch {
    return { status: 'failed', message: navigator.onLine ? null : OFFLINE, errors: {} };
  }
}
