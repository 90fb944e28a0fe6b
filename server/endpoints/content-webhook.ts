import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import { Router } from 'express';
import { EVERYTHING } from '../cache/invalidation-log.ts';
import { parseTag } from '../cache/tags.ts';
import type { Config } from '../config.ts';
import type { ContentChange } from '../content/content-changes.ts';
import { MANY_FILES_TAG, tagNames } from '../content/content-tags.ts';
import { isServedModel, namedTypes, tagOfModel } from '../content/described-types.ts';
import { bearsSecret } from '../http/bearer-token.ts';
import { limitFailures } from '../http/rate-limit.ts';
import { scopeOf } from '../http/request-scope.ts';
import { forgetFiles } from '../media/forget-files.ts';
import { createSharedLimit } from '../shared-state/shared-limit.ts';
import type { Site } from '../site.ts';
import { type ContentEvent, readEvent } from './content-event.ts';

const WEBHOOK_PATH = '/webhooks/content';
/** Wrong secrets from one IP address in a minute that get a 401. Further ones get a 429; the right secret is accepted all the same. */
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
    | 'fileVersions'
    | 'images'
    | 'mediaAddress'
    | 'webhookOutcomes'
    | 'purges'
    | 'invalidationsSaved'
    | 'shared'
  >,
): Router {
  const router = Router();
  const secret = site.config.webhookSecret;
  if (secret === null) return router;
  const isGuessing = limitFailures(
    GUESSES_WINDOW_S * 1_000,
    MAX_GUESSES,
    site.shared ? createSharedLimit(site.shared, 'guesses') : undefined,
  );
  router.post(WEBHOOK_PATH, async (req, res, next) => {
    const header = req.get('authorization');
    if (secret.some(value => bearsSecret(header, value))) return next();
    // A request without a secret guesses nothing.
    if (header !== undefined && (await isGuessing(req))) {
      site.webhookOutcomes.refused('too-many-guesses');
      res
        .status(429)
        .set({ 'Cache-Control': 'no-store', 'Retry-After': String(GUESSES_WINDOW_S) })
        .json({ error: 'Too many wrong secrets have come from this address' });
      return;
    }
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
    site.purges.share({ kind: 'backend-called' });
    const understood = event === 'unknown' ? event : withKnownModel(site, event, req.get('host') ?? null);
    noteHeard(site, understood);
    const purged = await applyEvent(site, understood);
    shareEvent(site, understood, req.get('host') ?? null);
    // The backend sends an event once. With the answer other replicas can read it, too, and the next process knows it.
    await Promise.all([site.purges.settled(), site.invalidationsSaved()]);
    scopeOf(res).log.info(
      {
        event: event === 'unknown' ? event : event.event,
        tags: purged,
        // An operator who rotates the secret sees whether the CMS has the current one.
        secret: bearsSecret(req.get('authorization'), secret[0]) ? 'current' : 'former',
      },
      'content webhook',
    );
    res.json({ purged });
  });
  return router;
}

type ChangingSite = Pick<
  Site,
  'contentChanges' | 'invalidation' | 'media' | 'fileVersions' | 'images' | 'mediaAddress' | 'purges'
>;

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
    const areDeleted = event.event === 'media.delete';
    const changedAt = areDeleted ? null : (event.media?.updatedAt ?? null);
    // No page shows a new file yet, but one may have been asked for before it came, and another may have had its address.
    const isNew = event.event === 'media.create';
    const known = isNew ? files.filter(site.fileVersions.isKnown) : files;
    const tags = known.map(file => site.fileVersions.tagOfChange(file, changedAt));
    // The event is noted first: what is fetched from now on is of after it.
    if (areDeleted) site.invalidation.remove([...tags, MANY_FILES_TAG]);
    else if (tags.length > 0) site.invalidation.invalidate([...tags, MANY_FILES_TAG]);
    site.purges.share({ kind: 'files', paths: files, areDeleted });
    await forgetFiles(site, files, areDeleted);
    return tags.map(tag => parseTag(tag).name);
  }
  const change = changeOf(event);
  if (!change) return [];
  site.contentChanges.noteRemoval(change);
  return site.contentChanges.apply(change);
}

/** Tells other replicas of an event that has been shared as a whole, for their logs and for the time of the last event. */
function shareEvent(
  { config, purges }: Pick<Site, 'config' | 'purges'>,
  event: ContentEvent | 'unknown',
  host: string | null,
): void {
  const change = event === 'unknown' ? null : changeOf(event);
  purges.share({
    kind: 'backend-called',
    event: {
      ...{ event: event === 'unknown' ? event : event.event, host, at: new Date().toISOString() },
      ...{ type: change?.type ?? null, ids: [...(change?.ids ?? [])] },
      by: config.replicaId ?? os.hostname(),
    },
  });
}

/** Tells the sweeps of all replicas of a change that is applied now. */
function noteHeard(
  { contentSweep, purges }: Pick<Site, 'contentSweep' | 'purges'>,
  event: ContentEvent | 'unknown',
): void {
  const change = event === 'unknown' ? null : changeOf(event);
  if (event === 'unknown' || !change?.isOfType) return;
  const { updatedAt = null, publishedAt = null } = event.entry ?? {};
  const { type, ids, slug, isRemoval } = change;
  const row = { ids: [...ids], slug, updatedAt, publishedAt };
  contentSweep.heard(type, row, isRemoval);
  purges.share({ kind: 'heard', type, row, isRemoval });
}

/**
 * Notes the event.
 *
 * @returns the event, with the site's own name of its model: a CMS may have another one for a type. The entry tells, if pages show it.
 */
function withKnownModel(
  { invalidation, webhookOutcomes }: Pick<Site, 'invalidation' | 'webhookOutcomes'>,
  event: ContentEvent,
  host: string | null,
): ContentEvent {
  const { model, entry } = event;
  if (!event.event.startsWith('entry.') || model === undefined || tagOfModel(model)) {
    webhookOutcomes.accepted(host);
    return event;
  }
  // Only a `documentId` is unique: entries of two types may have the same `id`.
  const id = entry?.documentId;
  const isShown = (path: string) =>
    id !== undefined && invalidation.versionsOf(tagNames.entry(path, String(id))).size > 0;
  const [expected, type] = namedTypes.find(([, { path }]) => isShown(path)) ?? [];
  webhookOutcomes.unknownModel(host, model, expected && type ? { type: type.path, expected } : null);
  return expected ? { ...event, model: expected } : event;
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
  // `publishedAt: null` means a draft. Types without drafts leave the field out, or set it. Strapi 4 also sends null for the entry that was
  // unpublished, because an event has the new state.
  if (entry.publishedAt === null && event !== 'entry.unpublish') return null;
  const type = tagOfModel(model);
  if (!type) return null;
  const ids = [entry.documentId, entry.id].filter(value => value !== undefined).map(String);
  const isRemoval = event === 'entry.unpublish' || event === 'entry.delete';
  return { type, ids, slug: entry.slug ?? null, isRemoval, isOfType: isServedModel(model) };
}
