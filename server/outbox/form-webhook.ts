import { withDeadline } from '../backend/backend-client.ts';
import { createHttpCall } from '../backend/http-call.ts';
import type { Config } from '../config/config.ts';
import { keyedDigest } from '../http/security/signed-value.ts';
import { NamedError } from '../ops/named-error.ts';
import type { OutboxMessage } from './outbox-files.ts';

const MAX_CONNECTIONS = 4;
const TIMEOUT_MS = 15_000;
const SECRET_PREFIX = 'whsec_';
/** A sent form makes one message for the CMS and one for the webhook. This field marks the second. */
const FOR_WEBHOOK = 'webhook';
type Fields = OutboxMessage['message'];

export function isForWebhook(message: Fields): boolean {
  return FOR_WEBHOOK in message;
}

/** @returns a second message for the webhook, without the links that confirm a subscription. */
export function forWebhook({ confirmUrl: _, leaveUrl: __, ...fields }: Fields): Fields {
  return { ...fields, [FOR_WEBHOOK]: '1' };
}

export function withoutMark({ [FOR_WEBHOOK]: _, ...fields }: Fields): Fields {
  return fields;
}

/** The receiver of the webhook has not accepted a message, which will be retried. */
export class WebhookRefusedError extends NamedError {
  readonly status: number | null;

  constructor(reason: string, status: number | null, options?: ErrorOptions) {
    super(`FORM_WEBHOOK_URL: ${reason}`, options);
    this.status = status;
  }
}

/**
 * Posts messages to FORM_WEBHOOK_URL, signed as Standard Webhooks. The id stays the same in each attempt.
 * Rejects with a WebhookRefusedError if the response is not a 2xx.
 */
export function createFormWebhook({ url, secret }: NonNullable<Config['formWebhook']>) {
  const call = createHttpCall(MAX_CONNECTIONS);
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return async (
    { message, receivedAt }: Pick<OutboxMessage, 'message' | 'receivedAt'>,
    id: string,
    signal: AbortSignal,
  ): Promise<void> => {
    const { form = '', ...data } = withoutMark(message);
    const body = JSON.stringify({ type: `form.${form}`, timestamp: receivedAt, data });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = Buffer.from(keyedDigest(key, `${id}.${timestamp}.${body}`), 'base64url').toString(
      'base64',
    );
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const post = (bounded: AbortSignal) => call(url, { method: 'POST', headers, body, signal: bounded });
    const answer = await withDeadline('POST FORM_WEBHOOK_URL', signal, TIMEOUT_MS, post).catch(error => {
      if (signal.aborted) throw error;
      throw new WebhookRefusedError('no answer', null, { cause: error });
    });
    answer.body.destroy();
    if (answer.status < 200 || answer.status > 299)
      throw new WebhookRefusedError(`the receiver answers ${answer.status}`, answer.status);
  };
}
