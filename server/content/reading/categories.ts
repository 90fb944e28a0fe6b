import type { Category } from '../../../shared/content/blog.ts';
import { fail, ok } from '../../../shared/result.ts';
import { siteTypes } from '../../../site/types.ts';
import { fixedAddressOf } from '../../addresses/fixed-addresses.ts';
import { storedSlugOf } from '../../addresses/slug-spellings.ts';
import { decodeCategory } from '../../decode/decode-blog.ts';
import type { DecodeRow } from '../../decode/decode-fields.ts';
import { entryOf } from '../../wire/wire.ts';
import type { Lists } from '../lists/lists.ts';
import type { ContentRequest } from '../requests/content-request.ts';
import { type AddressRank, compareRanks, rankOf } from '../slugs/address-clashes.ts';
import type { CategoryLinks } from './read-values.ts';

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

export function categoriesRequest(lists: Pick<Lists, 'complete'>): ContentRequest<CategoryLinks<Category>> {
  return lists.complete(siteTypes.category, 'full', decodeStoredCategory, stored => {
    const list: Category[] = [];
    const winners = new Map<string, { stored: StoredCategory; category: Category }>();
    for (const each of stored) {
      // Skip a category with a reserved address. The log reports it, and its articles have no address either.
      if (fixedAddressOf(siteTypes.category.path, each.slug) !== null) continue;
      const { storedSlug: _storedSlug, rank: _rank, ...category } = each;
      list.push(category);
      // Choose a winner, because several categories may have the same address.
      const known = winners.get(each.slug);
      if (!known || compareRanks(each.rank, known.stored.rank) < 0)
        winners.set(each.slug, { stored: each, category });
    }
    return {
      list,
      bySlug: new Map([...winners].map(([slug, { category }]) => [slug, category])),
      storedSlugs: new Map([...winners].map(([slug, { stored }]) => [slug, stored.storedSlug])),
    };
  });
}
