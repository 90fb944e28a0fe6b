import type { Category } from '../../shared/content/blog.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { fail, ok } from '../../shared/result.ts';
import { type AddressRank, compareRanks, rankOf } from './address-clashes.ts';
import type { ContentRequest } from './content-request.ts';
import { decodeCategory } from './decode/decode-blog.ts';
import type { DecodeRow } from './decode/decode-fields.ts';
import { entryOf } from './decode/wire.ts';
import type { Lists } from './lists.ts';
import { storedSlugOf } from './slug-spellings.ts';

export interface Categories {
  list: readonly Category[];
  /** By the slug in its canonical form. */
  bySlug: ReadonlyMap<string, Category>;
  /** The slugs as the backend stores them, by their canonical form: filters compare with the stored text. */
  storedSlugs: ReadonlyMap<string, string>;
}

interface StoredCategory extends Category {
  storedSlug: string;
  rank: AddressRank;
}

const decodeStoredCategory: DecodeRow<StoredCategory> = (row, context) => {
  const decoded = decodeCategory(row, context);
  const entry = entryOf(row);
  const rank = rankOf(row);
  if (!decoded.ok || !entry || !rank)
    return decoded.ok ? fail({ reason: 'it has no id', field: null }) : decoded;
  return ok({
    ...decoded.value,
    storedSlug: storedSlugOf(entry) ?? decoded.value.slug,
    rank,
  });
};

/** @returns the request for all categories. */
export function categoriesRequest(lists: Pick<Lists, 'complete'>): ContentRequest<Categories> {
  return lists.complete(contentTypes.category, 'full', decodeStoredCategory, stored => {
    // Several categories may have one address. A Map keeps the last value of a key, so the category that wins comes last.
    const ranked = stored.toSorted((a, b) => compareRanks(a.rank, b.rank)).reverse();
    return {
      list: stored.map(categoryOf),
      bySlug: new Map(ranked.map(category => [category.slug, categoryOf(category)])),
      storedSlugs: new Map(ranked.map(({ slug, storedSlug }) => [slug, storedSlug])),
    };
  });
}

function categoryOf({ storedSlug: _storedSlug, rank: _rank, ...category }: StoredCategory): Category {
  return category;
}
