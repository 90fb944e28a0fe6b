import type { Invalidation } from '../cache/invalidation.ts';
import { isBelow, parseTag, versionedTag } from '../cache/tags.ts';
import type { Logger } from '../ops/log.ts';
import { inSlices, type Steps } from '../ops/turns.ts';
import type { ContentSource } from './collecting-reader.ts';
import { LOOKED_UP, SELECTED_LISTS, tagNames } from './content-tags.ts';
import { servedType } from './described-types.ts';
import {
  type AffectedSelection,
  affectedSelections,
  selectionsShowing,
} from './lists/affected-selections.ts';
import { mayMove } from './lists/list-moves.ts';
import type { Publication } from './lists/publication.ts';
import type { RenewedContent } from './stored-content.ts';

/** A change of an entry, as the backend reports it. */
export interface ContentChange {
  /** The path of the type, such as `articles`. */
  type: string;
  /** The entry's keys, the one that content uses first. */
  ids: readonly string[];
  /** The entry's slug after the change; null where it has none or the event does not contain it. */
  slug: string | null;
  /** Whether the entry was unpublished or deleted. */
  isRemoval: boolean;
  /** Whether the entry is of the type itself. It may be of a type that is shown only inside another, such as a country of the landing page. */
  isOfType: boolean;
}

export interface ContentChanges {
  /** Notes that the backend has reported a removal, before it is applied: other changes that are applied first must not take it for a loss. */
  noteRemoval(change: ContentChange): void;
  /**
   * Invalidates what a change concerns, and nothing else: loads the changed content again, and compares it with what pages were made from.
   * Where that is not possible, everything that shows the type is invalidated.
   *
   * @returns the names of the tags that were invalidated, by this change and by others that were applied together with it.
   */
  apply(change: ContentChange): Promise<readonly string[]>;
}

