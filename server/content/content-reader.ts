import type {
  Article,
  Author,
  BlogPageConfig,
  Category,
  CategoryRef,
  Tag,
  TagRef,
} from '../../shared/content/blog.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import type { Entry, EntrySummary, ShownEntry } from '../../shared/content/entries.ts';
import type { LandingConfig } from '../../shared/content/landing.ts';
import type { Question } from '../../shared/content/links.ts';
import type { Settings, Social } from '../../shared/content/settings.ts';
import type { RedirectTable } from '../../shared/routing/redirects.ts';
import type { Categories } from './categories.ts';
import type { ContentRole } from './collecting-reader.ts';
import type { Authors, ContentApi, EntryType } from './content-api.ts';
import type { ContentRequest } from './content-request.ts';
import { tagNames } from './content-tags.ts';
import { isHiddenBy } from './decode/decode-seo.ts';
import type { ServedType } from './described-types.ts';
import { MAX_SHOWN_ROWS } from './lists/shown-rows.ts';
import { PeriodReader } from './period-reader.ts';
import type { RenamedEntry } from './slugs/previous-slugs.ts';
import type { Spelling } from './slugs/slug-lookup.ts';

/** @returns the content that every page needs before it can be shown. */
export function startUpRequests(api: ContentApi): readonly ContentRequest<object>[] {
  return [api.mainPage(), api.categories(), api.authors(), api.settings(), api.landing()];
}

/**
 * Reads each kind of content for one page. A method that returns a part of some content collects the tags of this part alone, so that the
 * page stays fresh when the rest changes.
 */
export class ContentReader extends PeriodReader {
  // No page is made of settings, authors and redirects.
  settings(): Promise<Settings> {
    return this.read(this.source.api.settings(), 'used', name => name === 'settings');
  }

  authors(): Promise<Authors> {
    return this.read(this.source.api.authors(), 'used', name => name === 'authors.all');
  }

  /** Begins to read the authors, for a page that learns only from other content which of them it shows. */
  expectAuthors(): void {
    this.begin(this.source.api.authors(), 'used');
  }

  /** @returns the author with an id, or null. */
  async author(id: string): Promise<Author | null> {
    return this.readEntry(this.source.api.authors(), 'used', 'authors', value => value.byId.get(id));
  }

  /** @returns the name of the author with an id and the slug of the author's page, or null. */
  async authorLink(id: string): Promise<Pick<Author, 'name' | 'slug'> | null> {
    const request = this.source.api.authors();
    return this.readEntry(request, 'used', 'authors', value => value.byId.get(id), 'link');
  }

  /** @returns the author with a slug, or null. */
  authorWithSlug(slug: string): Promise<Author | null> {
    return this.readEntry(this.source.api.authors(), 'used', 'authors', value => value.bySlug.get(slug));
  }

  /** The names and addresses of all authors. */
  async authorLinks(): Promise<readonly Pick<Author, 'id' | 'name' | 'slug'>[]> {
    const isUsed = (name: string) => name === 'authors.links';
    return (await this.read(this.source.api.authors(), 'used', isUsed)).list;
  }

  /** @returns the name of the tag with an id and the slug of its page, or null. */
  tagLink(id: string): Promise<TagRef | null> {
    return this.readEntry(this.source.api.tags(), 'optional', 'tags', value => value.byId.get(id), 'link');
  }

  /** @returns the tag with a slug, or null. */
  tagWithSlug(slug: string): Promise<Tag | null> {
    return this.readEntry(this.source.api.tags(), 'used', 'tags', value => value.bySlug.get(slug));
  }

  /** The names and addresses of all tags. */
  async tagLinks(): Promise<readonly Pick<Tag, 'id' | 'name' | 'slug'>[]> {
    const isUsed = (name: string) => name === 'tags.links';
    return (await this.read(this.source.api.tags(), 'used', isUsed)).list;
  }

  /** @returns the present slug of the entry that had a slug before; null without one. */
  async presentSlug(type: ServedType, slug: string): Promise<string | null> {
    return (await this.#renamed(type, slug))?.now ?? null;
  }

  /** @returns the author that had a slug, or a name that made it, before; null without one. */
  async authorBefore(slug: string): Promise<Author | null> {
    const renamed = await this.#renamed(contentTypes.author, slug);
    return renamed && this.author(renamed.id);
  }

  /** @returns the tag that had a slug, or a name that made it, before; null without one. */
  async tagBefore(slug: string): Promise<TagRef | null> {
    const renamed = await this.#renamed(contentTypes.tag, slug);
    return renamed && this.tagLink(renamed.id);
  }

  async #renamed(type: ServedType, slug: string): Promise<RenamedEntry | null> {
    return (await this.read(this.source.api.previousSlugs(type), 'optional')).get(slug) ?? null;
  }

  redirects(): Promise<RedirectTable> {
    return this.read(this.source.api.redirects(), 'used', name => name === 'redirects');
  }

  socials(): Promise<readonly Social[]> {
    return this.read(this.source.api.socials(), 'optional', name => name === 'socials.all');
  }

