import { BackendError } from '../errors.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { Condition } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';
import { isForWebhook, WebhookRefusedError } from './form-webhook.ts';
import type { OutboxFiles, OutboxMessage } from './outbox-files.ts';
import type { NextAttempt } from './schedule.ts';

export interface DeliveryOptions {
  files: Pick<OutboxFiles, 'wasDelivered' | 'noteDelivered'>;
  /** Rejects when the backend has not accepted the message. */
  deliver(message: OutboxMessage, signal: AbortSignal): Promise<void>;
  onEvent?: ((event: 'accepted' | 'delivered' | 'failed' | 'dead') => void) | undefined;
  log: Logger;
}

const MAX_FAILURES = 1_000;

/** The rules of a delivery, the same for messages from the folder and from the queue. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #cms: Condition;
  readonly #webhook: Condition;
  /** The reason of each message's last failure. It may repeat words of the message. */
  readonly #failures = boundedMap<string>(MAX_FAILURES);

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#cms = new Condition(options.log, {
      code: 'outbox-cms',
      down: 'outbox: the CMS does not accept messages. Messages wait for up to 24 hours',
      up: 'outbox: the CMS accepts messages again',
    });
    this.#webhook = new Condition(options.log, {
      code: 'outbox-webhook',
      down: 'outbox: FORM_WEBHOOK_URL does not accept messages. Messages wait for up to 24 hours',
      up: 'outbox: FORM_WEBHOOK_URL accepts messages again',
      remedy: 'repair the receiver of FORM_WEBHOOK_URL, or remove the variable',
    });
  }

  failureOf(id: string): string | null {
    return this.#failures.get(id) ?? null;
  }

  /** Delivers a message, unless it was delivered before. Rejects if the backend does not accept it. */
  async once(id: string, message: OutboxMessage, signal: AbortSignal): Promise<void> {
    const { files, deliver, log } = this.#options;
    if (await files.wasDelivered(id)) return;
    await deliver(message, signal);
    this.#failures.delete(id);
    this.#options.onEvent?.('delivered');
    (isForWebhook(message.message) ? this.#webhook : this.#cms).up();
    // Only log the failure: a rejection would send this message twice. Without the mark, the message is sent
    // twice only if the visitor's POST request is repeated.
    await files
      .noteDelivered(id)
      .catch(error =>
        log.warn(
          { code: 'outbox-delivery-not-marked', err: error, id },
          'outbox: a delivery could not be recorded, so a repeated form post may be delivered again',
        ),
      );
  }

  /**
   * Decides whether to try again after a failure, and logs the failure.
   * @param next counts the attempt, and returns null after 24 hours of attempts.
   * @returns null for a message that becomes a dead letter.
   */
  failed(id: string, error: unknown, next: () => NextAttempt | null): NextAttempt | null {
    const { log, onEvent } = this.#options;
    onEvent?.('failed');
    const failure = deliveryFailure(error);
    this.#failures.set(id, error instanceof BackendError ? error.reason : String(error));
    const again = failure === 'refused' ? null : next();
    if (again) {
      // One entry for all messages: in an outage each of them fails.
      this.#noteFault(error);
      log.debug(
        { code: 'outbox-delivery-failed', err: error, id, ...again },
        'outbox: a message could not be delivered and is tried again',
      );
      return again;
    }
    onEvent?.('dead');
    log.error(
      { code: failure === 'refused' ? 'outbox-message-refused' : 'outbox-message-late', err: error, id },
      failure === 'refused'
        ? 'outbox: the CMS refuses a message, which becomes a dead letter'
        : 'outbox: a message could not be delivered in time and becomes a dead letter',
    );
    return null;
  }

  #noteFault(error: unknown): void {
    if (error instanceof WebhookRefusedError) {
      this.#webhook.down({ err: error });
      return;
    }
    const status = statusOf(error);
    const isSilent = error instanceof BackendError && error.kind === 'unreachable';
    const remedy = isSilent ? 'repair the CMS: it gives no answer' : remedyFor(status);
    this.#cms.down({ err: error, status, remedy }, deliveryFailure(error));
  }
}

/**
 * `refused`: the CMS will never accept this message. `set-up`: the CMS accepts no message until somebody
 * changes a setting, so messages wait. `passing`: the next attempt may succeed.
 */
type DeliveryFailure = 'refused' | 'set-up' | 'passing';

const REFUSED: readonly (number | null)[] = [400, 413, 415, 422];
const REMEDIES: ReadonlyMap<number | null, string> = new Map([
  [401, 'set CONTENT_TOKEN to a valid API token (Strapi: Settings → API Tokens), and restart the site'],
  [
    403,
    "allow 'send' of Email for the API token in CONTENT_TOKEN (Strapi: Settings → API Tokens); without a token for the role Public (Settings → Users & Permissions plugin → Roles)",
  ],
  [404, 'add the route POST /api/email/send to the CMS: plain Strapi has none, the project in cms/ has it'],
  [405, 'add the route POST /api/email/send to the CMS: plain Strapi has none, the project in cms/ has it'],
  [421, 'set CONTENT_BASE_URL to the name under which the server of the CMS answers'],
]);

export function deliveryFailure(error: unknown): DeliveryFailure {
  const status = statusOf(error);
  if (REFUSED.includes(status)) return 'refused';
  return REMEDIES.has(status) ? 'set-up' : 'passing';
}

export function remedyFor(status: number | null): string {
  return (
    REMEDIES.get(status) ?? 'look for POST /api/email/send in the log of the CMS and of its mail provider'
  );
}

export function statusOf(error: unknown): number | null {
  return error instanceof BackendError ? error.status : null;
}