export interface ContentChangesOptions {
  content: Pick<ContentSource, 'cache' | 'ask'>;
  /** @returns the month in which the article of a row is shown. Without it events renew no periods. */
  monthOf?: Publication['monthOf'];
  invalidation: Invalidation;
  /** Called when the removal of an entry is reported, before it is applied. @param id the entry's key that content uses first. */
  onRemoval?: (type: string, id: string) => void;
  log: Logger;
  /** Resolves when other processes know of the invalidations so far, or cannot be told for now. */
  invalidationsShared?: () => Promise<unknown>;
  /** The longest wait for the changed content, in ms. The backend waits for the answer to its event. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
/** The character that begins the name of a list (`articles@guides.1`). */
const LIST_LEVEL = '@';
/** The character that begins the name of one list of a selection (`articles@.tag.7.1`). */
const SELECTED_LEVEL = '.';
/** Most lists of a group that are compared for one change. Beyond it the whole group is invalidated. */
const MAX_COMPARED_LISTS = 16;
/** Most pairs of neighbours of a category that are compared for one change. There may be as many as articles, and each costs two calls. */
const MAX_COMPARED_AROUND = 4;
/** The type whose entries select the entries of a list, and the type of these entries. */
const LISTING = 'categories';
const LISTED = 'articles';
/** Most entries of a list whose versions are noted even if they are as before. The notes are for pages on disk. */
const MAX_NOTED = 1_000;
/** The parts of an entry by which lists choose and show it. */
const LISTED_PARTS = ['card', 'tags'];
/** A version that no content has. */
const UNKNOWN_VERSION = '?';

/** A change that waits, and the selections whose lists have shown its entry when it came. */
interface WaitingChange extends ContentChange {
  readonly shownIn: readonly string[];
}

/** Changes that are applied together. */
interface Batch {
  readonly changes: WaitingChange[];
  /** The names that have been invalidated. */
  readonly invalidated: Set<string>;
  readonly applied: Promise<readonly string[]>;
}

/**
 * @returns the application of changes. What a change puts in doubt is invalidated at once. Then the content is compared, for one batch of a type and its
 *   lists at a time: a comparison with content that was loaded earlier must not end later. Changes that wait are one batch.
 */
export function createContentChanges({
  content,
  monthOf = () => null,
  invalidation,
  onRemoval = () => {},
  log,
  invalidationsShared = async () => {},
  timeoutMs = TIMEOUT_MS,
}: ContentChangesOptions): ContentChanges {
  const queues = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Batch>();

  /** Invalidates what is in doubt after a change, before anything is loaded. Loads that are in flight are outdated. */
  function doubt({ type, ids, slug, isRemoval }: ContentChange, invalidated: Set<string>): void {
    const entries = ids.map(id => tagNames.entry(type, id));
    if (isRemoval) {
      invalidation.remove(entries);
      for (const name of entries) invalidated.add(name);
    }
    // The content that decides about the change.
    invalidation.invalidate([tagNames.whole(type), tagNames.slugs(type)]);
    invalidate([tagNames.any(type)], invalidated);
    if (slug !== null) invalidate([tagNames.slug(type, slug)], invalidated);
    if (!isRemoval) {
      invalidation.invalidate(entries.map(name => versionedTag(name, UNKNOWN_VERSION)));
      invalidation.invalidateInFront(entries);
    }
  }

  async function applyAll({ changes, invalidated }: Batch): Promise<readonly string[]> {
    for (const [type, ofType] of Map.groupBy(changes, change => change.type)) {
      try {
        await compare(type, ofType, invalidated);
      } catch (error) {
        log.warn(
          { err: error, type, ids: ofType.map(({ ids: [id] }) => id) },
          'content webhook: the changed content could not be loaded, so everything that shows its type is invalidated',
        );
        invalidate([type], invalidated);
      }
    }
    return [...invalidated];
  }

  async function compare(
    type: string,
    changes: readonly WaitingChange[],
    invalidated: Set<string>,
  ): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    if (!LOOKED_UP.includes(type)) {
      const whole = await renew([tagNames.whole(type)], signal);
      const announced = await announce(whole, invalidated);
      if (whole.length === 0) invalidate([type], invalidated);
      // The backend selects the lists of articles by the slugs of categories.
      const areLinksNew = whole.length === 0 || announced.get(tagNames.part(type, null, 'links')) === true;
      if (type === LISTING && areLinksNew) await compareLists(LISTED, [], signal, invalidated);
      return;
    }
    const entriesOf = ({ ids }: ContentChange) => ids.map(id => tagNames.entry(type, id));
    const edits = changes.filter(({ isRemoval }) => !isRemoval);
    const announced = await announce(await renew(edits.flatMap(entriesOf), signal), invalidated);
    const isListed = (name: string) => LISTED_PARTS.some(part => announced.get(`${name}.${part}`) === true);
    const listed = changes.filter(change => {
      if (change.isRemoval) return true;
      const entries = entriesOf(change);
      const isKnown = entries.some(name => announced.has(name));
      // Without its slug nothing tells which stored 404 an entry ends that was not known.
      if (!isKnown) invalidate(change.slug === null ? [type] : entries, invalidated);
      return !isKnown || entries.some(isListed) || isOrderHidden(type, change.ids);
    });
    if (listed.length === 0) return;
    const ask = (call: string) => content.ask(call, signal);
    const selections = type === LISTED ? await affectedSelections(listed, ask, monthOf) : [];
    await compareLists(type, selections, signal, invalidated);
  }

  /** @returns whether an entry may have another place in a list although its fields are as before. */
  function isOrderHidden(type: string, ids: readonly string[]): boolean {
    // No page shows the field `order`, so no version of the entry has it.
    if ('order' in (servedType(type)?.fields ?? {})) return true;
    if (content.cache.count(tagNames.published(type)) > 0) return true;
    // An entry with two keys has a row id that changes, and is known by the other key.
    return ids.length > 1 && mayMove(content.cache.values(tagNames.lists(type)), ids);
  }

