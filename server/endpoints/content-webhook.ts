import type { RequestHandler } from 'express';
import type { Config } from '../config/config.ts';
import type { ApplyChange } from '../events/apply-change.ts';
import { readEvent } from '../events/content-event.ts';
import type { WebhookOutcomes } from '../events/webhook-outcomes.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { bearsSecret } from '../http/security/bearer-token.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import type { PurgeSharing } from '../replicas/purge-sharing.ts';
import { GUESSES_WINDOW_S, limitGuesses } from '../shared-store/rate-limit.ts';
import type { SharedStore } from '../shared-store/shared-store.ts';

export const WEBHOOK_PATH = '/webhooks/content';
interface WebhookParts {
  readonly config: Pick<Config, 'webhookSecret'>;
  readonly applyChange: ApplyChange;
  readonly webhookOutcomes: Pick<WebhookOutcomes, 'refused'>;
  readonly purges: Pick<PurgeSharing, 'settled'>;
  readonly shared: SharedStore | null;
  readonly metrics: Pick<Metrics, 'count'>;
  /** Resolves when the invalidations so far are on disk, or after half a second. */
  readonly invalidationsSaved: () => Promise<void>;
}

/** `POST /webhooks/content`: Strapi reports a change. Without WEBHOOK_SECRET the path is a 404. */
export function contentWebhook(parts: WebhookParts): RequestHandler[] {
  const secret = parts.config.webhookSecret;
  if (secret === null) return [];
  const isGuessing = limitGuesses(parts.shared);
  const requireSecret: RequestHandler = async (req, res, next) => {
    const header = req.get('authorization');
    const used = secret.findIndex(value => bearsSecret(header, value));
    if (used > 0) parts.metrics.count('site_secret_uses_total', 'WEBHOOK_SECRET_OLD', 'used');
    if (used >= 0) return next();
    // Do not count a request without a secret as a guess.
    if (header !== undefined && (await isGuessing(req))) {
      parts.webhookOutcomes.refused('too-many-guesses');
      scopeOf(res).trace.cause = 'webhook';
      res
        .status(429)
        .set({ 'Cache-Control': 'no-store', 'Retry-After': String(GUESSES_WINDOW_S) })
        .json({ error: 'Too many wrong secrets have come from this address' });
      return;
    }
    parts.webhookOutcomes.refused('wrong-secret');
    res
      .status(401)
      .set({ 'Cache-Control': 'no-store', 'WWW-Authenticate': 'Bearer' })
      .json({ error: 'The secret is wrong' });
  };
  const accept: RequestHandler = async (req, res) => {
    const event = await readEvent(req);
    res.set('Cache-Control', 'no-store');
    if (!event) {
      parts.webhookOutcomes.refused('no-event');
      res.status(400).json({ error: 'This is no event of the content backend' });
      return;
    }
    if (event !== 'unknown' && event.by === 'doctor') {
      res.json({ purged: [] });
      return;
    }
    const hasFormerSecret = !bearsSecret(req.get('authorization'), secret[0]);
    const call = { host: req.get('host') ?? null, hasFormerSecret };
    const { tags } = await parts.applyChange({ kind: 'events', events: [event], call }, 'webhook');
    // Save and share the event before responding, because the backend sends it only once.
    await Promise.all([parts.purges.settled(), parts.invalidationsSaved()]);
    scopeOf(res).log.info(
      {
        code: 'webhook-accepted',
        event: event === 'unknown' ? event : event.event,
        tags,
        // Log whether the CMS has the current secret, for an operator who rotates it.
        secret: hasFormerSecret ? 'former' : 'current',
      },
      'content webhook: an event was received',
    );
    res.json({ purged: tags });
  };
  return [requireSecret, accept];
}
