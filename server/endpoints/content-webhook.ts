import { Router } from 'express';
import { EVERYTHING } from '../cache/invalidation-log.ts';
import { tagOfModel } from '../content/described-types.ts';
import { bearsSecret } from '../http/bearer-token.ts';
import { scopeOf } from '../http/request-scope.ts';
import type { Site } from '../site.ts';
import { type ContentEvent, readEvent } from './content-event.ts';

/**
 * `POST /webhooks/content`: Strapi reports a change of the content. Without a configured secret the address does not exist.
 * The body only decides which content is loaded again; nothing of it is shown.
 */
export function contentWebhook(
  site: Pick<Site, 'config' | 'content' | 'backendBreaker' | 'invalidation'>,
): Router {
  const router = Router();
  const secret = site.config.webhookSecret;
  if (secret === null) return router;
  router.post('/webhooks/content', (req, res, next) => {
    if (bearsSecret(req.get('authorization'), secret)) return next();
    res
      .status(401)
      .set({ 'Cache-Control': 'no-store', 'WWW-Authenticate': 'Bearer' })
      .json({ error: 'The secret is wrong' });
  });
  router.post('/webhooks/content', async (req, res) => {
    const event = await readEvent(req);
    res.set('Cache-Control', 'no-store');
    if (!event) {
      res.status(400).json({ error: 'This is no event of the content backend' });
      return;
    }
    // The backend has sent a request, so it is up. Its types may have new fields.
    site.backendBreaker.reset();
    site.content.api.forgetMissingFields();
    const { tags, dropped } = event === 'unknown' ? { tags: [EVERYTHING], dropped: false } : purgeOf(event);
    if (dropped) site.invalidation.remove(tags);
    else if (tags.length > 0) site.invalidation.invalidate(tags);
    scopeOf(res).log.info(
      { event: event === 'unknown' ? event : event.event, tags, dropped },
      'content webhook',
    );
    res.json({ purged: tags });
  });
  return router;
}

/**
 * Saving a draft does not change the public site. An event contains only the new state, so a renamed entry is found by its key and
 * by the lists of its type, never by its address.
 */
export function purgeOf({ event, model, entry }: ContentEvent): { tags: string[]; dropped: boolean } {
  const nothing = { tags: [], dropped: false };
  // No page shows a new file yet; every page may show a file that was changed or deleted.
  if (event.startsWith('media.'))
    return event === 'media.create' ? nothing : { tags: [EVERYTHING], dropped: false };
  if (!event.startsWith('entry.') || !model || !entry) return nothing;
  // `null` is a draft; types that have none leave the field out, or set it.
  if (entry.publishedAt === null) return nothing;
  const type = tagOfModel(model);
  if (!type) return nothing;
  const dropped = event === 'entry.unpublish' || event === 'entry.delete';
  const keys = [entry.documentId, entry.id].filter(value => value !== undefined);
  return { tags: [type, ...keys.map(value => `${type}:${value}`)], dropped };
}
