import type { CacheEntry } from '../cache/entry-store.ts';
import type { Absence } from '../cache/kept-absences.ts';
import { parseTag, versionedTag } from '../cache/tags.ts';
import type { BackendError } from '../errors.ts';
import { emptyAnswer, isRefusal } from './answer-meaning.ts';
import type { ContentApi } from './content-api.ts';
import type { ContentCache, ReadOptions } from './content-cache.ts';
import { type ContentRequest, digestOf } from './content-request.ts';
import { isMediaTag, NEXT_DATE, tagNames, tagVersion } from './content-tags.ts';
import type { KnownSlugs } from './slugs/known-slugs.ts';
import type { ContentEntry, StoredContent } from './stored-content.ts';

export interface ContentSource {
  api: ContentApi;
  cache: ContentCache;
  /** Calls the backend. */
  ask: ReadOptions['ask'];
  /** Answers for the backend while many unknown slugs are asked for. Without it the backend is asked for each. */
  knownSlugs?: KnownSlugs;
}

/**
 * The role of content on a page. It decides what happens when the backend has never given the content:
 *
 * | role       | the backend refuses it (403) | the backend fails (5xx, no answer) |
 * |------------|------------------------------|------------------------------------|
 * | `made-of`  | the page is a 503            | the page is a 503                  |
 * | `used`     | the content counts as empty  | the page is a 503                  |
 * | `optional` | the content counts as empty  | the content counts as empty        |
 */
export type ContentRole = 'made-of' | 'used' | 'optional';

/** The names of tags of content that no page shows. */
const NEVER_SHOWN: readonly string[] = ['redirects', NEXT_DATE];

/** Content with its key and its tags. */
export interface LoadedContent<T extends object | null> {
  key: string;
  value: T;
  tags: readonly string[];
  /** Tags of single parts of the content, by their names. */
  parts: ReadonlyMap<string, string>;
}

/**
 * Reads content for one page: through the cache and under the page's signal. The reader collects the tags of all content that the page
 * reads, and reports the cache's events for the request. A second read of the same content gives the entry of the first, even if the cache
 * has a newer one by then.
 */
export abstract class CollectingReader {
  protected readonly source: ContentSource;
  protected readonly options: ReadOptions;
  readonly #tags = new Set<string>();
  /** The keys of content that was read as a whole. The tags of all other content have versions. */
  protected readonly wholes = new Set<string>();
  #endsAt: number | null = null;
  readonly #versions = new Map<string, string>();
  readonly #absences: Absence[] = [];
  #generatedAt = Number.POSITIVE_INFINITY;
  #isInvalidated = false;
  #servedStale = false;
  #isIncomplete = false;
  readonly #refusals = new Map<string, BackendError>();
  /** The reads of content by key, so that a page never shows one piece of content in two versions. */
  readonly #reads = new Map<string, Promise<CacheEntry<StoredContent>>>();
  /** Optional reads by key. They may end with a kept absence, where another read fails, so they have a map of their own. */
  readonly #optionalReads = new Map<string, Promise<CacheEntry<StoredContent>>>();

  constructor(source: ContentSource, { signal, onEvent }: Omit<ReadOptions, 'ask'>) {
    this.source = source;
    this.options = {
      ask: source.ask,
      signal,
      onEvent: event => {
        if (event.kind === 'stale') this.#servedStale = true;
        onEvent(event);
      },
    };
  }

