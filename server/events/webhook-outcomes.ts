import { boundedMap } from '../ops/bounded-map.ts';
import type { ProcessLogger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { STARTED_AT } from '../ops/process/process-facts.ts';
import type { ReceivedEvent } from './shared-event.ts';

type WebhookRefusal = 'wrong-secret' | 'too-many-guesses' | 'no-event';

const SET_HEADER = "set the header 'Authorization: Bearer …' of the webhook in the CMS to WEBHOOK_SECRET";
/** Each remedy begins with the most frequent cause. */
const REMEDIES: Readonly<Record<WebhookRefusal, string>> = {
  'wrong-secret': `${SET_HEADER} (the CMS of cms/ does so when it starts with this WEBHOOK_SECRET)`,
  'too-many-guesses': `${SET_HEADER}; if it is right, set TRUST_PROXY behind a proxy, so that the CMS has an address of its own, and look who else sends events`,
  'no-event': 'let the webhook of the CMS call this address itself, with its own JSON body',
};
const MAX_MODELS = 100;

export interface BackendCall {
  readonly host: string | null;
  readonly hasFormerSecret: boolean;
}

interface LastEvent {
  /** The time of the last event accepted by any replica, in ISO 8601. */
  readonly lastEventAt: string | null;
  readonly lastEventHost: string | null;
  /** The last missed change, until an event is accepted. Its time is in ISO 8601. */
  readonly lastMissed: { readonly type: string; readonly at: string } | null;
  readonly hasFormerSecret: boolean;
}

export class WebhookOutcomes {
  readonly #log: Pick<ProcessLogger, 'debug' | 'info' | 'warn'>;
  readonly #metrics: Pick<Metrics, 'count'>;
  readonly #warned = new Set<WebhookRefusal>();
  readonly #models = boundedMap<true>(MAX_MODELS);
  #last: LastEvent = { lastEventAt: null, lastEventHost: null, lastMissed: null, hasFormerSecret: false };

  constructor(log: Pick<ProcessLogger, 'debug' | 'info' | 'warn'>, metrics: Pick<Metrics, 'count'>) {
    this.#log = log;
    this.#metrics = metrics;
  }

  get last(): LastEvent {
    return this.#last;
  }

  accepted(call: BackendCall): void {
    this.#noteAccepted('accepted', call);
  }

  /**
   * Notes an event of an unknown model, and logs each model once.
   * @param other the content type that has this entry on the site; null if the site does not show it.
   */
  unknownModel(call: BackendCall, model: string, other: { type: string; expected: string } | null): void {
    this.#noteAccepted(other ? 'unknown-model' : 'nothing-to-do', call);
    if (this.#models.get(model)) return;
    this.#models.set(model, true);
    if (other)
      this.#log.warn(
        {
          code: 'webhook-model-renamed',
          model,
          type: other.type,
          effect: `new entries of '${other.type}' are shown after up to 15 s`,
          remedy: `create the type of '${other.type}' again with the API ID (singular) '${other.expected}' (Strapi: Content-Type Builder, or its schema.json)`,
        },
        'content webhook: CMS and site have different names for a model',
      );
    else
      this.#log.info(
        { code: 'webhook-nothing-to-do', model },
        'content webhook: an event was ignored, because the site shows no entries of its model',
      );
  }

  /** Logs a refusal once for each reason, until an event is accepted. */
  refused(reason: WebhookRefusal): void {
    this.#metrics.count('site_webhook_events_total', reason);
    if (this.#warned.has(reason)) return;
    this.#warned.add(reason);
    this.#log.warn({ code: 'webhook-refused', reason, remedy: REMEDIES[reason] }, 'content webhook: refused');
  }

  acceptedElsewhere({ at, host, hasFormerSecret = false, ...event }: ReceivedEvent): void {
    // Log events from before this process at `debug`, because a new replica reads the whole log.
    const level = at < STARTED_AT ? 'debug' : 'info';
    this.#log[level](
      { code: 'webhook-accepted-elsewhere', ...event },
      'content webhook: an event that another replica received is applied here',
    );
    const { lastEventAt } = this.#last;
    if (lastEventAt === null || at > lastEventAt) this.#noteEvent(at, { host, hasFormerSecret });
  }

  missed(type: string): void {
    this.#last = { ...this.#last, lastMissed: { type, at: new Date().toISOString() } };
  }

  #noteAccepted(outcome: 'accepted' | 'unknown-model' | 'nothing-to-do', call: BackendCall): void {
    this.#metrics.count('site_webhook_events_total', outcome);
    this.#warned.clear();
    this.#noteEvent(new Date().toISOString(), call);
  }

  #noteEvent(at: string, { host, hasFormerSecret }: BackendCall): void {
    this.#last = { lastEventAt: at, lastEventHost: host, lastMissed: null, hasFormerSecret };
  }
}
