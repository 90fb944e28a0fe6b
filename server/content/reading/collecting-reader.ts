import { siteTypes } from '../../../site/types.ts';
import { type EntryLink, entryOfLink, isEntryLink, withPaths } from '../../addresses/entry-links.ts';
import { pathOfSlug, routesOfType } from '../../addresses/type-routes.ts';
import type { NegativeEntry } from '../../cache/disk/negative-entries.ts';
import type { CacheEntry } from '../../cache/entry-store.ts';
import { parseTag, versionedTag } from '../../cache/tags/tags.ts';
import { earlierDates, NO_DATES, type ShownDates } from '../../decode/shown-dates.ts';
import type { BackendError } from '../../errors.ts';
import { type ServedType, servedType } from '../../wire/described-types.ts';
import { emptyAnswer, isRefusal } from '../requests/answer-meaning.ts';
import type { ContentApi } from '../requests/content-api.ts';
import { type ContentRequest, digestOf } from '../requests/content-request.ts';
import type { KnownSlugs } from '../slugs/known-slugs.ts';
import type { ContentCache } from '../store/content-cache.ts';
import type { ReadOptions } from '../store/content-reads.ts';
import { type ContentEntry, isPastItsDates, type StoredContent } from '../store/stored-content.ts';
import { NEXT_DATE } from '../tags/article-tags.ts';
import { LOOKED_UP, tagNames, tagVersion } from '../tags/content-tags.ts';
import { isMediaTag } from '../tags/media-tags.ts';
import type { ContentRole, ReaderOptions } from './read-values.ts';

export interface ContentSource {
  api: ContentApi;
  cache: ContentCache;
  ask: ReadOptions['ask'];
  knownSlugs?: KnownSlugs;
}

const NEVER_SHOWN: readonly string[] = [siteTypes.redirect.path, NEXT_DATE];

export interface LoadedContent<T extends object | null> {
  key: string;
  value: T;
  tags: readonly string[];
  parts: ReadonlyMap<string, string>;
}

/**
 * Reads the content of one page until the page's signal aborts, and collects all tags. Reading a key twice
 * gives the same entry, even if the cache has a newer one.
 */
export abstract class CollectingReader {
  protected readonly source: ContentSource;
  protected readonly options: ReadOptions;
  readonly #tags = new Set<string>();
  protected readonly wholes = new Set<string>();
  #dates = NO_DATES;
  readonly #versions = new Map<string, string>();
  readonly negatives: NegativeEntry[] = [];
  #generatedAt = Number.POSITIVE_INFINITY;
  #isInvalidated = false;
  #servedStale = false;
  #isIncomplete = false;
  /** By content type path, the error of content that counts as empty because the CMS refused it. */
  readonly refusals = new Map<string, BackendError>();
  /** Reads by key, so that a page never mixes two versions of a piece of content. */
  readonly #reads = new Map<string, Promise<CacheEntry<StoredContent>>>();
  /** Optional reads. They may return a negative entry when another read would fail. */
  readonly #optionalReads = new Map<string, Promise<CacheEntry<StoredContent>>>();

  constructor(source: ContentSource, { signal, onEvent }: ReaderOptions) {
    this.source = source;
    this.options = {
      ask: source.ask,
      signal,
      onEvent: (event, key) => {
        if (event === 'stale') this.#servedStale = true;
        onEvent?.(event, key);
      },
    };
  }

