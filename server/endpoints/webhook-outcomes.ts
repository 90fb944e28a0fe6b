import { boundedMap } from '../ops/bounded-map.ts';
import type { ProcessLogger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { STARTED_AT } from '../ops/process-facts.ts';
import type { HeardEvent } from '../purges/shared-event.ts';

/** The reasons why an event changes nothing that it should change. */
export type WebhookRefusal = 'wrong-secret' | 'too-many-guesses' | 'no-event';

const REMEDIES: Readonly<Record<WebhookRefusal, string>> = {
  'wrong-secret': "set the header 'Authorization: Bearer …' of the webhook in the CMS to WEBHOOK_SECRET",
  'too-many-guesses':
    'look who sends events with wrong secrets; behind a proxy set TRUST_PROXY, so that the CMS has an address of its own',
  'no-event': 'let the webhook of the CMS call this address itself, with its own JSON body',
};
/** Most models that are remembered as told of. */
const MAX_MODELS = 100;

/** The name that the CMS has for the model of a type, where the site expects another one. */
export interface OtherModel {
  /** The path of the type, such as `articles`. */
  readonly type: string;
  readonly expected: string;
}

/** Counts the events of the webhook, and warns of refused ones. */
export interface WebhookOutcomes {
  /** Notes an event that the site has understood. @param host the name by which the backend has called the site. */
  accepted(host: string | null): void;
  /**
   * Notes an event of a model that the site does not know. The log has one line for each model.
   *
   * @param other the type whose entry the event is about. Null: the site shows no such entry, so there is nothing to do.
   */
  unknownModel(host: string | null, model: string, other: OtherModel | null): void;
  /** Notes a refused event. The log has one line for each reason until an event is accepted. */
  refused(reason: WebhookRefusal): void;
  /** Notes an event that another replica has received, and of which the shared log has told. */
  acceptedElsewhere(event: HeardEvent): void;
  /** Notes a change of a type that the sweep has found, and of which no event has told. */
  missed(type: string): void;
  /** The last change without an event, until an event is accepted; its time in ISO 8601. */
  readonly lastMissed: { readonly type: string; readonly at: string } | null;
  /** When the last event was accepted by any replica, in ISO 8601; null before the first. */
  readonly lastEventAt: string | null;
  /** The name by which the backend has called the site then. */
  readonly lastEventHost: string | null;
}

/** @returns the outcomes of a process that has received no event yet. */
export function createWebhookOutcomes(
  log: Pick<ProcessLogger, 'debug' | 'info' | 'warn'>,
  metrics: Pick<Metrics, 'webhookAnswered'>,
): WebhookOutcomes {
  const warned = new Set<WebhookRefusal>();
  const models = boundedMap<true>(MAX_MODELS);
  let lastEventAt: string | null = null;
  let lastEventHost: string | null = null;
  let lastMissed: WebhookOutcomes['lastMissed'] = null;

  function hear(outcome: string, host: string | null): void {
    metrics.webhookAnswered(outcome);
    warned.clear();
    lastEventAt = new Date().toISOString();
    lastEventHost = host;
    lastMissed = null;
  }

  return {
    accepted: host => hear('accepted', host),
    unknownModel(host, model, other) {
      hear(other ? 'unknown-model' : 'nothing-to-do', host);
      if (models.get(model)) return;
      models.set(model, true);
      if (other)
        log.warn(
          {
            ...{ model, type: other.type },
            effect: `new entries of '${other.type}' are shown after up to 15 s`,
            remedy: `create the type of '${other.type}' again with the API ID (singular) '${other.expected}' (Strapi: Content-Type Builder, or its schema.json)`,
          },
          'content webhook: the CMS has another name for a model than the site',
        );
      else log.info({ model }, 'content webhook: nothing to do, the site shows no entries of this model');
    },
    refused(reason) {
      metrics.webhookAnswered(reason);
      if (warned.has(reason)) return;
      warned.add(reason);
      log.warn({ reason, remedy: REMEDIES[reason] }, 'content webhook refused');
    },
    acceptedElsewhere({ at, host, ...event }) {
      // A new replica reads the whole log, and events of the time before its start are no news.
      const level = at < STARTED_AT ? 'debug' : 'info';
      log[level](event, 'content webhook: an event that another replica received is applied here');
      if (lastEventAt !== null && at <= lastEventAt) return;
      lastEventAt = at;
      lastEventHost = host;
      lastMissed = null;
    },
    missed(type) {
      lastMissed = { type, at: new Date().toISOString() };
    },
    get lastMissed() {
      return lastMissed;
    },
    get lastEventAt() {
      return lastEventAt;
    },
    get lastEventHost() {
      return lastEventHost;
    },
  };
}