  /**
   * Loads the lists of a type again that a change may concern, and invalidates those whose entries or order have changed. A group of too
   * many lists is invalidated as a whole.
   */
  async function compareLists(
    type: string,
    selections: readonly AffectedSelection[],
    signal: AbortSignal,
    invalidated: Set<string>,
  ): Promise<void> {
    const groups = [tagNames.lists(type), ...selections.map(({ group }) => group)];
    const mostOf = (group: string) =>
      isBelow(group, tagNames.around(type)) ? MAX_COMPARED_AROUND : MAX_COMPARED_LISTS;
    const isLong = (group: string) => content.cache.count(group) > mostOf(group);
    const [long, compared] = [groups.filter(isLong), groups.filter(group => !isLong(group))];
    invalidate(long, invalidated);
    invalidation.invalidateContent(compared);
    const renewed = await renew(compared, signal);
    await announce(renewed, invalidated);
    const decided = renewed.flatMap(({ entry }) => entry.value.decides);
    // Pages may show a list that is no longer in memory.
    const others = long.includes(tagNames.lists(type))
      ? []
      : invalidation.invalidateOthers(type, LIST_LEVEL, [...decided, ...SELECTED_LISTS]);
    const selected = selections
      .filter(({ group }) => !long.includes(group))
      .flatMap(({ lists }) => lists)
      .flatMap(list => invalidation.invalidateOthers(list, SELECTED_LEVEL, decided));
    for (const name of [...others, ...selected]) invalidated.add(name);
  }

  async function renew(names: readonly string[], signal: AbortSignal): Promise<readonly RenewedContent[]> {
    // Content that is loaded from here on is known to be newer than the invalidation, so that other processes may use it.
    await invalidationsShared();
    const options = { ask: content.ask, signal, onEvent: () => {} };
    return content.cache.renew(names, options);
  }

  /**
   * Makes everything stale that was made from other versions than those of the renewed content.
   *
   * @returns the names that the content decides, and whether their versions are new to some value in memory.
   */
  function* announcement(
    renewed: readonly RenewedContent[],
    invalidated: Set<string>,
  ): Steps<ReadonlyMap<string, boolean>> {
    const announced = new Map<string, boolean>();
    const unchanged: string[] = [];
    const renewedNames: string[] = [];
    for (const { before, entry } of renewed) {
      const { decides, parts } = entry.value;
      const known = before.value.parts;
      const decided: string[] = [];
      for (const tag of concat(entry.tags, parts.values())) {
        yield;
        const { name, version } = parseTag(tag);
        const isDecided = version !== null && decides.some(top => name === top || isBelow(name, top));
        if (!isDecided) continue;
        const isAsBefore = parts.has(name) ? known.get(name) === tag : before.tags.includes(tag);
        const isNew = !isAsBefore || [...invalidation.versionsOf(name)].some(other => other !== version);
        announced.set(name, isNew);
        if (isNew) {
          invalidated.add(name);
          renewedNames.push(name);
        }
        if (isNew || parts.size <= MAX_NOTED || !parts.has(name)) decided.push(tag);
        else unchanged.push(tag);
      }
      invalidation.invalidate(decided);
      if (renewedNames.length > 0) invalidation.invalidateInFront(renewedNames.splice(0));
      // Another process may have pages of an older version.
      if (unchanged.length > 0) invalidation.invalidateElsewhere(unchanged.splice(0));
    }
    return announced;
  }

  const announce = (renewed: readonly RenewedContent[], invalidated: Set<string>) =>
    inSlices(announcement(renewed, invalidated));

  function invalidate(names: readonly string[], invalidated: Set<string>): void {
    invalidation.invalidate(names);
    for (const name of names) invalidated.add(name);
  }

  function noteRemoval({ type, ids: [id], isRemoval, isOfType }: ContentChange): void {
    if (isRemoval && isOfType && id !== undefined) onRemoval(type, id);
  }

  function begin(queue: string): Batch {
    const before = queues.get(queue) ?? Promise.resolve();
    const applied = before.then(() => {
      waiting.delete(queue);
      return applyAll(batch);
    });
    const batch: Batch = { changes: [], invalidated: new Set(), applied };
    waiting.set(queue, batch);
    queues.set(queue, applied);
    return batch;
  }

  return {
    noteRemoval,
    apply(change) {
      const queue = change.type === LISTING ? LISTED : change.type;
      const batch = waiting.get(queue) ?? begin(queue);
      const shownIn = change.type === LISTED ? selectionsShowing(change.ids, content.cache) : [];
      batch.changes.push({ ...change, shownIn });
      doubt(change, batch.invalidated);
      return batch.applied;
    },
  };
}

function* concat<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}