  /** The tags of all content read so far, sorted: equal content gives equal tags, whatever the order of the reads. */
  get tags(): readonly string[] {
    return [...this.#tags].sort();
  }

  /**
   * A digest of the versions of all content read so far but the redirects. Equal digests mean that a page rendered from the content is equal,
   * too: redirects decide where an address leads, and no page shows them nor the next date.
   */
  get version(): string {
    const shown = this.tags.filter(tag => !NEVER_SHOWN.includes(parseTag(tag).name));
    const wholes = [...this.wholes]
      .filter(key => key !== 'redirects')
      .sort()
      .map(key => [key, this.#versions.get(key)]);
    return digestOf(JSON.stringify([shown, wholes]));
  }

  /** @returns the versions of the content under keys, read so far or cached, as one text. The text changes only when the content does. */
  versionOf(keys: readonly string[], from: 'read' | 'cached'): string {
    const { cache } = this.source;
    return keys
      .map(key => (from === 'read' ? this.#versions.get(key) : cache.peek(key)?.value.version) ?? '')
      .join(' ');
  }

  /** When the oldest content read so far was loaded, in ms since the epoch. */
  get generatedAt(): number {
    return this.#generatedAt;
  }

  /** When the content read so far changes without an event, in ms since the epoch; null if it never does. */
  get endsAt(): number | null {
    return this.#endsAt;
  }

  /** Notes that what the page shows changes at a moment without an event. @param at in ms since the epoch; null if it never does. */
  endAt(at: number | null): void {
    if (at !== null) this.#endsAt = Math.min(at, this.#endsAt ?? at);
  }

  /** Whether some of the content read so far was already invalidated when it was read. */
  get isInvalidated(): boolean {
    return this.#isInvalidated;
  }

  /** Whether some of the content read so far was served stale because the backend failed. */
  get servedStale(): boolean {
    return this.#servedStale;
  }

  /** The content read so far that does not exist. */
  get absences(): readonly Absence[] {
    return this.#absences;
  }

  /** Whether optional content could not be loaded, so that the page lacks a part for now. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  /** The errors of refused content that counts as empty, by the path of its type. */
  get refusals(): ReadonlyMap<string, BackendError> {
    return this.#refusals;
  }

  /** @param isUsed whether the page uses the part of the content that a tag names. Without it the page uses all of the content. */
  protected async read<T extends object | null>(
    request: ContentRequest<T>,
    role: ContentRole,
    isUsed: (name: string, value: T) => boolean = () => true,
  ): Promise<T> {
    const content = await this.load(request, role);
    this.use(content, name => isUsed(name, content.value));
    return content.value;
  }

  /**
   * Reads one entry of a complete list, or null.
   *
   * @param part the part of the entry that the page uses. Without it the page uses all of the entry. Without an entry it depends on the list
   *   of all: the entry may come.
   */
  protected async readEntry<T extends object, E extends { id: string }>(
    request: ContentRequest<T>,
    role: ContentRole,
    type: string,
    find: (value: T) => E | undefined,
    part?: string,
  ): Promise<E | null> {
    const content = await this.load(request, role);
    const entry = find(content.value) ?? null;
    const name = entry && (part ? tagNames.part(type, entry.id, part) : tagNames.entry(type, entry.id));
    const tag = name === null ? undefined : content.parts.get(name);
    if (tag !== undefined) this.addTags([tag]);
    else this.use(content, known => known === `${type}.all`);
    return entry;
  }

  /** Collects those tags of content that name the parts which the page uses. */
  protected use({ key, tags }: LoadedContent<object | null>, isUsed: (name: string) => boolean): void {
    let isVersioned = false;
    for (const tag of tags) {
      const { name, version } = parseTag(tag);
      if (!isUsed(name)) continue;
      isVersioned ||= version !== null;
      // Media files are found in the rendered page, which may show some of those in the content.
      if (!isMediaTag(tag)) this.#tags.add(tag);
    }
    // Content without versioned tags, such as an absent entry, counts as a whole.
    if (!isVersioned) this.wholes.add(key);
  }

  /** Reads the content with a slug, and leaves its tags to the caller. Content that is not in memory may be known to be absent. */
  protected async loadBySlug<T extends object | null>(
    request: ContentRequest<T>,
    slug: string,
  ): Promise<LoadedContent<T>> {
    const { cache, knownSlugs } = this.source;
    const { key, type } = request;
    const readAt = cache.has(key) ? null : (knownSlugs?.absentSince(type, slug) ?? null);
    if (readAt === null) {
      const content = await this.load(request, 'made-of');
      if (content.value === null) knownSlugs?.noteAbsent(type);
      return content;
    }
    const { value, tags, version } = await request.decode([emptyAnswer(type)]);
    this.#versions.set(key, version);
    this.#generatedAt = Math.min(this.#generatedAt, readAt);
    return { key, value, tags, parts: new Map<string, string>() };
  }

  /** Begins to read content that the page will most likely ask for. An error is that of the later read. */
  protected begin(request: ContentRequest<object | null>, role: ContentRole): void {
    this.#entry(request, role === 'optional').catch(() => {});
  }

  #entry<T extends object | null>(request: ContentRequest<T>, isOptional: boolean): Promise<ContentEntry<T>> {
    const { key } = request;
    const known = this.#reads.get(key) ?? (isOptional ? this.#optionalReads.get(key) : undefined);
    // The cast is safe: a key belongs to one request, so its entry has the type of that request's values.
    if (known) return known as Promise<ContentEntry<T>>;
    const entry = this.source.cache.read(request, { ...this.options, isOptional });
    (isOptional ? this.#optionalReads : this.#reads).set(key, entry);
    return entry;
  }

  /** Reads content, and leaves its tags to the caller. */
  protected async load<T extends object | null>(
    request: ContentRequest<T>,
    role: ContentRole,
  ): Promise<LoadedContent<T>> {
    const isOptional = role === 'optional';
    const entry = await this.#entry(request, isOptional).catch((error: unknown) => {
      if (!isOptional || this.options.signal.aborted) throw error;
      return null;
    });
    if (!entry) return this.#withoutOptional(request);
    const { value, tags, generatedAt, invalidated } = entry;
    const { parts } = value;
    if (value.value === null) this.#absences.push({ key: request.key, generatedAt, tags });
    const { emptyBecause } = value;
    if (emptyBecause && isRefusal(request.type, emptyBecause)) {
      if (role === 'made-of') {
        const again = await this.source.cache.read(request, { ...this.options, asksAgain: true });
        if (again.value.emptyBecause) throw emptyBecause;
        this.#reads.set(request.key, Promise.resolve(again));
        // Another part of the page was made without the content.
        this.#isIncomplete ||= this.#refusals.has(request.type.path);
        return this.load(request, role);
      }
      this.#refusals.set(request.type.path, emptyBecause);
    }
    this.#versions.set(request.key, value.version);
    this.#generatedAt = Math.min(this.#generatedAt, generatedAt);
    this.#isInvalidated ||= invalidated;
    return { key: request.key, value: value.value, tags, parts };
  }

  async #withoutOptional<T extends object | null>(request: ContentRequest<T>): Promise<LoadedContent<T>> {
    this.#isIncomplete = true;
    const { value, tags, parts } = await request.decode([emptyAnswer(request.type)]);
    return { key: request.key, value, tags, parts };
  }

  /** Notes what the page shows besides the content of the backend. @param name a tag of its own. @param value plain JSON. */
  note(name: string, value: unknown): void {
    this.addTags([versionedTag(name, tagVersion(value))]);
  }

  protected addTags(tags: readonly string[]): void {
    for (const tag of tags) this.#tags.add(tag);
  }
}
