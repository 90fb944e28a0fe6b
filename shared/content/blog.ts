import type { EntityOf, FieldsOf, SummaryOf } from './content-types.ts';
import type { Image } from './image.ts';
import type { JsonObject } from './json.ts';
import type { RichHeading } from './rich-text.ts';

/** A category of the blog. */
export type Category = WithSeo<EntityOf<'category'>>;

/** An author of articles. `image` is the first of the author's images, `slug` the last part of the address of the author's page. */
export type Author = WithSlug<EntityOf<'author'>>;

/** A tag of articles. `slug` is the last part of the address of its page. */
export type Tag = WithSlug<EntityOf<'tag'>>;
/** The part of a tag that links need. */
export type TagRef = Pick<Tag, 'name' | 'slug'>;

/** An entry that has an address, whether or not its record has a slug. */
type WithSlug<T extends { slug: string | null }> = Omit<T, 'slug'> & { slug: string };

/** The part of a category that links, lists and breadcrumbs need. */
export type CategoryRef = Pick<Category, 'id' | 'name' | 'slug'>;

/** An article as the lists show it. */
export type ArticleSummary = Omit<SummaryOf<'article'>, 'category'> & { category: CategoryRef };

/** The fields that an entity combines in one object `seo`. */
export type SeoField = 'seo' | 'seoTitle' | 'seoDescription' | 'seoImage';

/** An entity whose values for search engines are combined. */
export type WithSeo<T> = Omit<T, SeoField> & { seo: Seo };

/** An entity as its page shows it. The values for search engines stay on the server. */
export type Shown<T> = Omit<T, 'seo'>;

/** An article as its card shows it. */
export type ShownArticle = Omit<ArticleSummary, 'author' | 'updatedAt'> & {
  /** `slug` is null for an author without a page. */
  author: Pick<EntityOf<'author'>, 'name' | 'slug'> | null;
};

/** A complete article. An article without a category has no address, so its page is a 404. */
export interface Article extends Omit<EntityOf<'article'>, SeoField> {
  /** The body's headings of the second and third level, in order. */
  headings: readonly RichHeading[];
  /** The reading time at 220 words a minute, at least 1. */
  readingMinutes: number;
  seo: Seo;
}

/** An editor's values for search engines and shared links. Null means the entry's own value. */
export interface Seo {
  title: string | null;
  description: string | null;
  image: Image | null;
  /** The address of the page that search engines list in place of this one: a path, or an absolute address. */
  canonical: string | null;
  /** The rules for robots, such as `noindex`. Never empty. */
  robots: readonly string[] | null;
}

/** The record `main-page`: the blog's start page. */
export interface BlogPageConfig extends WithSeo<FieldsOf<'main-page'>> {
  /** All attributes of the record. They stay on the server. */
  attributes: JsonObject;
}

/** One page of a list, 1-based. */
export interface ListPage<T> {
  items: readonly T[];
  page: number;
  pageCount: number;
  total: number;
}
