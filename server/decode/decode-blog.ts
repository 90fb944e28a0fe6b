import type { Article, ArticleSummary, BlogPageConfig, Category } from '../../shared/content/blog.ts';
import type { FieldDescription, FieldDescriptions } from '../../shared/content/descriptions.ts';
import {
  type Entry,
  type EntrySummary,
  type EntryType,
  entryTypes,
  type FieldsOfPages,
} from '../../shared/content/entries.ts';
import type { JsonObject } from '../../shared/content/json.ts';
import { fail, ok } from '../../shared/result.ts';
import { siteTypes } from '../../site/types.ts';
import { fixedAddressOf } from '../addresses/fixed-addresses.ts';
import { headings, readingMinutes, wholeText } from '../rich-text/nodes/read-rich-text.ts';
import type { DecodeContext } from '../wire/decode-context.ts';
import type { WireEntry } from '../wire/wire.ts';
import { decodeFields, entityDecoder, inLists } from './decode-entity.ts';
import { type DecodeRow, mappedRow } from './decode-fields.ts';
import { withSeo } from './decode-seo.ts';

export const decodeCategory: DecodeRow<Category> = mappedRow(entityDecoder(siteTypes.category), withSeo);
export const decodeAuthor = entityDecoder(siteTypes.author);
export const decodeTag = entityDecoder(siteTypes.tag);
const decodeListedArticle = entityDecoder(inLists(siteTypes.article));

/** Decodes the texts of the blog. A record with only null fields is valid: the page has no texts. */
export function decodeBlogPage({ attributes }: WireEntry, context: DecodeContext): BlogPageConfig {
  return {
    attributes: attributes as JsonObject,
    ...withSeo(decodeFields(siteTypes.blog, attributes, context), context),
  };
}

/** Fails for an article without an address: it lacks a category, or the site itself uses the address. */
export function requireCategory<T extends { slug: string; category: { slug: string } | null }>(
  decodeRow: DecodeRow<T>,
): DecodeRow<Omit<T, 'category'> & { category: NonNullable<T['category']> }> {
  return (row, context) => {
    const decoded = decodeRow(row, context);
    if (!decoded.ok) return decoded;
    const { category, ...others } = decoded.value;
    if (!category) return fail({ reason: 'an article without a category has no address', field: 'category' });
    if (fixedAddressOf(siteTypes.category.path, category.slug) !== null)
      return fail({ reason: 'the address of its category belongs to the site itself', field: 'category' });
    if (fixedAddressOf(siteTypes.article.path, `${category.slug}/${decoded.value.slug}`) !== null)
      return fail({ reason: 'its address is that of a feed', field: 'slug' });
    return ok({ ...others, category });
  };
}

export const decodeArticleSummary: DecodeRow<ArticleSummary> = requireCategory(decodeListedArticle);

/** Decodes an article. Without a category it is decoded too, and its page is a 404. */
export const decodeArticle: DecodeRow<Article> = mappedRow(
  entityDecoder(siteTypes.article),
  (values, context) => {
    const article = withSeo(values, context);
    return {
      ...article,
      headings: headings(article.body),
      readingMinutes: readingMinutes(wholeText(article)),
    };
  },
);

type PageType = (typeof entryTypes)[number];

interface EntryDecoders {
  readonly type: PageType;
  readonly summary: DecodeRow<EntrySummary>;
  readonly full: DecodeRow<Entry>;
}

/** Gives each type the fields of all types. Fields of other types are empty, so they are optional. */
function withFieldsOfAll(types: readonly PageType[]) {
  const fields = types.flatMap(type => Object.entries<FieldDescription>(type.fields));
  const listed = new Map(fields.filter(([, field]) => field.inLists));
  return types.map(type => {
    const own: FieldDescriptions = type.fields;
    const all = [...new Map(fields)].map(([name, { required: _, ...field }]) => {
      const { inLists: isListed } = listed.get(name) ?? {};
      return [name, { ...(isListed && { inLists: isListed }), ...(own[name] ?? field) }] as const;
    });
    // Safe: all names are present, and the type requires only fields that all page types require.
    return { type, described: { ...type, fields: Object.fromEntries(all) as unknown as FieldsOfPages } };
  });
}

export function decodersOfPages(types: readonly PageType[]): ReadonlyMap<string, EntryDecoders> {
  const decoders = withFieldsOfAll(types).map(({ type, described }) => {
    const full: DecodeRow<Entry> = mappedRow(entityDecoder(described), withSeo);
    return [type.path, { type, summary: entityDecoder(inLists(described)), full }] as const;
  });
  return new Map(decoders);
}

const entryDecoders = decodersOfPages(entryTypes);

export function entryDecodersOf(path: EntryType): EntryDecoders {
  const found = entryDecoders.get(path);
  if (!found) throw new Error(`No type of pages '${path}'`);
  return found;
}
