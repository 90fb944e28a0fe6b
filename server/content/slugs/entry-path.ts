import { fail, ok, type Result } from '../../../shared/result.ts';
import { pathTo, type RouteId, routeById } from '../../../shared/routing/routes.ts';
import { siteRoutes } from '../../../site/routes.ts';
import { safeSlug } from '../../addresses/safe-address.ts';
import { slugOfName } from '../../addresses/slug-of-name.ts';
import { pathOfSlug, queryOfRelations, relationsInPath, routesOfType } from '../../addresses/type-routes.ts';
import { callOf, joined, pageOf } from '../../wire/content-calls.ts';
import { type ServedType, servedType, tagOfModel } from '../../wire/described-types.ts';
import { entryOf, rowsOf, textOf } from '../../wire/wire.ts';
import { idFilter } from '../articles/article-selection.ts';
import type { Ask } from '../requests/content-request.ts';

/** Strapi's unique name of a type, such as `api::article.article`. */
const UID = /^api::[\w-]+\.([\w-]+)$/;

type EntryPath = Result<string, string>;

/**
 * @param model the type's name, or its unique name in Strapi.
 * @param id `documentId`, or `id` in Strapi 4.
 * @param locale the locale of addresses that are made from names.
 */
export async function pathOfEntry(ask: Ask, model: string, id: string, locale: string): Promise<EntryPath> {
  const type = servedType(tagOfModel(UID.exec(model)?.[1] ?? model) ?? '');
  if (!type) return fail('No page of this site shows entries of this type.');
  // The home page shows content that has no page of its own.
  const { route = siteRoutes.home } = routesOfType(type.path);
  return routeById(route).path.includes(':')
    ? pageOfEntry(ask, type, route, id, locale)
    : ok(pathTo(route, {} as never));
}

async function pageOfEntry(
  ask: Ask,
  type: ServedType,
  route: RouteId,
  id: string,
  locale: string,
): Promise<EntryPath> {
  // Request all fields of authors and tags, because a backend may lack their field `slug`.
  const isNamed = type.fields.slug?.required !== true;
  const query = joined(
    idFilter([], id),
    isNamed ? '' : 'fields[0]=slug',
    queryOfRelations(route),
    pageOf(1, 1),
  );
  const [row] = rowsOf((await ask(callOf(type, query))).body) ?? [];
  const entry = entryOf(row);
  if (!entry) return fail('The CMS has no such entry. Save it first.');
  const slug =
    safeSlug(entry.attributes.slug) ??
    (isNamed ? slugOfName(textOf(entry.attributes.name) ?? '', locale) : null);
  if (slug === null)
    return fail('The entry has no address yet. Fill in the last part of its address (slug), and save it.');
  const path = pathOfSlug(route, entry.attributes, slug);
  return path === null ? fail(withoutRelation(type, relationsInPath(route).join(' or '))) : ok(path);
}

export function withoutRelation({ noun }: Pick<ServedType, 'noun'>, relation: string): string {
  const entry = noun.replace(/^an? /, '');
  return `The ${entry} has no ${relation}, and its address begins with that of a ${relation}. Choose one, and save the ${entry}.`;
}
