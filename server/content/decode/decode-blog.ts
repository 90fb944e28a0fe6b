import type {
  Article,
  ArticleSummary,
  Author,
  BlogPageConfig,
  Category,
  CategoryRef,
  Seo,
} from '../../../shared/content/blog.ts';
import type { JsonObject } from '../../../shared/content/json.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { readingMinutes } from '../rich-text/read-rich-text.ts';
import { safeSlug } from '../safe-address.ts';
import { type DecodeContext, type DecodeRow, imageOf, questionsOf, requireEntry } from './decode-fields.ts';
import { dateOf, entryOf, textOf, type WireEntry } from './wire.ts';

/** A category needs a name and a slug. */
export const decodeCategory: DecodeRow<Category> = (row, context) => {
  const entry = requireEntry(row);
  if (!entry.ok) return entry;
  const { id, attributes } = entry.value;
  const ref = categoryRef(entry.value);
  if (!ref) return fail('a category needs a name and a slug');
  return ok({
    ...ref,
    id,
    description: textOf(attributes.description),
    title: textOf(attributes.title),
    h1: textOf(attributes.h1),
    questions: questionsOf(attributes.questions, context),
  });
};

/** An author needs a name. */
export const decodeAuthor: DecodeRow<Author> = (row, context) => {
  const entry = requireEntry(row);
  if (!entry.ok) return entry;
  const { id, attributes } = entry.value;
  const name = textOf(attributes.name);
  if (!name) return fail('an author needs a name');
  return ok({
    id,
    name,
    description: textOf(attributes.description),
    position: textOf(attributes.position),
    image: imageOf(attributes.image, context),
  });
};

/** @returns the blog's own page; a record of null fields is a blog page without words, not an error. */
export function decodeBlogPage(entry: WireEntry, context: DecodeContext): BlogPageConfig {
  const { attributes } = entry;
  return {
    attributes: attributes as JsonObject,
    title: textOf(attributes.title),
    description: textOf(attributes.description),
    h1: textOf(attributes.h1),
    questions: questionsOf(attributes.questions, context),
  };
}

/** An article of a list needs a title, a slug and a category: without one it has no address. */
export const decodeArticleSummary: DecodeRow<ArticleSummary> = (row, context) => {
  const decoded = articleBase(row, context);
  if (!decoded.ok) return decoded;
  const { category, ...summary } = decoded.value.summary;
  return category ? ok({ ...summary, category }) : fail('an article without a category has no address');
};

/** An article in full. One without a category is decoded all the same; its page is a 404. */
export const decodeArticle: DecodeRow<Article> = (row, context) => {
  const decoded = articleBase(row, context);
  if (!decoded.ok) return decoded;
  const { attributes, summary } = decoded.value;
  const body = context.richText.compile(attributes.body);
  return ok({
    ...summary,
    h1: textOf(attributes.h1),
    body,
    headings: context.richText.headings(body),
    readingMinutes: readingMinutes(body),
    questions: questionsOf(attributes.questions, context),
    seo: decodeSeo(attributes, context),
  });
};

/** What an editor may set for search engines; null where the entry's own serves. */
export function decodeSeo(attributes: Record<string, unknown>, context: DecodeContext): Seo {
  return {
    title: textOf(attributes.seoTitle),
    description: textOf(attributes.seoDescription),
    image: imageOf(attributes.seoImage, context),
  };
}

type ArticleBase = Omit<ArticleSummary, 'category'> & { category: CategoryRef | null };

function articleBase(
  row: unknown,
  context: DecodeContext,
): Result<{ attributes: Record<string, unknown>; summary: ArticleBase }> {
  const entry = requireEntry(row);
  if (!entry.ok) return entry;
  const { id, attributes } = entry.value;
  const title = textOf(attributes.title);
  const slug = safeSlug(textOf(attributes.slug));
  // Strapi 5 sets `publishedAt` anew at each publish, so an editor's own date comes first.
  const date = dateOf(attributes.date) ?? dateOf(attributes.publishedAt) ?? dateOf(attributes.createdAt);
  if (!title || !slug || !date) return fail('an article needs a title, a slug and a date');
  const category = entryOf(attributes.category);
  const author = decodeAuthor(attributes.author, context);
  return ok({
    attributes,
    summary: {
      id,
      title,
      description: textOf(attributes.description),
      slug,
      category: category && categoryRef(category),
      author: author.ok ? author.value : null,
      cover: imageOf(attributes.cover, context),
      date,
      updatedAt: dateOf(attributes.updatedAt),
    },
  });
}

function categoryRef({ id, attributes }: WireEntry): CategoryRef | null {
  const name = textOf(attributes.name);
  const slug = safeSlug(textOf(attributes.slug));
  return name && slug ? { id, name, slug } : null;
}
