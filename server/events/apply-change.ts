import type { MediaPolicy } from '../addresses/safe-address.ts';
import type { Breaker } from '../backend/breaker.ts';
import type { Invalidation } from '../cache/tags/invalidation.ts';
import { EVERYTHING } from '../cache/tags/invalidation-log.ts';
import type { LogPosition } from '../cache/tags/log-position.ts';
import { parseTag } from '../cache/tags/tags.ts';
import type { ContentChange, ContentChanges } from '../content/changes/content-changes.ts';
import type { LossGuard } from '../content/changes/loss-guard.ts';
import type { SweepMemory } from '../content/changes/sweep-memory.ts';
import type { ContentSource } from '../content/reading/collecting-reader.ts';
import { tagNames } from '../content/tags/content-tags.ts';
import { MANY_FILES_TAG } from '../content/tags/media-tags.ts';
import type { FileVersions } from '../media/file-versions.ts';
import type { MediaOrigins } from '../media/media-origins.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { ImageRenditions } from '../media/renditions/image-renditions.ts';
import type { Logger } from '../ops/log.ts';
import { namedTypes, tagOfModel } from '../wire/described-types.ts';
import { type ContentEvent, changedFiles, changeOf } from './content-event.ts';
import type { SharedEvent } from './shared-event.ts';
import type { BackendCall, WebhookOutcomes } from './webhook-outcomes.ts';

/** Limit for events applied one by one. More events, as after a Git checkout, make everything stale. */
const MAX_SINGLE_EVENTS = 20;

const COMMAND_TIMEOUT_MS = 10_000;

/** The source of a change. `replica`: another replica has shared the change in the log. */
export type Door = 'webhook' | 'folder' | 'sweep' | 'operator' | 'replica';

/** A change of the content, or an operator's decision about it, in the format of its source. */
export type Change =
  /** Events of the CMS; `unknown` for one in an unknown format. */
  | {
      readonly kind: 'events';
      readonly events: readonly (ContentEvent | 'unknown')[];
      readonly call: BackendCall;
    }
  /**
   * Differences found by a sweep.
   * @property rows the changed rows; null if there are too many.
   * @property isMissed whether events should have reported them.
   */
  | {
      readonly kind: 'rows';
      readonly type: string;
      readonly rows: readonly ContentChange[] | null;
      readonly isMissed: boolean;
    }
  /** An operator invalidates a tag; `*` stands for everything. */
  | Extract<SharedEvent, { kind: 'ops-purge' }>
  /** An operator accepts the loss of a type's entries, or has them restored. */
  | Extract<SharedEvent, { kind: 'loss-accepted' | 'loss-restored' }>
  | Extract<SharedEvent, { kind: 'swept' }>
  /** An effect from another replica, with its position in the shared log. */
  | { readonly kind: 'shared'; readonly event: SharedEvent; readonly position: LogPosition };

interface Applied {
  readonly tags: readonly string[];
  readonly restored?: number;
}

const NOTHING: Applied = { tags: [] };

export type ApplyChange = (change: Change, from: Door) => Promise<Applied>;

export interface ChangeParts {
  readonly content: {
    readonly api: Pick<ContentSource['api'], 'forgetMissingFields'>;
    readonly cache: Pick<ContentSource['cache'], 'restore'>;
  };
  readonly contentChanges: Pick<ContentChanges, 'apply'>;
  readonly sweepMemory: Pick<SweepMemory, 'received' | 'swept'>;
  readonly losses: Pick<LossGuard, 'noteRemoval' | 'accept' | 'acceptAsOthers' | 'reopen'>;
  readonly invalidation: Pick<Invalidation, 'invalidate' | 'remove' | 'carryOut' | 'versionsOf'>;
  readonly media: Pick<MediaStore, 'changed' | 'remove'>;
  readonly images: Pick<ImageRenditions, 'remove'>;
  readonly fileVersions: Pick<FileVersions, 'isKnown' | 'tagOfChange'>;
  readonly mediaAddress: MediaPolicy['mediaAddress'];
  readonly backendBreaker: Pick<Breaker, 'reset'>;
  readonly mediaOrigins: Pick<MediaOrigins, 'reset'>;
  readonly webhookOutcomes: Pick<
    WebhookOutcomes,
    'accepted' | 'unknownModel' | 'acceptedElsewhere' | 'missed'
  >;
  readonly refresh: () => void;
  readonly retryFailed: (signal: AbortSignal) => Promise<void>;
  readonly share: (event: SharedEvent) => void;
  readonly leads: () => boolean;
  readonly replica: string;
  readonly log: Logger;
}

