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
import type { RedirectTable } from '../../shared/redirects.ts';
import type { ContentApi, EntryType } from './content-api.ts';
import type { ContentCache, ReadOptions } from './content-cache.ts';
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

/**
 * Content as one request reads it: through the cache, under the request's signal, leaving its cache events with the
 * request. Two reads of the same thing within a page cost one call.
 */
export class ContentReader {
  readonly #source: ContentSource;
  readonly #request: ReadOptions;

  constructor(source: ContentSource, request: ReadOptions) {
    this.#source = source;
    this.#request = request;
  }

  settings(): Promise<Settings> {
    return this.#read('settings', signal => this.#source.api.settings(signal));
  }

  socials(): Promise<readonly Social[]> {
    return this.#read('socials', signal => this.#source.api.socials(signal));
  }

  landing(): Promise<LandingConfig> {
    return this.#read('landing', signal => this.#source.api.landing(signal));
  }

  blogPage(): Promise<BlogPageConfig> {
    return this.#read('main-page', signal => this.#source.api.mainPage(signal));
  }

  /** Categories, also indexed by slug. */
  categories(): Promise<Categories> {
    return this.#read('categories', async signal => {
      const list = await this.#source.api.categories(signal);
      return { list, bySlug: new Map(list.map(category => [category.slug, category])) };
    });
  }

  /** Authors, also indexed by id. */
  authors(): Promise<Authors> {
    return this.#read('authors', async signal => {
      const list = await this.#source.api.authors(signal);
      return { list, byId: new Map(list.map(author => [author.id, author])) };
    });
  }

  articlesOfCategory(slug: string, page: number): Promise<ListPage<ArticleSummary>> {
    return this.#read(`articles?category=${slug}&page=${page}`, signal =>
      this.#source.api.articlesOfCategory(slug, page, signal),
    );
  }

  allArticles(): Promise<readonly ArticleSummary[]> {
    return this.#read('articles', signal => this.#source.api.allArticles(signal));
  }

  article(slug: string): Promise<Article | null> {
    return this.#read(`articles/${slug}`, signal => this.#source.api.article(slug, signal));
  }

  entries(type: EntryType): Promise<readonly EntrySummary[]> {
    return this.#read(type, signal => this.#source.api.entries(type, signal));
  }

  entry(type: EntryType, slug: string): Promise<Entry | null> {
    return this.#read(`${type}/${slug}`, signal => this.#source.api.entry(type, slug, signal));
  }

  /** The rows of the site's configuration and, behind them, those of the backend. */
  redirects(): Promise<RedirectTable> {
    return this.#read('redirects', async signal => {
      const rows = redirectRows(await this.#source.api.redirects(signal));
      const { table, problems } = buildRedirectTable([...siteRedirects, ...rows], this.#source.publicOrigin);
      this.#source.onRedirectProblems(problems);
      return table;
    });
  }

  /** @returns what is at hand under a key, however old, without asking the backend. */
  peek<T extends object | null>(key: string): T | undefined {
    return this.#source.cache.peek<T>(key);
  }

  #read<T extends object | null>(key: string, load: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#source.cache.read(key, load, this.#request);
  }
}
