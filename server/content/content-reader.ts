import type {
  Article,
  ArticleSummary,
  Author,
  BlogPageConfig,
  Category,
  ListPage,
} from '../../shared/content/blog.ts';
import type { Entry, EntrySummary } from '../../shared/content/entries.ts';
import type { LandingConfig } from '../../shared/content/landing.ts';
import type { Settings, Social } from '../../shared/content/settings.ts';
import type { RedirectTable } from '../../shared/routing/redirects.ts';
import type { ContentApi, EntryType } from './content-api.ts';
import type { ContentCache, Provenance, ReadOptions } from './content-cache.ts';
import { buildRedirectTable, type RedirectProblem, redirectRows } from './redirect-table.ts';
import { siteRedirects } from './site-redirects.ts';

export interface Categories {
  list: readonly Category[];
  bySlug: ReadonlyMap<string, Category>;
}

export interface Authors {
  list: readonly Author[];
  byId: ReadonlyMap<string, Author>;
}

export interface ContentSource {
  api: ContentApi;
  cache: ContentCache;
  /** The site's own origin, where it is configured. */
  publicOrigin: string | null;
  /** Told when a redirect table has been built. */
  onRedirectProblems(problems: readonly RedirectProblem[]): void;
}

/** Content that every page needs before it can be shown, by its keys in the cache. */
export const START_UP_KEYS = ['main-page', 'categories', 'authors', 'settings', 'landing'];

/**
 * Content as one page reads it: through the cache, under the page's signal, leaving its cache events with the request and
 * its provenance with the page. Two reads of the same thing within a page cost one call.
 */
export class ContentReader {
  readonly #source: ContentSource;
  readonly #options: ReadOptions;
  readonly #tags = new Set<string>();
  #madeAt = Number.POSITIVE_INFINITY;
  #isPurged = false;
  #hasStandIns = false;
  readonly #reads = new Map<string, object | null>();

