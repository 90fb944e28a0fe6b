import { isCheckedForm } from '../../shared/forms/form-schema.ts';
import { type WriteFileAtomically, writeFileAtomically } from '../cache/disk/write-file-atomically.ts';
import type { Config } from '../config/config.ts';
import type { ContentApi } from '../content/requests/content-api.ts';
import { countedUse } from '../http/security/secret-uses.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import type { SharedStore } from '../shared-store/shared-store.ts';
import { isCheckedPageForm } from './checked-page-form.ts';
import { createFormWebhook, isForWebhook, withoutMark } from './form-webhook.ts';
import { Outbox, type OutboxOptions } from './outbox.ts';
import { messageId, OutboxFiles } from './outbox-files.ts';
import type { QueueLink } from './queue/queue-link.ts';
import { createQueueTransport } from './queue/queue-transport.ts';
import { createRecipientLimit } from './recipient-limit.ts';

/** The limit of a delivery. It is long: no visitor waits, and a retry after a timeout may deliver twice. */
const DELIVERY_TIMEOUT_MS = 30_000;

export interface SiteOutboxOptions extends Pick<OutboxOptions, 'health' | 'log'> {
  sendEmail: ContentApi['sendEmail'];
  config: Pick<
    Config,
    'formWebhook' | 'dataDir' | 'deadLetterDays' | 'mailDays' | 'publicOrigin' | 'subscribeSecret'
  >;
  shared: SharedStore | null;
  queue: QueueLink | null | undefined;
  metrics: Pick<Metrics, 'count' | 'observe' | 'stamp'>;
  overrides: {
    outbox?: Pick<OutboxOptions, 'pace' | 'maxWaiting'>;
    writeFileAtomically?: WriteFileAtomically;
  };
}

export function createSiteOutbox(options: SiteOutboxOptions): Outbox {
  const { config, shared, queue, metrics, overrides, sendEmail, ...common } = options;
  const { dataDir, deadLetterDays, mailDays, subscribeSecret } = config;
  if (queue)
    metrics.observe({
      site_queue_up: () => Number(queue.report.isUp),
      site_queue_calls_total: () => Object.entries(queue.calls),
      site_queue_jobs: () => Object.entries(queue.report.jobs),
    });
  const files = new OutboxFiles(dataDir, overrides.writeFileAtomically ?? writeFileAtomically);
  const { log } = common;
  const webhook = config.formWebhook && createFormWebhook(config.formWebhook);
  const isMessage = createMessageCheck(config);
  const mayMail = subscribeSecret && createRecipientLimit(files.dir, subscribeSecret[0], shared);
  return new Outbox({
    ...common,
    files,
    deadLetterDays,
    mailDays,
    onEvent(event) {
      metrics.count('site_messages_total', event);
      if (event === 'delivered') metrics.stamp('site_last_delivery_timestamp_seconds');
    },
    async deliver({ message, key, receivedAt }, signal) {
      const id = messageId(key);
      if (isForWebhook(message))
        return countedUse(metrics, 'FORM_WEBHOOK_SECRET', async () =>
          webhook?.({ message, receivedAt }, id, signal),
        );
      // Apply the limit at delivery, so that no response to a form reveals who has got e-mails.
      if (mayMail && !(await mayMail(message, id)))
        return log.info(
          { code: 'outbox-recipient-limit', id },
          'outbox: a fourth e-mail to one address in a day is not delivered',
        );
      await sendEmail(message, signal, { idempotencyKey: key, timeoutMs: DELIVERY_TIMEOUT_MS });
    },
    queueTransport:
      queue &&
      ((delivery, pace) =>
        createQueueTransport({ link: queue, files, delivery, isMessage, deadLetterDays, pace, log })),
    ...overrides.outbox,
  });
}

const WORD = /^[\w.-]*$/;

/** Checks that the site itself could have made a message: other programs may write to the queue. */
function createMessageCheck({ publicOrigin }: Pick<Config, 'publicOrigin'>) {
  function isLink(step: string, address: string): boolean {
    const begin = `${publicOrigin}/subscribe/${step}?token=`;
    return address === '' || (address.startsWith(begin) && WORD.test(address.slice(begin.length)));
  }
  return (message: Readonly<Record<string, string>>): boolean => {
    const { confirmUrl = '', leaveUrl = '', language = '', ...fields } = withoutMark(message);
    if (!isLink('confirm', confirmUrl) || !isLink('leave', leaveUrl) || !WORD.test(language)) return false;
    const isPress = fields.form === 'subscribe-confirm' || fields.form === 'subscribe-leave';
    if (fields.form === 'page-form') return isCheckedPageForm(fields);
    return isCheckedForm(isPress ? { ...fields, form: 'subscribe' } : fields);
  };
}
