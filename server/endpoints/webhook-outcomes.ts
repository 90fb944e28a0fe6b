import { boundedMap } from '../ops/bounded-map.ts';
import type { ProcessLogger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';

/** The reasons why an event changes nothing that it should change. `unknown-model`: the site shows no content of the event's model. */
export type WebhookRefusal = 'wrong-secret' | 'too-many-guesses' | 'no-event' | 'unknown-model';

const REMEDIES: Readonly<Record<WebhookRefusal, string>> = {
  'wrong-secret': "set the header 'Authorization: Bearer …' of the webhook in the CMS to WEBHOOK_SECRET",
  'too-many-guesses':
    'look who sends events with wrong secrets; behind a proxy set TRUST_PROXY, so that the CMS has an address of its own',
  'no-event': 'let the webhook of the CMS call this address itself, with its own JSON body',
  'unknown-model':
    'deselect the events of this type in the webhook of the CMS, or describe the type in the site',
};
/** Most models that are remembered as warned of. */
const MAX_MODELS = 100;

/** Counts the events of the webhook, and warns of refused ones. */
export interface WebhookOutcomes {
  /** Notes an event that the site has understood. @param host the name by which the backend has called the site. */
  accepted(host: string | null): void;
  /** Notes a refused event. The log has one line for each reason until an event is accepted, and one for each model. */
  refused(reason: WebhookRefusal, model?: string): void;
  /** When the last event was accepted, in ISO 8601; null before the first. */
  readonly lastEventAt: string | null;
  /** The name by which the backend has called the site then. */
  readonly lastEventHost: string | null;
}

/** @returns the outcomes of a process that has received no event yet. */
export function createWebhookOutcomes(
  log: Pick<ProcessLogger, 'warn'>,
  metrics: Pick<Metrics, 'webhookAnswered'>,
): WebhookOutcomes {
  const warned = new Set<WebhookRefusal>();
  const models = boundedMap<true>(MAX_MODELS);
  let lastEventAt: string | null = null;
  let lastEventHost: string | null = null;
  return {
    accepted(host) {
      metrics.webhookAnswered('accepted');
      warned.clear();
      lastEventAt = new Date().toISOString();
      lastEventHost = host;
    },
    refused(reason, model) {
      metrics.webhookAnswered(reason);
      if (model === undefined ? warned.has(reason) : models.get(model)) return;
      if (model === undefined) warned.add(reason);
      else models.set(model, true);
      log.warn(
        { reason, ...(model === undefined ? {} : { model }), remedy: REMEDIES[reason] },
        'content webhook refused',
      );
    },
    get lastEventAt() {
      return lastEventAt;
    },
    get lastEventHost() {
      return lastEventHost;
    },
  };
}
