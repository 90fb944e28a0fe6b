import type { EntityOf, FieldsOf, SummaryOf } from './content-types.ts';
import type { JsonObject } from './json.ts';
import type { CategoryRef } from './links.ts';
import type { RichHeading } from './rich-text.ts';
import type { Seo, SeoField, WithSeo } from './seo.ts';

export type Category = WithSeo<EntityOf<'category'>>;

export type Author = WithSlug<EntityOf<'author'>>;

export type Tag = WithSlug<EntityOf<'tag'>>;
export type TagRef = Pick<Tag, 'name' | 'slug'>;

type WithSlug<T extends { slug: string | null }> = Omit<T, 'slug'> & { slug: string };

export type ArticleSummary = Omit<SummaryOf<'article'>, 'category'> & { category: CategoryRef };

export type ShownArticle = Omit<ArticleSummary, 'author' | 'updatedAt'> & {
  author: Pick<EntityOf<'author'>, 'name' | 'slug'> | null;
};

/** A whole article. Without a category it has no address, so its page is a 404. */
export interface Article extends Omit<EntityOf<'article'>, SeoField> {
  headings: readonly RichHeading[];
  readingMinutes: number;
  seo: Seo;
}

/** The record `main-page`: the blog's start page. */
export interface BlogPageConfig extends WithSeo<FieldsOf<'blog'>> {
  /** All attributes of the record, for the server. */
  attributes: JsonObject;
}

export interface ListPage<T> {
  items: readonly T[];
  page: number;
  pageCount: number;
  total: number;
}