  /** The sorted tags: equal content gives equal tags in any order of reads. */
  get tags(): readonly string[] {
    return [...this.#tags].sort();
  }

  /** A digest of the content. Equal digests mean equal pages. */
  get version(): string {
    const shown = this.tags.filter(tag => !NEVER_SHOWN.includes(parseTag(tag).name));
    const wholes = [...this.wholes]
      .filter(key => key !== siteTypes.redirect.path)
      .sort()
      .map(key => [key, this.#versions.get(key)]);
    return digestOf(JSON.stringify([shown, wholes]));
  }

  versionOf(keys: readonly string[], from: 'read' | 'cached'): string {
    const { cache } = this.source;
    const cached = (key: string) => {
      const value = cache.peek(key)?.value;
      return value && !isPastItsDates(value) ? value.version : undefined;
    };
    return keys.map(key => (from === 'read' ? this.#versions.get(key) : cached(key)) ?? '').join(' ');
  }

  get generatedAt(): number {
    return this.#generatedAt;
  }

  get dates(): ShownDates {
    return this.#dates;
  }

  /** Adds dates at which the page changes by itself, besides those of the content that it reads. */
  endAt(dates: ShownDates): void {
    this.#dates = earlierDates(this.#dates, dates);
  }

  get isInvalidated(): boolean {
    return this.#isInvalidated;
  }

  get servedStale(): boolean {
    return this.#servedStale;
  }

  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  protected async read<T extends object | null>(
    request: ContentRequest<T>,
    role: ContentRole,
    isUsed: (name: string, value: T) => boolean = () => true,
  ): Promise<T> {
    const content = await this.load(request, role);
    this.use(content, name => isUsed(name, content.value));
    return content.value;
  }

  protected readPart<T extends object>(
    request: ContentRequest<T>,
    role: ContentRole,
    part: `.${string}` | '' = '',
  ): Promise<T> {
    return this.read(request, role, name => name === request.type.path + part);
  }

  /** @param part the used part of the entry. If no entry is found, the page depends on the whole list. */
  protected async readEntry<T extends object, E extends { id: string }>(
    request: ContentRequest<T>,
    role: ContentRole,
    find: (value: T) => E | undefined,
    part?: string,
  ): Promise<E | null> {
    return this.#partOf(await this.load(request, role), request.type, find, part);
  }

  #partOf<T extends object, E extends { id: string }>(
    content: LoadedContent<T>,
    { path: type }: ServedType,
    find: (value: T) => E | undefined,
    part?: string,
  ): E | null {
    const entry = find(content.value) ?? null;
    const name = entry && (part ? tagNames.part(type, entry.id, part) : tagNames.entry(type, entry.id));
    const tag = name === null ? undefined : content.parts.get(name);
    if (tag !== undefined) this.addTags([tag]);
    else this.use(content, known => known === `${type}.all`);
    return entry;
  }

  protected use({ key, tags }: LoadedContent<object | null>, isUsed: (name: string) => boolean): void {
    let isVersioned = false;
    for (const tag of tags) {
      const { name, version } = parseTag(tag);
      if (!isUsed(name)) continue;
      isVersioned ||= version !== null;
      // Skip the tags of media files. They come from the rendered page, which may show only some files.
      if (!isMediaTag(tag) && !isEntryLink(tag)) this.#tags.add(tag);
    }
    // Content without versioned tags, such as a missing entry, is compared as a whole by `version`.
    if (!isVersioned) this.wholes.add(key);
  }

  /** Loads an entry by slug and leaves the tags to the caller. Slugs known as missing cost no call. */
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
    const { version, ...content } = await emptyContent(request);
    this.#versions.set(key, version);
    this.#generatedAt = Math.min(this.#generatedAt, readAt);
    return content;
  }

  /** Begins to read content that the page probably needs. Ignores an error, as the later read throws it. */
  protected begin(request: ContentRequest<object | null>, role: ContentRole): void {
    this.#entry(request, role === 'optional').catch(() => {});
  }

  #entry<T extends object | null>(request: ContentRequest<T>, isOptional: boolean): Promise<ContentEntry<T>> {
    const { key } = request;
    const known = this.#reads.get(key) ?? (isOptional ? this.#optionalReads.get(key) : undefined);
    // The cast is safe: a key belongs to one request, so its entry has that request's type.
    if (known) return known as Promise<ContentEntry<T>>;
    const entry = this.source.cache.read(request, { ...this.options, isOptional });
    (isOptional ? this.#optionalReads : this.#reads).set(key, entry);
    return entry;
  }

  /** Loads content. Links to entries in its texts get the current paths of these entries. */
  protected async load<T extends object | null>(
    request: ContentRequest<T>,
    role: ContentRole,
  ): Promise<LoadedContent<T>> {
    const content = await this.#load(request, role);
    const links = content.tags.filter(isEntryLink);
    if (links.length === 0) return content;
    const paths = new Map(
      await Promise.all(links.map(async link => [link, await this.pathOfLink(link)] as const)),
    );
    return { ...content, value: withPaths(content.value, link => paths.get(link) ?? null) };
  }

  async pathOfLink(link: EntryLink): Promise<string | null> {
    const { type: path, id } = entryOfLink(link);
    const { api } = this.source;
    const type = servedType(path);
    const { route } = routesOfType(path);
    if (!type || !route) return null;
    if (LOOKED_UP.includes(path)) {
      const content = await this.#load(api.entryAddress(type, id), 'optional');
      this.use(content, name => content.value === null || name.endsWith('.link'));
      return content.value?.path ?? null;
    }
    const named = [api.authors(), api.tags(), api.categories()].find(request => request.type.path === path);
    if (!named) return null;
    const content = await this.#load<{ list: readonly { id: string; slug: string }[] }>(named, 'optional');
    const entry = this.#partOf(content, type, ({ list }) => list.find(one => one.id === id), 'link');
    return entry && pathOfSlug(route, {}, entry.slug);
  }

  async #load<T extends object | null>(
    request: ContentRequest<T>,
    role: ContentRole,
  ): Promise<LoadedContent<T>> {
    const isOptional = role === 'optional';
    const entry = await this.#entry(request, isOptional).catch((error: unknown) => {
      if (!isOptional || this.options.signal.aborted) throw error;
      return null;
    });
    if (!entry) {
      this.#isIncomplete = true;
      return emptyContent(request);
    }
    const { value, tags, generatedAt, invalidated } = entry;
    const { parts } = value;
    if (value.value === null) this.negatives.push({ key: request.key, generatedAt, tags });
    const { emptyBecause } = value;
    if (emptyBecause && isRefusal(request.type, emptyBecause)) {
      if (role === 'made-of') {
        const again = await this.source.cache.read(request, { ...this.options, asksAgain: true });
        if (again.value.emptyBecause) throw emptyBecause;
        this.#reads.set(request.key, Promise.resolve(again));
        // The page is incomplete if another part was made without this content.
        this.#isIncomplete ||= this.refusals.has(request.type.path);
        return this.#load(request, role);
      }
      this.refusals.set(request.type.path, emptyBecause);
    }
    this.#versions.set(request.key, value.version);
    this.#dates = earlierDates(this.#dates, value.dates);
    this.#generatedAt = Math.min(this.#generatedAt, generatedAt);
    this.#isInvalidated ||= invalidated;
    return { key: request.key, value: value.value, tags, parts };
  }

  /** Makes the page depend on a value besides content. @param name the value's tag. @param value JSON. */
  note(name: string, value: unknown): void {
    this.addTags([versionedTag(name, tagVersion(value))]);
  }

  protected addTags(tags: readonly string[]): void {
    for (const tag of tags) this.#tags.add(tag);
  }
}

async function emptyContent<T extends object | null>(request: ContentRequest<T>) {
  const { value, tags, parts, version } = await request.decode([emptyAnswer(request.type)]);
  return { key: request.key, value, tags, parts, version };
}