  landing(role: ContentRole = 'made-of'): Promise<LandingConfig> {
    return this.read(this.source.api.landing(), role, name => name === 'landing');
  }

  /** The links of the subscribe block, which every page shows. */
  async subscribeSocials(): Promise<LandingConfig['subscribeBlockSocials']> {
    const isUsed = (name: string) => name === tagNames.part('landing', null, 'subscribe');
    return (await this.read(this.source.api.landing(), 'used', isUsed)).subscribeBlockSocials;
  }

  /** The contacts section of the landing page. */
  contacts(): Promise<Pick<LandingConfig, 'contactsBlock' | 'contactsListWithCheckmarks'>> {
    const isUsed = (name: string) => name === tagNames.part('landing', null, 'contacts');
    return this.read(this.source.api.landing(), 'used', isUsed);
  }

  blogPage(role: ContentRole = 'made-of'): Promise<BlogPageConfig> {
    return this.read(this.source.api.mainPage(), role, name => name === 'main-page');
  }

  /** The categories that search engines may list. */
  async listedCategories(): Promise<readonly CategoryRef[]> {
    const isUsed = (name: string) => name === 'categories.all';
    const { list } = await this.read(this.source.api.categories(), 'used', isUsed);
    return list.filter(({ seo }) => !isHiddenBy(seo.robots));
  }

  /** @returns the category with a slug, or null. */
  async category(slug: string): Promise<Category | null> {
    const request = this.source.api.categories();
    return this.readEntry(request, 'made-of', 'categories', value => value.bySlug.get(slug));
  }

  /** @returns the questions of a category, which its articles without questions show. */
  async questionsOfCategory(slug: string): Promise<readonly Question[]> {
    const request = this.source.api.categories();
    const find = (value: Categories) => value.bySlug.get(slug);
    return (await this.readEntry(request, 'used', 'categories', find, 'questions'))?.questions ?? [];
  }

  /**
   * @returns the article with a slug in a category; an article with the slug in another category if this one has none; null without any.
   *   The tags are those of this article alone: an article of the same slug is another page.
   */
  async article(category: string, slug: string): Promise<Article | null> {
    const isHere = (article: Article) => article.category?.slug === category;
    const load = (spelling: Spelling) =>
      this.loadBySlug(this.source.api.articlesWithSlug(slug, spelling), slug);
    let found = await load('canonical');
    // The category's own article may have its slug in another spelling than an article of another category.
    if (found.value && !found.value.some(isHere)) {
      const others = await load('any');
      if (others.value) found = others;
    }
    const articles = found.value ?? [];
    const article = articles.find(isHere) ?? articles.find(other => other.category) ?? articles[0] ?? null;
    const names = [
      tagNames.slug('articles', slug),
      ...(article ? [tagNames.entry('articles', article.id)] : []),
      ...(article?.category ? [tagNames.part('categories', article.category.id, 'link')] : []),
    ];
    this.use(found, name => names.includes(name));
    return article;
  }

  async entries(type: EntryType, role: ContentRole = 'made-of'): Promise<readonly EntrySummary[]> {
    const request = this.source.api.entries(type);
    const entries = await this.read(request, role);
    this.wholes.add(request.key);
    return entries;
  }

  /** The entries of a type as the cards of a list show them, MAX_SHOWN_ROWS at the most. */
  async cards(type: EntryType): Promise<readonly ShownEntry[]> {
    const content = await this.load(this.source.api.entries(type), 'used');
    const isPart = /\.(first|total|any)$/;
    this.use(content, name => !isPart.test(name));
    const shown = content.value.slice(0, MAX_SHOWN_ROWS);
    this.addTags(shown.flatMap(({ id }) => content.parts.get(tagNames.part(type, id, 'card')) ?? []));
    return shown;
  }

  async entry(type: EntryType, slug: string): Promise<Entry | null> {
    const content = await this.loadBySlug(this.source.api.entry(type, slug), slug);
    this.use(content, name => !isPartOfEntry(name));
    return content.value;
  }

  /** @returns the title of the entry with a slug, for links to it; null where the entry does not exist or cannot be loaded. */
  async entryTitle(type: EntryType, slug: string): Promise<string | null> {
    const isUsed = (name: string, value: Entry | null) =>
      value ? name === tagNames.part(type, value.id, 'link') : true;
    return (await this.read(this.source.api.entry(type, slug), 'optional', isUsed))?.title ?? null;
  }

  /** Whether redirects and categories, which decide where an address leads, are read without a wait for the backend. */
  get isAddressCached(): boolean {
    const { cache } = this.source;
    return cache.has('redirects') && cache.isFresh('categories');
  }

  /** @returns the value in memory under a key, whatever its age, without a call to the backend. */
  peek<T extends object | null>(key: string): T | undefined {
    const entry = this.source.cache.peek<T>(key);
    if (entry) this.options.onEvent({ kind: 'peeked', key });
    return entry?.value.value;
  }
}

/** @returns whether a tag names a part of an entry, such as `pages:42.card`. */
function isPartOfEntry(name: string): boolean {
  const entry = name.indexOf(':');
  return entry !== -1 && name.includes('.', entry);
}
