import { fail, ok, type Result } from '../../../shared/result.ts';
import { pathTo, type RouteId } from '../../../shared/routing/routes.ts';
import { safeSlug } from '../../addresses/safe-address.ts';
import { slugOfName } from '../../addresses/slug-of-name.ts';
import { routesOfType } from '../../addresses/type-routes.ts';
import { callOf, joined, pageOf } from '../../wire/content-calls.ts';
import { type ServedType, servedType, tagOfModel } from '../../wire/described-types.ts';
import { entryOf, rowsOf, textOf } from '../../wire/wire.ts';
import { idFilter } from '../articles/article-selection.ts';
import type { Ask } from '../requests/content-request.ts';

/** Strapi's unique name of a type, such as `api::article.article`. */
const UID = /^api::[\w-]+\.([\w-]+)$/;

export const NO_CATEGORY =
  'The article has no category, and its address begins with that of a category. Choose one, and save the article.';

/** The path of the page that shows an entry, or in words for its editor why none does. */
export type EntryPath = Result<string, string>;

/** @param model a name or unique name. @param id `documentId`, or `id` in Strapi 4. */
export async function pathOfEntry(ask: Ask, model: string, id: string): Promise<EntryPath> {
  const type = servedType(tagOfModel(UID.exec(model)?.[1] ?? model) ?? '');
  if (!type) return fail('No page of this site shows entries of this type.');
  const { route: own, readBy } = routesOfType(type.path);
  const [reader = 'home'] = readBy === 'every page' ? [] : readBy;
  const route = own ?? reader;
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
    idFilter([], id),
    // A backend may have no slugs of authors and tags.
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
