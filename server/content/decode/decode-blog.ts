import type { Article, ArticleSummary, BlogPageConfig, Category } from '../../../shared/content/blog.ts';
import { contentTypes } from '../../../shared/content/content-types.ts';
import type { JsonObject } from '../../../shared/content/json.ts';
import { fail, ok } from '../../../shared/result.ts';
import { headings, readingMinutes } from '../rich-text/read-rich-text.ts';
import { fixedAddressOf } from '../slugs/fixed-addresses.ts';
import type { DecodeContext } from './decode-context.ts';
import { decodeFields, entityDecoder, inLists } from './decode-entity.ts';
import type { DecodeRow } from './decode-fields.ts';
import { withSeo } from './decode-seo.ts';
import type { WireEntry } from './wire.ts';

const decodeCategoryFields = entityDecoder(contentTypes.category);
export const decodeAuthor = entityDecoder(contentTypes.author);
export const decodeTag = entityDecoder(contentTypes.tag);
const decodeListedArticle = entityDecoder(inLists(contentTypes.article));
const decodeFullArticle = entityDecoder(contentTypes.article);

/** @returns the blog's own page. A record whose fields are all null is no error: the page then has no texts. */
export function decodeBlogPage({ attributes }: WireEntry, context: DecodeContext): BlogPageConfig {
  return {
    attributes: attributes as JsonObject,
    ...withSeo(decodeFields(contentTypes['main-page'], attributes, context), context),
  };
}

export const decodeCategory: DecodeRow<Category> = (row, context) => {
  const decoded = decodeCategoryFields(row, context);
  return decoded.ok ? ok(withSeo(decoded.value, context)) : decoded;
};

/** @returns a decoder that accepts only articles with an address, which begins with that of their category. */
export function requireCategory<T extends { slug: string; category: { slug: string } | null }>(
  decodeRow: DecodeRow<T>,
): DecodeRow<Omit<T, 'category'> & { category: NonNullable<T['category']> }> {
  return (row, context) => {
    const decoded = decodeRow(row, context);
    if (!decoded.ok) return decoded;
    const { category, ...others } = decoded.value;
    if (!category) return fail({ reason: 'an article without a category has no address', field: 'category' });
    if (fixedAddressOf('categories', category.slug) !== null)
      return fail({ reason: 'the address of its category belongs to the site itself', field: 'category' });
    if (fixedAddressOf('articles', `${category.slug}/${decoded.value.slug}`) !== null)
      return fail({ reason: 'its address is that of a feed', field: 'slug' });
    return ok({ ...others, category });
  };
}

/** Decodes an article of a list. */
export const decodeArticleSummary: DecodeRow<ArticleSummary> = requireCategory(decodeListedArticle);

/** Decodes an article in full. An article without a category is decoded, too, and its page is a 404. */
export const decodeArticle: DecodeRow<Article> = (row, context) => {
  const decoded = decodeFullArticle(row, context);
  if (!decoded.ok) return decoded;
  const article = withSeo(decoded.value, context);
  return ok({
    ...article,
    headings: headings(article.body),
    readingMinutes: readingMinutes(article.body),
  });
};