/** Applies a change from any source. All effects of changes are listed here. */
export async function applyChange(parts: ChangeParts, change: Change, from: Door): Promise<Applied> {
  switch (change.kind) {
    case 'events':
      return applyEvents(parts, change, from);
    case 'rows':
      return applyRows(parts, change);
    case 'ops-purge':
      parts.invalidation.invalidate([change.tag]);
      parts.share(change);
      return { tags: [change.tag] };
    case 'loss-accepted':
      if (!parts.losses.accept(change.type, 'operator')) return NOTHING;
      parts.share(change);
      return loadAgain(parts, change.type);
    case 'loss-restored': {
      parts.share(change);
      const restored = await restore(parts, change.type);
      return restored === 0 ? NOTHING : { ...(await loadAgain(parts, change.type)), restored };
    }
    case 'swept':
      if (parts.leads()) parts.share(change);
      return NOTHING;
    case 'shared':
      await takeEffect(parts, change.event, change.position);
      return NOTHING;
  }
}

function haveEffect(parts: ChangeParts, effect: SharedEvent): Promise<void> {
  parts.share(effect);
  return takeEffect(parts, effect);
}

/** Applies a change's effects to this process. @param position the effect's position in the shared log. */
async function takeEffect(parts: ChangeParts, effect: SharedEvent, position?: LogPosition): Promise<void> {
  switch (effect.kind) {
    case 'operation':
      if (position !== undefined) parts.invalidation.carryOut(effect.operation, position);
      return;
    case 'backend-called':
      // Close the breaker: the call shows that the backend works. The types may have new fields.
      parts.backendBreaker.reset();
      parts.mediaOrigins.reset();
      parts.content.api.forgetMissingFields();
      if (effect.event) parts.webhookOutcomes.acceptedElsewhere(effect.event);
      return;
    case 'heard':
      return parts.sweepMemory.received(effect.type, effect.row, effect.isRemoval);
    case 'removal':
      return parts.losses.noteRemoval(effect.type, effect.id);
    case 'files':
      return forgetFiles(parts, effect.paths, effect.areDeleted);
    case 'refresh':
      return parts.refresh();
    case 'swept':
      return parts.sweepMemory.swept(effect.type, effect.state);
    case 'ops-purge':
      parts.log.info(
        { code: 'cache-invalidated-elsewhere', tag: effect.tag, by: effect.by },
        'cache: an operator has invalidated a tag through another replica',
      );
      return;
    case 'loss-accepted':
      return parts.losses.acceptAsOthers(effect.type);
    case 'loss-restored':
      await restore(parts, effect.type);
  }
}

async function applyEvents(
  parts: ChangeParts,
  { events, call }: Extract<Change, { kind: 'events' }>,
  from: Door,
): Promise<Applied> {
  const isCall = from === 'webhook';
  if (isCall) await haveEffect(parts, { kind: 'backend-called' });
  const known = isCall ? events.map(event => withKnownModel(parts, event, call)) : events;
  // Report removals first, so that the loss guard does not count them as losses.
  for (const event of known) await noteEvent(parts, event);
  const tags = new Set<string>();
  for (const event of known.length > MAX_SINGLE_EVENTS ? (['unknown'] as const) : known)
    for (const tag of await invalidateFor(parts, event)) tags.add(tag);
  await haveEffect(parts, { kind: 'refresh' });
  if (isCall) for (const event of known) shareEvent(parts, event, call);
  return { tags: [...tags] };
}

async function noteEvent(parts: ChangeParts, event: ContentEvent | 'unknown'): Promise<void> {
  const change = event === 'unknown' ? null : changeOf(event);
  if (event === 'unknown' || !change?.isOfType) return;
  const { updatedAt = null, publishedAt = null } = event.entry ?? {};
  const { type, ids, slug, isRemoval } = change;
  const row = { ids: [...ids], slug, updatedAt, publishedAt };
  await haveEffect(parts, { kind: 'heard', type, row, isRemoval });
  const [id] = ids;
  if (isRemoval && id !== undefined) await haveEffect(parts, { kind: 'removal', type, id });
}

async function invalidateFor(
  parts: ChangeParts,
  event: ContentEvent | 'unknown',
): Promise<readonly string[]> {
  const isMedia = event !== 'unknown' && event.event.startsWith('media.');
  const files = isMedia ? changedFiles(event, parts.mediaAddress) : null;
  if (event === 'unknown' || (isMedia && files === null)) {
    parts.invalidation.invalidate([EVERYTHING]);
    return [EVERYTHING];
  }
  if (files) return invalidateFiles(parts, event, files);
  const change = changeOf(event);
  return change ? parts.contentChanges.apply(change) : [];
}

