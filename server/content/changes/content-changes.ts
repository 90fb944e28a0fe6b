import { siteTypes } from '../../../site/types.ts';
import type { Invalidation } from '../../cache/tags/invalidation.ts';
import { isBelow, parseTag, versionedTag } from '../../cache/tags/tags.ts';
import type { Logger } from '../../ops/log.ts';
import { inSlices, type Steps } from '../../ops/slices.ts';
import { servedType } from '../../wire/described-types.ts';
import type { ContentSource } from '../reading/collecting-reader.ts';
import type { RenewedContent } from '../store/stored-content.ts';
import { SELECTED_LISTS } from '../tags/article-tags.ts';
import { LOOKED_UP, tagNames } from '../tags/content-tags.ts';
import { type AffectedSelection, type ListedChange, selectionsShowing } from './affected-selections.ts';

export interface ContentChange {
  type: string;
  /** The ids of the entry, such as `documentId` and the row's `id`. Tags contain the first. */
  ids: readonly string[];
  slug: string | null;
  isRemoval: boolean;
  /** False for a type that is only a part of another type, such as a country of the landing page. */
  isOfType: boolean;
}

interface ContentChangesOptions {
  content: Pick<ContentSource, 'cache' | 'ask'> & {
    readonly api: Pick<ContentSource['api'], 'affectedSelections'>;
  };
  invalidation: Invalidation;
  log: Logger;
  /** Resolves when other processes know all invalidations so far, or are unreachable. */
  invalidationsShared?: () => Promise<unknown>;
  /** The longest wait for changed content, in ms. The backend waits for the response to its webhook. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
/** The separator before a list in the name of a tag (`articles@guides.1`). */
const LIST_LEVEL = '@';
/** The separator between a selection and its list (`.1` in `articles@.tag.7.1`). */
const SELECTED_LEVEL = '.';
/** Limit for the lists of a group. Above it, the whole group is invalidated without a comparison. */
const MAX_COMPARED_LISTS = 16;
/** The same limit for neighbours in a category. Comparing the neighbours of one article costs two calls. */
const MAX_COMPARED_AROUND = 4;
const LISTING = siteTypes.category.path;
const LISTED = siteTypes.article.path;
/** In a list of up to this many entries, unchanged versions are noted, too: pages on disk may be older. */
const MAX_NOTED = 1_000;
const LISTED_PARTS = ['card', 'tags'];
const UNKNOWN_VERSION = '?';

type WaitingChange = ContentChange & ListedChange;

interface Batch {
  readonly changes: WaitingChange[];
  readonly invalidated: Set<string>;
  readonly applied: Promise<readonly string[]>;
}

/** Applies changes of content, one batch of a type at a time: two could store the older content last. */
export class ContentChanges {
  readonly #options: Required<ContentChangesOptions>;
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, Batch>();

  constructor(options: ContentChangesOptions) {
    this.#options = { invalidationsShared: async () => {}, timeoutMs: TIMEOUT_MS, ...options };
  }

  /**
   * Compares changed content with the content that pages were made from, and invalidates differences. If
   * content cannot be loaded, the whole content type is invalidated.
   * @returns the names of the invalidated tags, including those of other changes in the batch.
   */
  apply(change: ContentChange): Promise<readonly string[]> {
    const queue = change.type === LISTING ? LISTED : change.type;
    const batch = this.#waiting.get(queue) ?? this.#begin(queue);
    const shownIn = change.type === LISTED ? selectionsShowing(change.ids, this.#options.content.cache) : [];
    batch.changes.push({ ...change, shownIn });
    this.#doubt(change, batch.invalidated);
    return batch.applied;
  }

  /** Invalidates all that may have changed, before content is loaded. Loads in flight become outdated. */
  #doubt({ type, ids, slug, isRemoval }: ContentChange, invalidated: Set<string>): void {
    const entries = ids.map(id => tagNames.entry(type, id));
    if (isRemoval) {
      this.#options.invalidation.remove(entries);
      for (const name of entries) invalidated.add(name);
    }
    // Invalidate content made of all entries or all slugs, because it has to be loaded again.
    this.#options.invalidation.invalidate([tagNames.whole(type), tagNames.slugs(type)]);
    this.#invalidate([tagNames.any(type)], invalidated);
    if (slug !== null) this.#invalidate([tagNames.slug(type, slug)], invalidated);
    if (!isRemoval) {
      this.#options.invalidation.invalidate(entries.map(name => versionedTag(name, UNKNOWN_VERSION)));
      this.#options.invalidation.invalidateInFront(entries);
    }
  }

