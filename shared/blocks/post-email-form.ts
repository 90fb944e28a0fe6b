import type { FormState } from '../form-state.ts';

type Outcome = Pick<FormState, 'status' | 'message' | 'errors'>;

const NOT_SENT = 'Your message could not be sent. Nothing you typed is lost: please try again in a moment.';
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
 * Sends a form as JSON to its own address.
 * @param idempotencyKey the same for every attempt to send the same words.
 */
export async function postEmailForm(form: HTMLFormElement, idempotencyKey: string): Promise<Outcome> {
  const fields = Object.fromEntries(new FormData(form));
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...fields, idempotencyKey }),
    });
    if (response.ok) return { status: 'sent', message: null, errors: {} };
    if (response.status === 422) return { status: 'invalid', ...decodeRefusal(await response.json()) };
    return { status: 'failed', message: NOT_SENT, errors: {} };
  } catch {
    return { status: 'failed', message: navigator.onLine ? NOT_SENT : OFFLINE, errors: {} };
  }
}
