import { type Condition, condition } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';
import { deliveryFailure, setUpRemedy, statusOf } from './delivery-failure.ts';
import type { OutboxFiles, OutboxMessage } from './outbox-files.ts';
import type { NextAttempt } from './schedule.ts';

export interface DeliveryOptions {
  files: Pick<OutboxFiles, 'wasDelivered' | 'noteDelivered'>;
  /** Rejects when the backend has not accepted the message. */
  deliver(message: OutboxMessage, signal: AbortSignal): Promise<void>;
  log: Logger;
}

/** The rules of a delivery, whether a message comes from the folder or from the queue. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #cms: Condition;
  #count = 0;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#cms = condition(options.log, {
      code: 'outbox-cms',
      down: 'outbox: the CMS accepts no messages. They wait for 24 hours',
      up: 'outbox: the CMS accepts messages again',
    });
  }

  /** The deliveries of this process. */
  get count(): number {
    return this.#count;
  }

  /** Skips a remembered delivery. Rejects when the backend has not accepted the message. */
  async once(id: string, message: OutboxMessage, signal: AbortSignal): Promise<void> {
    const { files, deliver, log } = this.#options;
    if (await files.wasDelivered(id)) return;
    await deliver(message, signal);
    this.#count += 1;
    this.#cms.up();
    // Without the mark, only a repeated form post is sent twice. A message that stayed in its folder would
    // certainly be.
    await files
      .noteDelivered(id)
      .catch(error =>
        log.warn(
          { code: 'outbox-delivery-not-marked', err: error, id },
          'outbox: a delivery could not be marked',
        ),
      );
  }

  /**
   * Decides about a failure, and logs it.
   * @param next counts the attempt; null when the message has been tried for long enough.
   * @returns null for a message that becomes a dead letter.
   */
  failed(id: string, error: unknown, next: () => NextAttempt | null): NextAttempt | null {
    const { log } = this.#options;
    const failure = deliveryFailure(error);
    const again = failure === 'refused' ? null : next();
    if (again) {
      if (failure === 'set-up') this.#noteFault(error);
      // The first failure is an error, and its repetitions are debug entries. A fault of the set-up has one
      // entry for all.
      const level = again.attempts === 1 && failure === 'passing' ? 'error' : 'debug';
      log[level](
        { code: 'outbox-delivery-failed', err: error, id, ...again },
        'outbox: a message could not be delivered and is tried again',
      );
      return again;
    }
    log.error(
      { code: failure === 'refused' ? 'outbox-message-refused' : 'outbox-message-late', err: error, id },
      failure === 'refused'
        ? 'outbox: the CMS refuses a message, which becomes a dead letter'
        : 'outbox: a message could not be delivered in time and becomes a dead letter',
    );
    return null;
  }

  #noteFault(error: unknown): void {
    const status = statusOf(error);
    this.#cms.down({ err: error, status, remedy: setUpRemedy(status) }, String(status));
  }
}