  async #applyAll({ changes, invalidated }: Batch): Promise<readonly string[]> {
    for (const [type, ofType] of Map.groupBy(changes, change => change.type)) {
      try {
        await this.#compare(type, ofType, invalidated);
      } catch (error) {
        this.#options.log.warn(
          { code: 'content-change-not-loaded', err: error, type, ids: ofType.map(({ ids: [id] }) => id) },
          'content: the changed content could not be loaded, so its whole type is invalidated',
        );
        this.#invalidate([type], invalidated);
      }
    }
    return [...invalidated];
  }

  async #compare(type: string, changes: readonly WaitingChange[], invalidated: Set<string>): Promise<void> {
    const signal = AbortSignal.timeout(this.#options.timeoutMs);
    if (!LOOKED_UP.includes(type)) {
      const whole = await this.#renew([tagNames.whole(type)], signal);
      const announced = await this.#announce(whole, invalidated);
      if (whole.length === 0) this.#invalidate([type], invalidated);
      // Compare lists of articles if a category's slug or name is new, because the backend selects by slug.
      const areLinksNew = whole.length === 0 || announced.get(tagNames.part(type, null, 'links')) === true;
      if (type === LISTING && areLinksNew) await this.#compareLists(LISTED, [], signal, invalidated);
      return;
    }
    const entriesOf = ({ ids }: ContentChange) => ids.map(id => tagNames.entry(type, id));
    const edits = changes.filter(({ isRemoval }) => !isRemoval);
    const announced = await this.#announce(await this.#renew(edits.flatMap(entriesOf), signal), invalidated);
    const isListed = (name: string) => LISTED_PARTS.some(part => announced.get(`${name}.${part}`) === true);
    const listed = changes.filter(change => {
      if (change.isRemoval) return true;
      const entries = entriesOf(change);
      const isKnown = entries.some(name => announced.has(name));
      // Invalidate an entry that memory lacks, or its type if it has no slug: pages on disk may show it.
      if (!isKnown) this.#invalidate(change.slug === null ? [type] : entries, invalidated);
      return !isKnown || entries.some(isListed) || this.#isOrderHidden(type, change.ids);
    });
    if (listed.length === 0) return;
    const ask = (call: string) => this.#options.content.ask(call, signal);
    const selections = type === LISTED ? await this.#options.content.api.affectedSelections(listed, ask) : [];
    await this.#compareLists(type, selections, signal, invalidated);
  }

  #isOrderHidden(type: string, ids: readonly string[]): boolean {
    // Compare lists of a type with `order`, because no version of an entry contains this field.
    if ('order' in (servedType(type)?.fields ?? {})) return true;
    if (this.#options.content.cache.count(tagNames.published(type)) > 0) return true;
    // An entry with two ids (Strapi 5) gets a new row id at each publish, which may move it in lists.
    return ids.length > 1 && mayMove(this.#options.content.cache.values(tagNames.lists(type)), ids);
  }

  async #compareLists(
    type: string,
    selections: readonly AffectedSelection[],
    signal: AbortSignal,
    invalidated: Set<string>,
  ): Promise<void> {
    const groups = [tagNames.lists(type), ...selections.map(({ group }) => group)];
    const mostOf = (group: string) =>
      isBelow(group, tagNames.around(type)) ? MAX_COMPARED_AROUND : MAX_COMPARED_LISTS;
    const isLong = (group: string) => this.#options.content.cache.count(group) > mostOf(group);
    const [long, compared] = [groups.filter(isLong), groups.filter(group => !isLong(group))];
    this.#invalidate(long, invalidated);
    this.#options.invalidation.invalidateContent(compared);
    const renewed = await this.#renew(compared, signal);
    await this.#announce(renewed, invalidated);
    const decided = renewed.flatMap(({ entry }) => entry.value.decides);
    // Invalidate all other lists, too, because pages may show lists that memory has evicted.
    const others = long.includes(tagNames.lists(type))
      ? []
      : this.#options.invalidation.invalidateOthers(type, LIST_LEVEL, [...decided, ...SELECTED_LISTS]);
    const selected = selections
      .filter(({ group }) => !long.includes(group))
      .flatMap(({ lists }) => lists)
      .flatMap(list => this.#options.invalidation.invalidateOthers(list, SELECTED_LEVEL, decided));
    for (const name of [...others, ...selected]) invalidated.add(name);
  }

  async #renew(names: readonly string[], signal: AbortSignal): Promise<readonly RenewedContent[]> {
    // Load only when other processes know the invalidations, so that they can use the loaded content.
    await this.#options.invalidationsShared();
    return this.#options.content.cache.renew(names, { ask: this.#options.content.ask, signal });
  }

  /**
   * Makes other versions of the content stale. @returns for each compared name whether its version is new.
   */
  *#announcement(
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
      // Changed dates invalidate pages even if the content is equal.
      const hasOtherDates = before.value.dates.endsAt !== entry.value.dates.endsAt;
      for (const tag of concat(entry.tags, parts.values())) {
        yield;
        const { name, version } = parseTag(tag);
        const isDecided = version !== null && decides.some(top => name === top || isBelow(name, top));
        if (!isDecided) continue;
        const isAsBefore = parts.has(name) ? known.get(name) === tag : before.tags.includes(tag);
        const isNew =
          hasOtherDates ||
          !isAsBefore ||
          [...this.#options.invalidation.versionsOf(name)].some(other => other !== version);
        announced.set(name, isNew);
        if (isNew) {
          invalidated.add(name);
          renewedNames.push(name);
        }
        if (hasOtherDates) decided.push(name);
        else if (isNew || parts.size <= MAX_NOTED || !parts.has(name)) decided.push(tag);
        else unchanged.push(tag);
      }
      this.#options.invalidation.invalidate(decided);
      if (renewedNames.length > 0) this.#options.invalidation.invalidateInFront(renewedNames.splice(0));
      // Tell other processes, which may have pages of an older version.
      if (unchanged.length > 0) this.#options.invalidation.invalidateElsewhere(unchanged.splice(0));
    }
    return announced;
  }

  #announce(
    renewed: readonly RenewedContent[],
    invalidated: Set<string>,
  ): Promise<ReadonlyMap<string, boolean>> {
    return inSlices(this.#announcement(renewed, invalidated));
  }

  #invalidate(names: readonly string[], invalidated: Set<string>): void {
    this.#options.invalidation.invalidate(names);
    for (const name of names) invalidated.add(name);
  }

  #begin(queue: string): Batch {
    const before = this.#queues.get(queue) ?? Promise.resolve();
    const applied = before.then(() => {
      this.#waiting.delete(queue);
      return this.#applyAll(batch);
    });
    const batch: Batch = { changes: [], invalidated: new Set(), applied };
    this.#waiting.set(queue, batch);
    this.#queues.set(queue, applied);
    return batch;
  }
}

function* concat<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}

interface CachedList {
  readonly items: readonly { readonly id: string; readonly date: string }[];
  readonly page?: number;
  readonly pageCount?: number;
}

/**
 * Whether an entry's place may change without a change of its fields. Articles of the same date are sorted by
 * row id, which Strapi 5 renews at each publish.
 * @returns true if the article shares its date, is at a page's edge, or is in no cached list.
 */
function mayMove(lists: readonly unknown[], ids: readonly string[]): boolean {
  const cached = lists.flatMap(list => asList(list) ?? []);
  const articles = cached.flatMap(({ items }) => items);
  const own = articles.find(({ id }) => ids.includes(id));
  if (!own) return true;
  if (articles.some(({ id, date }) => date === own.date && !ids.includes(id))) return true;
  return cached.some(
    ({ items, page = 1, pageCount = 1 }) =>
      (page > 1 && items[0]?.id === own.id) || (page < pageCount && items.at(-1)?.id === own.id),
  );
}

function asList(value: unknown): CachedList | null {
  return typeof value === 'object' && value !== null && 'items' in value ? (value as CachedList) : null;
}
