import type { Article, Author, BlogPageConfig, Category, Tag, TagRef } from '../../../shared/content/blog.ts';
import type { Entry, EntrySummary, EntryType } from '../../../shared/content/entries.ts';
import type { LandingConfig } from '../../../shared/content/landing.ts';
import type { CategoryRef } from '../../../shared/content/links.ts';
import type { Settings, Social } from '../../../shared/content/settings.ts';
import type { RedirectTable } from '../../../shared/routing/redirects.ts';
import { siteTypes } from '../../../site/types.ts';
import { isEntryLink, withPaths } from '../../addresses/entry-links.ts';
import { isBelow } from '../../cache/tags/tags.ts';
import { isHiddenBy } from '../../decode/decode-seo.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { MAX_SHOWN_ROWS } from '../lists/lists.ts';
import type { Authors, Tags } from '../requests/content-api.ts';
import type { PreviousSlugs, RenamedEntry } from '../slugs/previous-slugs.ts';
import type { Spelling } from '../slugs/slug-lookup.ts';
import { isPastItsDates } from '../store/stored-content.ts';
import { countName, yearsName } from '../tags/article-tags.ts';
import { tagNames } from '../tags/content-tags.ts';
import { ArticleReader } from './article-reader.ts';
import type { ContentSource } from './collecting-reader.ts';
import type { ContentRole, PeriodCount, ReaderOptions } from './read-values.ts';

export type OpenReader = (options: ReaderOptions) => ContentReader;

/**
 * Reads the content of one page until the page's signal aborts. Each method collects the tags of its result.
 * A method that returns a part collects only this part's tags.
 *
 * A method rejects with a BackendError if it cannot load content that the page needs (ContentRole). A missing
 * entry is null. `expect…` begins a read whose result is needed later.
 */
export class ContentReader extends ArticleReader {
  // Use the role `used`, because no page consists of settings, authors or redirects.
  settings(): Promise<Settings> {
    return this.readPart(this.source.api.settings(), 'used');
  }

  authors(): Promise<Authors> {
    return this.readPart(this.source.api.authors(), 'used', '.all');
  }

  expectAuthors(): void {
    this.begin(this.source.api.authors(), 'used');
  }

  async author(id: string): Promise<Author | null> {
    return this.readEntry(this.source.api.authors(), 'used', value => value.byId.get(id));
  }

  async authorLink(id: string): Promise<Pick<Author, 'name' | 'slug'> | null> {
    const request = this.source.api.authors();
    return this.readEntry(request, 'used', value => value.byId.get(id), 'link');
  }

  authorWithSlug(slug: string): Promise<Author | null> {
    return this.readEntry(this.source.api.authors(), 'used', value => value.bySlug.get(slug));
  }

  async authorLinks(): Promise<readonly Pick<Author, 'id' | 'name' | 'slug'>[]> {
    return (await this.readPart(this.source.api.authors(), 'used', '.links')).list;
  }

  tagLink(id: string): Promise<TagRef | null> {
    return this.readEntry(this.source.api.tags(), 'optional', value => value.byId.get(id), 'link');
  }

  tagWithSlug(slug: string): Promise<Tag | null> {
    return this.readEntry(this.source.api.tags(), 'used', value => value.bySlug.get(slug));
  }

  async tagLinks(): Promise<readonly Pick<Tag, 'id' | 'name' | 'slug'>[]> {
    return (await this.readPart(this.source.api.tags(), 'used', '.links')).list;
  }

  async presentSlug(type: ServedType, slug: string): Promise<string | null> {
    return (await this.#renamed(type, slug))?.now ?? null;
  }

  async authorBefore(slug: string): Promise<Author | null> {
    const renamed = await this.#renamed(siteTypes.author, slug);
    const find = (value: Authors) => value.byId.get(idBefore(slug, renamed, value));
    return this.readEntry(this.source.api.authors(), 'used', find);
  }

  async tagBefore(slug: string): Promise<TagRef | null> {
    const renamed = await this.#renamed(siteTypes.tag, slug);
    const find = (value: Tags) => value.byId.get(idBefore(slug, renamed, value));
    return this.readEntry(this.source.api.tags(), 'optional', find, 'link');
  }

  previousSlugs(type: ServedType): Promise<PreviousSlugs> {
    return this.read(this.source.api.previousSlugs(type), 'optional');
  }

  async #renamed(type: ServedType, slug: string): Promise<RenamedEntry | null> {
    return (await this.previousSlugs(type)).get(slug) ?? null;
  }

  redirects(): Promise<RedirectTable> {
    return this.readPart(this.source.api.redirects(), 'used');
  }

  socials(): Promise<readonly Social[]> {
    return this.readPart(this.source.api.socials(), 'optional', '.all');
  }

  landing(role: ContentRole = 'made-of'): Promise<LandingConfig> {
    return this.readPart(this.source.api.landing(), role);
  }

  async subscribeSocials(): Promise<LandingConfig['subscribeBlockSocials']> {
    return (await this.readPart(this.source.api.landing(), 'used', '.subscribe')).subscribeBlockSocials;
  }

