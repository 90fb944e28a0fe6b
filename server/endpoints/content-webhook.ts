import type { IncomingMessage } from 'node:http';
import { Router } from 'express';
import { EVERYTHING } from '../cache/invalidation-log.ts';
import type { Config } from '../config.ts';
import type { ContentChange } from '../content/content-changes.ts';
import { MANY_FILES_TAG, mediaTag } from '../content/content-tags.ts';
import { isServedModel, tagOfModel } from '../content/described-types.ts';
import { bearsSecret } from '../http/bearer-token.ts';
import { limitFailures } from '../http/rate-limit.ts';
import { scopeOf } from '../http/request-scope.ts';
import type { Site } from '../site.ts';
import { type ContentEvent, readEvent } from './content-event.ts';

const WEBHOOK_PATH = '/webhooks/content';
/** Wrong secrets from one IP address in a minute. Beyond it the address is refused, with the right secret, too: it would tell a guess from a hit. */
const MAX_GUESSES = 10;
const GUESSES_WINDOW_S = 60;

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
  site: Pick<
    Site,
    | 'config'
    | 'content'
    | 'contentChanges'
    | 'contentSweep'
    | 'refreshPages'
    | 'backendBreaker'
    | 'mediaOrigins'
    | 'invalidation'
    | 'media'
    | 'images'
    | 'mediaAddress'
    | 'webhookOutcomes'
  >,
): Router {
  const router = Router();
  const secret = site.config.webhookSecret;
  if (secret === null) return router;
  const guesses = limitFailures(GUESSES_WINDOW_S * 1_000, MAX_GUESSES);
  router.post(WEBHOOK_PATH, (req, res, next) => {
    if (guesses.isReached(req)) {
      site.webhookOutcomes.refused('too-many-guesses');
      res
        .status(429)
        .set({ 'Cache-Control': 'no-store', 'Retry-After': String(GUESSES_WINDOW_S) })
        .json({ error: 'Too many wrong secrets have come from this address' });
      return;
    }
    if (bearsSecret(req.get('authorization'), secret)) return next();
    // A request without a secret guesses nothing.
    if (req.get('authorization') !== undefined) guesses.note(req);
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
    if (event !== 'unknown' && event.by === 'doctor') {
      res.json({ purged: [] });
      return;
    }
    // The backend has sent a request, so it is up. Its types may have new fields.
    site.backendBreaker.reset();
    site.mediaOrigins.reset();
    site.content.api.forgetMissingFields();
    const unknownModel = event === 'unknown' ? null : unknownModelOf(event);
    if (unknownModel === null) site.webhookOutcomes.accepted(req.get('host') ?? null);
    else site.webhookOutcomes.refused('unknown-model', unknownModel);
    noteHeard(site, event);
    const purged = await applyEvent(site, event);
    scopeOf(res).log.info(
      { event: event === 'unknown' ? event : event.event, tags: purged },
      'content webhook',
    );
    res.json({ purged });
  });
  return router;
}

type ChangingSite = Pick<Site, 'contentChanges' | 'invalidation' | 'media' | 'images' | 'mediaAddress'>;

/** Invalidates everything that an event concerns, and has the pages made again that are read most. @returns the names of the invalidated tags. */
export async function applyEvent(
  site: ChangingSite & Pick<Site, 'refreshPages'>,
  event: ContentEvent | 'unknown',
): Promise<readonly string[]> {
  const tags = await invalidateFor(site, event);
  site.refreshPages();
  return tags;
}

async function invalidateFor(
  site: ChangingSite,
  event: ContentEvent | 'unknown',
): Promise<readonly string[]> {
  const isMedia = event !== 'unknown' && event.event.startsWith('media.');
  const files = isMedia ? changedFiles(event, site.mediaAddress) : null;
  if (event === 'unknown' || (isMedia && files === null)) {
    site.invalidation.invalidate([EVERYTHING]);
    return [EVERYTHING];
  }
  if (files) {
    // No page shows a new file yet, but one may have been asked for before it came.
    const tags = event.event === 'media.create' ? [] : files.map(mediaTag);
    // First the file: content that is loaded again reads the sizes of its pictures.
    await Promise.all(files.map(file => site.media.remove(file)));
    if (event.event === 'media.delete') await Promise.all(files.map(file => site.images.remove(file)));
    if (tags.length > 0) site.invalidation.invalidate([...tags, MANY_FILES_TAG]);
    return tags;
  }
  const change = changeOf(event);
  if (!change) return [];
  site.contentChanges.noteRemoval(change);
  return site.contentChanges.apply(change);
}

/** Tells the sweep of a change that is applied now. */
function noteHeard({ contentSweep }: Pick<Site, 'contentSweep'>, event: ContentEvent | 'unknown'): void {
  const change = event === 'unknown' ? null : changeOf(event);
  if (event === 'unknown' || !change?.isOfType) return;
  const { updatedAt = null, publishedAt = null } = event.entry ?? {};
  const { type, ids, slug, isRemoval } = change;
  contentSweep.heard(type, { ids, slug, updatedAt, publishedAt }, isRemoval);
}

/** @returns the model of an event about an entry that the site does not show; null for every other event. */
function unknownModelOf({ event, model }: ContentEvent): string | null {
  return event.startsWith('entry.') && model !== undefined && !tagOfModel(model) ? model : null;
}

/**
 * @param mediaAddress the site's own address for a media address of the backend.
 * @returns the paths of the files that an event is about, below `/uploads/`; null when the event does not say which.
 */
export function changedFiles(
  { event, media }: ContentEvent,
  mediaAddress: (address: string) => string | null,
): string[] | null {
  const isNew = event === 'media.create';
  if (!media) return isNew ? [] : null;
  const addresses = [media.url, ...Object.values(media.formats ?? {}).map(({ url }) => url)].map(
    mediaAddress,
  );
  // A file on another host has no tag.
  const paths = addresses.filter((address): address is string => address?.startsWith('/uploads/') === true);
  return isNew || paths.length === addresses.length ? paths : null;
}

/**
 * @returns the change of the public content that an event reports; null for a draft and for content that the site does not show. An event
 *   contains only the new state, so the former address of a renamed entry is not known.
 */
export function changeOf({ event, model, entry }: ContentEvent): ContentChange | null {
  if (!event.startsWith('entry.') || !model || !entry) return null;
  // `publishedAt: null` means a draft. Types without drafts leave the field out, or set it.
  if (entry.publishedAt === null) return null;
  const type = tagOfModel(model);
  if (!type) return null;
  const ids = [entry.documentId, entry.id].filter(value => value !== undefined).map(String);
  const isRemoval = event === 'entry.unpublish' || event === 'entry.delete';
  return { type, ids, slug: entry.slug ?? null, isRemoval, isOfType: isServedModel(model) };
}
