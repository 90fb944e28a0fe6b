import { pathTo, type RouteId } from '../../shared/routing/routes.ts';
import { callOf, joined, pageOf } from './content-calls.ts';
import type { Ask } from './content-request.ts';
import { entryOf, rowsOf } from './decode/wire.ts';
import { type ServedType, servedType, tagOfModel } from './described-types.ts';
import { safeSlug } from './safe-address.ts';

/** Strapi's unique name of a type, such as `api::article.article`. */
const UID = /^api::[\w-]+\.([\w-]+)$/;

/**
 * @param model the name of the entry's type, or its unique name.
 * @param id the entry's `documentId`, or its `id` in Strapi 4. A type without pages of its own, and a single type, need none.
 * @returns the path of the page that shows an entry: its own page, else the first page that reads its type. Null for an unknown type, and for
 *   an entry that does not exist or has no address.
 */
export async function pathOfEntry(ask: Ask, model: string, id: string): Promise<string | null> {
  const type = servedType(tagOfModel(UID.exec(model)?.[1] ?? model) ?? '');
  if (!type) return null;
  const [reader = 'home'] = type.readBy === 'every page' ? [] : type.readBy;
  const route = type.route ?? reader;
  if (route === 'home' || route === 'blog') return pathTo(route, {});
  return pageOfEntry(ask, type, route, id);
}

async function pageOfEntry(
  ask: Ask,
  type: ServedType,
  route: Exclude<RouteId, 'home' | 'blog'>,
  id: string,
): Promise<string | null> {
  const query = joined(
    `filters[${/^\d+$/.test(id) ? 'id' : 'documentId'}][$eq]=${encodeURIComponent(id)}&fields[0]=slug`,
    route === 'blog-article' ? 'populate[category][fields][0]=slug' : '',
    pageOf(1, 1),
  );
  const [row] = rowsOf((await ask(callOf(type, query))).body) ?? [];
  const attributes = entryOf(row)?.attributes;
  const slug = safeSlug(attributes?.slug);
  if (slug === null) return null;
  if (route === 'blog-category') return pathTo(route, { category: slug });
  if (route !== 'blog-article') return pathTo(route, { slug });
  const category = safeSlug(entryOf(attributes?.category)?.attributes.slug);
  return category && pathTo(route, { category, slug });
}
