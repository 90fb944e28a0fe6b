import { fixedAddressOf } from '../../server/addresses/fixed-addresses.ts';
import type { ContentReader } from '../../server/content/reading/content-reader.ts';
import { tagNames } from '../../server/content/tags/content-tags.ts';
import { isHiddenBy } from '../../server/decode/decode-seo.ts';
import { entryHead } from '../../server/loading/head.ts';
import {
  asPublisher,
  breadcrumbsJsonLd,
  faqJsonLd,
  readOrganization,
  type serviceJsonLd,
} from '../../server/loading/json-ld.ts';
import {
  type LoaderContext,
  locationOf,
  type PageOf,
  type RouteContent,
} from '../../server/loading/loader.ts';
import { createPageIds } from '../../server/loading/page-ids.ts';
import { withPosters } from '../../server/rich-text/nodes/film-posters.ts';
import { headings } from '../../server/rich-text/nodes/read-rich-text.ts';
import {
  type Entry,
  type EntrySummary,
  type EntryType,
  listedTypes,
  type PageType,
  type ShownEntry,
} from '../../shared/content/entries.ts';
import type { Breadcrumb } from '../../shared/content/links.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import { type PageDataByRoute, type ParamsOf, pathTo } from '../../shared/routing/routes.ts';
import { questionsIn, shownSections } from '../blocks/completions.server.ts';
import type { EntryPageData, ListedEntries } from './entry-data.ts';
import { contactsOf } from './page-contacts.server.ts';

const RELATED_ENTRIES = 3;

type EntryRoute = PageType['route'];
/** The routes whose pages show an entry and nothing beside it. */
type PlainRoute = {
  [Id in EntryRoute]: EntryPageData extends PageDataByRoute[Id] ? Id : never;
}[EntryRoute];

/** @param jsonLdOf makes the structured data of an entry, such as a service. */
export function entryContent(type: PageType, jsonLdOf?: typeof serviceJsonLd): RouteContent<PlainRoute> {
  return {
    load: context => loadEntry(context, type.path, jsonLdOf),
    moved: (reader, params) => movedEntry(reader, type, params),
    zone: (reader, { slug }) => reader.entry(type.path, slug),
    locations: reader => entryLocations(reader, type),
  };
}

export async function movedEntry(
  reader: ContentReader,
  type: PageType,
  { slug }: ParamsOf<EntryRoute>,
): Promise<string | null> {
  const present = await reader.presentSlug(type, slug);
  // Prefer an entry that has the slug now. The request that got the 404 has already asked, so this is cached.
  if (present === null || (await reader.entry(type.path, slug)) !== null) return null;
  const entry = await reader.entry(type.path, present);
  return entry && pathTo(type.route, { slug: entry.slug });
}

export async function entryLocations(reader: ContentReader, { path, route }: PageType) {
  const entries = await reader.entries(path, 'used');
  return entries
    .filter(({ slug, seo }) => fixedAddressOf(path, slug) === null && !isHiddenBy(seo?.metaRobots))
    .map(({ slug, updatedAt, cover }) =>
      locationOf(route, { slug }, { lastModified: updatedAt, picture: cover?.src ?? null }),
    );
}

async function loadEntry(
  { reader, params, path, origin }: LoaderContext<EntryRoute>,
  type: EntryType,
  jsonLdOf?: typeof serviceJsonLd,
): Promise<PageOf<EntryPageData>> {
  const [entry, parent] = await Promise.all([reader.entry(type, params.slug), parentCrumb(reader, path)]);
  if (!entry) throw HttpError.notFound(path);
  // Load the list only for an existing entry. It is nearly always in the cache.
  const siblings = await reader.cards(type, 'optional');
  const breadcrumbs: readonly Breadcrumb[] = [...parent, { title: entry.title, href: null }];
  const provider = jsonLdOf && asPublisher(await readOrganization(reader, origin));
  const jsonLd = [
    ...(provider ? [jsonLdOf(entry, provider, path, origin)] : []),
    ...breadcrumbsJsonLd(breadcrumbs, path, origin),
    ...faqJsonLd([...entry.questions, ...questionsIn(entry.sections)]),
  ];
  const about = tagNames.entry(type, entry.id);
  const ids = createPageIds();
  const { seo: _, sections, ...rest } = entry;
  const own = { ...rest, body: withPosters(rest.body, rest.cover) };
  const shown = ids.entry(own);
  return {
    kind: 'page',
    data: {
      entry: shown,
      headings: headings(shown.body),
      ...shownSections(sections, ids, entry.id),
      related: relatedTo(entry, type, siblings),
      contacts: await contactsOf(entry, reader),
      breadcrumbs,
    },
    head: {
      ...entryHead(entry),
      card: { title: entry.title, label: parent[0]?.title ?? null, author: null },
      modifiedTime: entry.updatedAt,
    },
    jsonLd,
    about,
  };
}

/** @returns the next entries in the list of this type. After the end of the list, its first ones follow. */
function relatedTo({ id }: Entry, type: EntryType, all: readonly EntrySummary[]): ListedEntries | null {
  const listed = listedTypes.find(({ path }) => path === type);
  const place = all.findIndex(other => other.id === id);
  const items = [...all.slice(place + 1), ...all.slice(0, Math.max(place, 0))].slice(0, RELATED_ENTRIES);
  return listed && items.length > 0 ? { route: listed.route, items: items.map(cardOf) } : null;
}

/** Leave out fields that would change the page without being shown. */
export function cardOf({ updatedAt: _, seo: __, ...card }: EntrySummary): ShownEntry {
  return card;
}

async function parentCrumb(reader: ContentReader, path: string): Promise<readonly Breadcrumb[]> {
  const slug = path.split('/')[1] ?? '';
  const title = await reader.entryTitle('pages', slug);
  const params: ParamsOf<'page'> = { slug };
  return title === null ? [] : [{ title, href: pathTo('page', params) }];
}