  constructor(source: ContentSource, request: Omit<ReadOptions, 'onRead'>) {
    this.#source = source;
    this.#options = {
      ...request,
      onEvent: event => {
        if (event.kind === 'stale') this.#hasStandIns = true;
        request.onEvent(event);
      },
      onRead: ({ tags, madeAt, purged }) => {
        for (const tag of tags) this.#tags.add(tag);
        this.#madeAt = Math.min(this.#madeAt, madeAt);
        this.#isPurged ||= purged;
      },
    };
  }

  /** The tags of all that was read so far. */
  get tags(): readonly string[] {
    return [...this.#tags];
  }

  /** All that was read so far, by its keys. A value that has not changed is the very same object each time. */
  get reads(): ReadonlyMap<string, object | null> {
    return this.#reads;
  }

  /** When the oldest of what was read was true, in ms since the epoch. */
  get madeAt(): number {
    return this.#madeAt;
  }

  /** Whether something of it is known to have changed since. */
  get isPurged(): boolean {
    return this.#isPurged;
  }

  /** Whether something of it is older than it should be because the backend failed. */
  get hasStandIns(): boolean {
    return this.#hasStandIns;
  }

  settings(): Promise<Settings> {
    return this.#read('settings', signal => this.#source.api.settings(signal), single('settings'));
  }

  socials(): Promise<readonly Social[]> {
    return this.#read('socials', signal => this.#source.api.socials(signal), list('socials'));
  }

  landing(): Promise<LandingConfig> {
    return this.#read('landing', signal => this.#source.api.landing(signal), single('landing'));
  }

  blogPage(): Promise<BlogPageConfig> {
    return this.#read('main-page', signal => this.#source.api.mainPage(signal), single('main-page'));
  }

  /** Categories, also indexed by slug. */
  categories(): Promise<Categories> {
    return this.#read(
      'categories',
      async signal => {
        return indexedCategories(await this.#source.api.categories(signal));
      },
      value => list('categories')(value.list),
    );
  }

  /** Authors, also indexed by id. */
  authors(): Promise<Authors> {
    return this.#read(
      'authors',
      async signal => {
        return indexedAuthors(await this.#source.api.authors(signal));
      },
      value => list('authors')(value.list),
    );
  }

  articlesOfCategory(slug: string, page: number): Promise<ListPage<ArticleSummary>> {
    return this.#read(
      `articles?category=${slug}&page=${page}`,
      signal => this.#source.api.articlesOfCategory(slug, page, signal),
      value => ({ tags: ['articles', ...value.items.flatMap(articleTags)], about: null }),
    );
  }

  allArticles(): Promise<readonly ArticleSummary[]> {
    return this.#read(
      'articles',
      signal => this.#source.api.allArticles(signal),
      value => ({ tags: ['articles', ...value.flatMap(articleTags)], about: null }),
    );
  }

  article(slug: string): Promise<Article | null> {
    return this.#read(
      `articles/${slug}`,
      signal => this.#source.api.article(slug, signal),
      // One that is not there may be published at any time.
      value =>
        value
          ? { tags: articleTags(value), about: `articles:${value.id}` }
          : { tags: ['articles'], about: null },
    );
  }

  entries(type: EntryType): Promise<readonly EntrySummary[]> {
    return this.#read(type, signal => this.#source.api.entries(type, signal), list(type));
  }

  entry(type: EntryType, slug: string): Promise<Entry | null> {
    return this.#read(
      `${type}/${slug}`,
      signal => this.#source.api.entry(type, slug, signal),
      value => {
        const about = value && `${type}:${value.id}`;
        return { tags: [about ?? type], about };
      },
    );
  }

  /** The rows of the site's configuration and, behind them, those of the backend. */
  redirects(): Promise<RedirectTable> {
    return this.#read(
      'redirects',
      async signal => {
        return tableOf(await this.#source.api.redirects(signal), this.#source);
      },
      single('redirects'),
    );
  }

  /** @returns whether what decides about an address is at hand: redirects and categories. */
  get isAddressAtHand(): boolean {
    return this.#source.cache.isFresh('redirects') && this.#source.cache.isFresh('categories');
  }

  /** @returns what is at hand under a key, however old, without asking the backend. */
  peek<T extends object | null>(key: string): T | undefined {
    return this.#source.cache.peek<T>(key);
  }

  async #read<T extends object | null>(
    key: string,
    load: (signal: AbortSignal) => Promise<T>,
    provenance: (value: T) => Provenance,
  ): Promise<T> {
    const value = await this.#source.cache.read(key, load, this.#options, provenance);
    this.#reads.set(key, value);
    return value;
  }
}

/** Made once of each list, so that the same list is the very same index. */
function onceEach<L extends object, V, A extends unknown[]>(make: (list: L, ...rest: A) => V) {
  const made = new WeakMap<L, V>();
  return (list: L, ...rest: A): V => {
    const before = made.get(list);
    if (before !== undefined) return before;
    const value = make(list, ...rest);
    made.set(list, value);
    return value;
  };
}

const indexedCategories = onceEach(
  (list: readonly Category[]): Categories => ({
    list,
    bySlug: new Map(list.map(category => [category.slug, category])),
  }),
);

const indexedAuthors = onceEach(
  (list: readonly Author[]): Authors => ({ list, byId: new Map(list.map(author => [author.id, author])) }),
);

const tableOf = onceEach((rows: readonly unknown[], source: ContentSource): RedirectTable => {
  const { table, problems } = buildRedirectTable(
    [...siteRedirects, ...redirectRows(rows)],
    source.publicOrigin,
  );
  source.onRedirectProblems(problems);
  return table;
});

/** A single type, or a whole that changes as one. */
const single = (type: string) => (): Provenance => ({ tags: [type], about: null });

/** A list changes when something is added to its type, and when one of its own changes. */
const list =
  (type: string) =>
  (items: readonly { id: string }[]): Provenance => ({
    tags: [type, ...items.map(({ id }) => `${type}:${id}`)],
    about: null,
  });

function articleTags({ id, category, author }: Article | ArticleSummary): string[] {
  return [
    `articles:${id}`,
    ...(category ? [`categories:${category.id}`] : []),
    ...(author ? [`authors:${author.id}`] : []),
  ];
}
