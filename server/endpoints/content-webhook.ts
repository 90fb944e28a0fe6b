import type { IncomingMessage } from 'node:http';
import { Router } from 'express';
import { EVERYTHING } from '../cache/invalidation-log.ts';
import type { Config } from '../config.ts';
import { tagOfModel } from '../content/described-types.ts';
import { bearsSecret } from '../http/bearer-token.ts';
import { scopeOf } from '../http/request-scope.ts';
import type { Site } from '../site.ts';
import { type ContentEvent, readEvent } from './content-event.ts';

const WEBHOOK_PATH = '/webhooks/content';

/**
 * @returns a test of whether a request is an event of the backend, which calls the site by any name, such as that of a service in its
 *   cluster. The secret protects the address, and no answer depends on the host.
 */
export function isWebhook({ webhookSecret }: Pick<Config, 'webhookSecret'>) {
  return ({ method, url = '' }: IncomingMessage): boolean =>
    webhookSecret !== null && method === 'POST' && url.split('?', 1)[0] === WEBHOOK_PATH;
}

/**
 * `POST /webhooks/content`: Strapi reports a change of the content. Without a configured secret the address does not exist.
 * The body decides which content is invalidated, and none of it is shown.
 */
export function contentWebhook(
  site: Pick<Site, 'config' | 'content' | 'backendBreaker' | 'invalidation' | 'webhookOutcomes'>,
): Router {
  const router = Router();
  const secret = site.config.webhookSecret;
  if (secret === null) return router;
  router.post(WEBHOOK_PATH, (req, res, next) => {
    if (bearsSecret(req.get('authorization'), secret)) return next();
    site.webhookOutcomes.refused('wrong-secret');
    res
      .status(401)
      .set({ 'Cache-Control': 'no-store', 'WWW-Authenticate': 'Bearer' })
      .json({ error: 'The secret is wrong' });
  });
  router.post(WEBHOOK_PATH, async (req, res) => {
    const event = await readEvent(req);
    res.set('Cache-Control', 'no-store');
    if (!event) {
      site.webhookOutcomes.refused('no-event');
      res.status(400).json({ error: 'This is no event of the content backend' });
      return;
    }
    // The backend has sent a request, so it is up. Its types may have new fields.
    site.backendBreaker.reset();
    site.content.api.forgetMissingFields();
    const unknownModel = event === 'unknown' ? null : unknownModelOf(event);
    if (unknownModel === null) site.webhookOutcomes.accepted();
    else site.webhookOutcomes.refused('unknown-model', unknownModel);
    const { tags, isRemoval } = await applyEvent(site, event);
    scopeOf(res).log.info(
      { event: event === 'unknown' ? event : event.event, tags, isRemoval },
      'content webhook',
    );
    res.json({ purged: tags });
  });
  return router;
}

/** Invalidates everything that an event concerns. */
export async function applyEvent(
  site: Pick<Site, 'invalidation'>,
  event: ContentEvent | 'unknown',
): Promise<{ tags: string[]; isRemoval: boolean }> {
  const { tags, isRemoval } =
    event === 'unknown' ? { tags: [EVERYTHING], isRemoval: false } : invalidationOf(event);
  if (isRemoval) site.invalidation.remove(tags);
  else if (tags.length > 0) site.invalidation.invalidate(tags);
  return { tags, isRemoval };
}

/** @returns the model of an event about an entry that the site does not show; null for every other event. */
function unknownModelOf({ event, model }: ContentEvent): string | null {
  return event.startsWith('entry.') && model !== undefined && !tagOfModel(model) ? model : null;
}

/**
 * @returns the tags that an event invalidates, and whether their entries are gone. A draft invalidates nothing. The tags are the entry's
 * type and keys: an event contains only the new state, so the former address of a renamed entry is not known.
 */
export function invalidationOf({ event, model, entry }: ContentEvent): {
  tags: string[];
  isRemoval: boolean;
} {
  const nothing = { tags: [], isRemoval: false };
  // No page shows a new file yet. Every page may show a file that was changed or deleted.
  if (event.startsWith('media.'))
    return event === 'media.create' ? nothing : { tags: [EVERYTHING], isRemoval: false };
  if (!event.startsWith('entry.') || !model || !entry) return nothing;
  // `publishedAt: null` means a draft. Types without drafts leave the field out, or set it.
  if (entry.publishedAt === null) return nothing;
  const type = tagOfModel(model);
  if (!type) return nothing;
  const isRemoval = event === 'entry.unpublish' || event === 'entry.delete';
  const keys = [entry.documentId, entry.id].filter(value => value !== undefined);
  return { tags: [type, ...keys.map(value => `${type}:${value}`)], isRemoval };
}
