import { writeFileAtomically } from '../cache/write-file-atomically.ts';
import type { Config } from '../config.ts';
import type { ContentApi } from '../content/content-api.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { SharedStore } from '../shared-state/shared-store.ts';
import type { SiteOverrides } from '../site.ts';
import { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts';
import { createOutboxFiles, messageId } from './outbox-files.ts';
import { createMessageCheck } from './queue/message-check.ts';
import { createQueueCarrier } from './queue/queue-carrier.ts';
import type { QueueLink } from './queue/queue-link.ts';
import { createQueueMetrics } from './queue/queue-metrics.ts';
import { createRecipientLimit } from './recipient-limit.ts';

/** The time limit of a delivery, in ms. It is long because no visitor waits, and because a retry after an early timeout would deliver twice. */
const DELIVERY_TIMEOUT_MS = 30_000;

export interface SiteOutboxOptions extends Pick<OutboxOptions, 'health' | 'log'> {
  /** Posts a message to the CMS. Rejects when the CMS has not accepted it. */
  sendEmail: ContentApi['sendEmail'];
  config: Pick<Config, 'dataDir' | 'deadLetterDays' | 'publicOrigin' | 'subscribeSecret'>;
  shared: SharedStore | null;
  /** The queue that replicas share. */
  queue: QueueLink | null | undefined;
  metrics: Pick<Metrics, 'registry'>;
  overrides: Pick<SiteOverrides, 'outbox' | 'writeFileAtomically'>;
}

/** @returns the outbox of a site, with its folder and its queue. */
export function createSiteOutbox(options: SiteOutboxOptions): Outbox {
  const { config, shared, queue, metrics, overrides, sendEmail, ...common } = options;
  const { dataDir, deadLetterDays, subscribeSecret } = config;
  if (queue) createQueueMetrics(metrics.registry, () => queue.report);
  const files = createOutboxFiles(dataDir, overrides.writeFileAtomically ?? writeFileAtomically);
  const { log } = common;
  const isMessage = createMessageCheck(config);
  const mayMail = subscribeSecret && createRecipientLimit(files.dir, subscribeSecret[0], shared);
  return createOutbox({
    ...{ ...common, files, deadLetterDays },
    async deliver({ message, key }, signal) {
      // The limit is here and not where the form is answered, so that no answer tells whether an address has had its e-mails.
      const id = messageId(key);
      if (mayMail && !(await mayMail(message, id)))
        return log.info({ id }, 'outbox: a fourth e-mail to one address in a day is not delivered');
      await sendEmail(message, signal, { idempotencyKey: key, timeoutMs: DELIVERY_TIMEOUT_MS });
    },
    queueCarrier:
      queue &&
      ((delivery, pace) =>
        createQueueCarrier({ link: queue, files, delivery, isMessage, deadLetterDays, pace, log })),
    ...overrides.outbox,
  });
}
