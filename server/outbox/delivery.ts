import type { Logger } from '../ops/log.ts';
import { deliveryFailure, setUpRemedy, statusOf } from './delivery-failure.ts';
import type { OutboxFiles, OutboxMessage } from './outbox-files.ts';
import type { NextAttempt } from './schedule.ts';

export interface DeliveryOptions {
  files: Pick<OutboxFiles, 'wasDelivered' | 'noteDelivered'>;
  /** Delivers one message. Rejects when the backend has not accepted it. */
  deliver(message: OutboxMessage, signal: AbortSignal): Promise<void>;
  log: Logger;
}

/** The rules of a delivery, whether a message comes from the folder or from the queue. */
export interface Delivery {
  /** How many messages this process has delivered. */
  readonly count: number;
  /** Delivers a message and remembers it, unless its delivery is remembered already. Rejects when the backend has not accepted it. */
  once(id: string, message: OutboxMessage, signal: AbortSignal): Promise<void>;
  /**
   * Decides about a failure, and logs it.
   *
   * @param next counts the attempt; null when the message has been tried for long enough.
   * @returns the next attempt; null for a message that becomes a dead letter.
   */
  failed(id: string, error: unknown, next: () => NextAttempt | null): NextAttempt | null;
}

export function createDelivery({ files, deliver, log }: DeliveryOptions): Delivery {
  let count = 0;
  /** The status of the set-up's fault that the log has; null while messages are accepted. */
  let loggedFault: number | null = null;

  /** Logs a fault of the set-up, which all messages meet, once until a message is delivered. */
  function noteFault(error: unknown): void {
    const status = statusOf(error);
    if (status === loggedFault) return;
    loggedFault = status;
    log.error(
      { err: error, status, remedy: setUpRemedy(status) },
      'outbox: the CMS accepts no messages. They wait for 24 hours',
    );
  }

  return {
    get count() {
      return count;
    },

    async once(id, message, signal) {
      if (await files.wasDelivered(id)) return;
      await deliver(message, signal);
      count += 1;
      if (loggedFault !== null) log.warn('outbox: the CMS accepts messages again');
      loggedFault = null;
      // A mark that cannot be written is only logged: without it, only a repeated form post is sent twice. A message that stayed in its
      // folder would certainly be sent again.
      await files
        .noteDelivered(id)
        .catch(error => log.warn({ err: error, id }, 'outbox: a delivery could not be marked'));
    },

    failed(id, error, next) {
      const failure = deliveryFailure(error);
      const again = failure === 'refused' ? null : next();
      if (again) {
        if (failure === 'set-up') noteFault(error);
        // The first failure is logged as an error. Later failures repeat it, and are debug lines. A fault of the set-up has one line for all.
        const level = again.attempts === 1 && failure === 'passing' ? 'error' : 'debug';
        log[level](
          { err: error, id, ...again },
          'outbox: a message could not be delivered and is tried again',
        );
        return again;
      }
      log.error(
        { err: error, id },
        failure === 'refused'
          ? 'outbox: the CMS refuses a message, which becomes a dead letter'
          : 'outbox: a message could not be delivered in time and becomes a dead letter',
      );
      return null;
    },
  };
}
