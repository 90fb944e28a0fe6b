import type { SearchPageData } from '../../../shared/payload/search-data.ts';
import { pathTo } from '../../../shared/routing/routes.ts';

export function searchAddress(
  query: string,
  {
    kind = null,
    category = null,
    page = 1,
  }: Partial<Pick<SearchPageData, 'kind' | 'category' | 'page'>> = {},
): string {
  const values = new URLSearchParams({ q: query });
  if (kind !== null) values.set('type', kind);
  if (category !== null) values.set('category', category);
  if (page > 1) values.set('page', String(page));
  return `${pathTo('search', {})}?${values}`;
}