  contacts(): Promise<Pick<LandingConfig, 'contactsBlock' | 'contactsListWithCheckmarks'>> {
    return this.readPart(this.source.api.landing(), 'used', '.contacts');
  }

  blogPage(role: ContentRole = 'made-of'): Promise<BlogPageConfig> {
    return this.readPart(this.source.api.mainPage(), role);
  }

  async listedCategories(): Promise<readonly CategoryRef[]> {
    const { list } = await this.readPart(this.source.api.categories(), 'used', '.all');
    return list.filter(({ seo }) => !isHiddenBy(seo.robots));
  }

  async category(slug: string): Promise<Category | null> {
    const request = this.source.api.categories();
    return this.readEntry(request, 'made-of', value => value.bySlug.get(slug));
  }

  /** @returns a category's call to action for its articles, and questions for articles without their own. */
  forArticlesOf(slug: string): Promise<Pick<Category, 'questions' | 'cta'> | null> {
    const request = this.source.api.categories();
    return this.readEntry(request, 'used', value => value.bySlug.get(slug), 'articles');
  }

  /** Reads an article, preferably of this category, else of any. Collects only this article's tags. */
  async article(category: string, slug: string): Promise<Article | null> {
    const isHere = (article: Article) => article.category?.slug === category;
    const load = (spelling: Spelling) =>
      this.loadBySlug(this.source.api.articlesWithSlug(slug, spelling), slug);
    let found = await load('canonical');
    // Look for other spellings of the slug, because no article with this spelling is in the category.
    if (found.value && !found.value.some(isHere)) {
      const others = await load('any');
      if (others.value) found = others;
    }
    const articles = found.value ?? [];
    const article = articles.find(isHere) ?? articles.find(other => other.category) ?? articles[0] ?? null;
    const names = [
      tagNames.slug(siteTypes.article.path, slug),
      ...(article ? [tagNames.entry(siteTypes.article.path, article.id)] : []),
      ...(article?.category ? [tagNames.part(siteTypes.category.path, article.category.id, 'link')] : []),
    ];
    this.use(found, name => names.includes(name));
    return article;
  }

  async years(): Promise<readonly PeriodCount[]> {
    const order = await this.articleOrder();
    const above = yearsName(order);
    const isUsed = (name: string) => !isBelow(name, above);
    return this.read(this.source.api.articleYears(order), 'made-of', isUsed);
  }

  /** @returns the months, the newest first. A year without articles costs no call. */
  async monthsOf(year: string): Promise<readonly PeriodCount[]> {
    const { api } = this.source;
    const order = await this.articleOrder();
    const above = yearsName(order);
    const years = await this.load(api.articleYears(order), 'made-of');
    const isKnown = years.value.some(({ period }) => period === year);
    // Depend on this year alone, or on all years if this year has no articles.
    const used = isKnown ? countName(order, year) : above;
    this.use(years, name => name === used || !(name === above || isBelow(name, above)));
    return isKnown ? this.read(api.articleMonths(year, order), 'made-of') : [];
  }

  async entries(type: EntryType, role: ContentRole = 'made-of'): Promise<readonly EntrySummary[]> {
    const request = this.source.api.entries(type);
    const entries = await this.read(request, role);
    this.wholes.add(request.key);
    return entries;
  }

  async cards(type: EntryType, role: ContentRole = 'used'): Promise<readonly EntrySummary[]> {
    const content = await this.load(this.source.api.entries(type), role);
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

  async entryTitle(type: EntryType, slug: string): Promise<string | null> {
    const isUsed = (name: string, value: Entry | null) =>
      value ? name === tagNames.part(type, value.id, 'link') : true;
    return (await this.read(this.source.api.entry(type, slug), 'optional', isUsed))?.title ?? null;
  }

  /** Whether redirects and categories can be read without waiting for the backend. */
  get isAddressCached(): boolean {
    const { cache } = this.source;
    return cache.has(siteTypes.redirect.path) && cache.isFresh(siteTypes.category.path);
  }

  cachedSettings(): Settings | null {
    return this.peek<Settings>(siteTypes.settings.path) ?? null;
  }

  peek<T extends object | null>(key: string): T | undefined {
    const entry = this.source.cache.peek<T>(key);
    if (!entry || isPastItsDates(entry.value)) return;
    this.options.onEvent?.('peeked', key);
    this.endAt(entry.value.dates);
    // Error pages are made without a call to the CMS, so they show links to entries as plain text.
    const isLinked = entry.tags.some(isEntryLink);
    return isLinked ? withPaths(entry.value.value, () => null) : entry.value.value;
  }
}

function isPartOfEntry(name: string): boolean {
  const entry = name.indexOf(':');
  return entry !== -1 && name.includes('.', entry);
}

export function withReader(source: ContentSource): ContentSource & { readonly openReader: OpenReader } {
  return { ...source, openReader: options => new ContentReader(source, options) };
}

/** The id of the entry that had this slug earlier, or has it without German spelling (`muller`). */
function idBefore(slug: string, renamed: RenamedEntry | null, named: Pick<Authors, 'byPlainSlug'>): string {
  return renamed?.id ?? named.byPlainSlug.get(slug) ?? '';
}
