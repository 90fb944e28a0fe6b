import { fail, ok, type Result } from '../../shared/result.ts';
import { pathTo, type RouteId } from '../../shared/routing/routes.ts';
import { callOf, joined, pageOf } from './content-calls.ts';
import type { Ask } from './content-request.ts';
import { entryOf, rowsOf, textOf } from './decode/wire.ts';
import { type ServedType, servedType, tagOfModel } from './described-types.ts';
import { safeSlug } from './safe-address.ts';
import { slugOfName } from './slugs/slug-of-name.ts';

/** Strapi's unique name of a type, such as `api::article.article`. */
const UID = /^api::[\w-]+\.([\w-]+)$/;

/** An article without a category. */
export const NO_CATEGORY =
  'The article has no category, and its address begins with that of a category. Choose one, and save the article.';

/** The path of the page that shows an entry, or the reason why none does, in words for its editor. */
export type EntryPath = Result<string, string>;

/**
 * @param model the name of the entry's type, or its unique name.
 * @param id the entry's `documentId`, or its `id` in Strapi 4. A type without pages of its own, and a single type, need none.
 * @returns the path of the page that shows an entry: its own page, else the first page that reads its type.
 */
export async function pathOfEntry(ask: Ask, model: string, id: string): Promise<EntryPath> {
  const type = servedType(tagOfModel(UID.exec(model)?.[1] ?? model) ?? '');
  if (!type) return fail('No page of this site shows entries of this type.');
  const [reader = 'home'] = type.readBy === 'every page' ? [] : type.readBy;
  const route = type.route ?? reader;
  if (route === 'home' || route === 'blog') return ok(pathTo(route, {}));
  if (isArchive(route)) return ok(pathTo('blog-archive', {}));
  return pageOfEntry(ask, type, route, id);
}

type ArchiveRoute = 'blog-archive' | 'blog-archive-year' | 'blog-archive-month';

function isArchive(route: RouteId): route is ArchiveRoute {
  return route.startsWith('blog-archive');
}

async function pageOfEntry(
  ask: Ask,
  type: ServedType,
  route: Exclude<RouteId, 'home' | 'blog' | ArchiveRoute>,
  id: string,
): Promise<EntryPath> {
  const isNamed = route === 'blog-author' || route === 'blog-tag';
  const query = joined(
    `filters[${/^\d+$/.test(id) ? 'id' : 'documentId'}][$eq]=${encodeURIComponent(id)}`,
    // A backend may know no slugs of authors and tags.
    isNamed ? '' : 'fields[0]=slug',
    route === 'blog-article' ? 'populate[category][fields][0]=slug' : '',
    pageOf(1, 1),
  );
  const [row] = rowsOf((await ask(callOf(type, query))).body) ?? [];
  const entry = entryOf(row);
  if (!entry) return fail('The CMS has no such entry. Save it first.');
  const slug =
    safeSlug(entry.attributes.slug) ?? (isNamed ? slugOfName(textOf(entry.attributes.name) ?? '') : null);
  if (slug === null)
    return fail('The entry has no address yet. Fill in the last part of its address (slug), and save it.');
  if (route === 'blog-category') return ok(pathTo(route, { category: slug }));
  if (route !== 'blog-article') return ok(pathTo(route, { slug }));
  const category = safeSlug(entryOf(entry.attributes.category)?.attributes.slug);
  if (category === null) return fail(NO_CATEGORY);
  return ok(pathTo(route, { category, slug }));
}