async function invalidateFiles(
  parts: ChangeParts,
  { event, media }: ContentEvent,
  paths: string[],
): Promise<readonly string[]> {
  const { fileVersions, invalidation } = parts;
  const areDeleted = event === 'media.delete';
  const changedAt = areDeleted ? null : (media?.updatedAt ?? null);
  // Invalidate a new file too: it may have been requested early, or its address may have been used before.
  const known = event === 'media.create' ? paths.filter(path => fileVersions.isKnown(path)) : paths;
  const tags = known.map(path => fileVersions.tagOfChange(path, changedAt));
  // Record the invalidation before fetching: files that are fetched from here on are newer than the event.
  if (areDeleted) invalidation.remove([...tags, MANY_FILES_TAG]);
  else if (tags.length > 0) invalidation.invalidate([...tags, MANY_FILES_TAG]);
  await haveEffect(parts, { kind: 'files', paths, areDeleted });
  return tags.map(tag => parseTag(tag).name);
}

/** Shares the event, so that other replicas log it and its time. Its effects are shared separately. */
function shareEvent(parts: ChangeParts, event: ContentEvent | 'unknown', call: BackendCall): void {
  const change = event === 'unknown' ? null : changeOf(event);
  parts.share({
    kind: 'backend-called',
    event: {
      event: event === 'unknown' ? event : event.event,
      type: change?.type ?? null,
      ids: [...(change?.ids ?? [])],
      ...call,
      at: new Date().toISOString(),
      by: parts.replica,
    },
  });
}

/** Records the backend's call. @returns the event, with an unknown model's name replaced by the site's. */
function withKnownModel(
  { invalidation, webhookOutcomes }: Pick<ChangeParts, 'invalidation' | 'webhookOutcomes'>,
  event: ContentEvent | 'unknown',
  call: BackendCall,
): ContentEvent | 'unknown' {
  if (event === 'unknown') return event;
  const { model, entry } = event;
  if (!event.event.startsWith('entry.') || model === undefined || tagOfModel(model)) {
    webhookOutcomes.accepted(call);
    return event;
  }
  // Compare `documentId` only, because entries of two types may have the same `id`.
  const id = entry?.documentId;
  const isShown = (path: string) =>
    id !== undefined && invalidation.versionsOf(tagNames.entry(path, String(id))).size > 0;
  const [expected, type] = namedTypes.find(([, { path }]) => isShown(path)) ?? [];
  webhookOutcomes.unknownModel(call, model, expected && type ? { type: type.path, expected } : null);
  return expected ? { ...event, model: expected } : event;
}

/** Applies changes found by a sweep. Does not tell the loss guard of removals, which may be losses. */
async function applyRows(
  parts: ChangeParts,
  { type, rows, isMissed }: Extract<Change, { kind: 'rows' }>,
): Promise<Applied> {
  if (isMissed) parts.webhookOutcomes.missed(type);
  if (rows === null) parts.invalidation.invalidate([type]);
  const tags = rows && (await Promise.all(rows.map(row => parts.contentChanges.apply(row))));
  await haveEffect(parts, { kind: 'refresh' });
  return { tags: tags === null ? [type] : [...new Set(tags.flat())] };
}

async function loadAgain({ invalidation, retryFailed }: ChangeParts, type: string): Promise<Applied> {
  invalidation.invalidate([type]);
  await retryFailed(AbortSignal.timeout(COMMAND_TIMEOUT_MS));
  return { tags: [type] };
}

/**
 * Restores an emptied type's content that was removed within the last day. Entries that the backend has
 * again replace the restored ones. If this process has no removed content, the loss stays accepted.
 * @returns the number of restored cache entries.
 */
async function restore({ content, losses, log }: ChangeParts, type: string): Promise<number> {
  const acceptAgain = losses.reopen(type);
  const restored = await content.cache.restore(
    key => key === type || (/^[/?]/.test(key.slice(type.length)) && key.startsWith(type)),
  );
  if (restored === 0) acceptAgain();
  else log.warn({ code: 'content-restored', type, restored }, 'content type: removed content was restored');
  return restored;
}

/** Drops the state of changed files, and removes deleted files. Call it after recording the invalidation. */
async function forgetFiles(
  { media, images }: Pick<ChangeParts, 'media' | 'images'>,
  paths: readonly string[],
  areDeleted: boolean,
): Promise<void> {
  for (const path of paths) media.changed(path);
  if (areDeleted) await Promise.all(paths.flatMap(path => [media.remove(path), images.remove(path)]));
}
