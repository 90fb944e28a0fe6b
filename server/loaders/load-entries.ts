import { contentTypes } from '../../shared/content/content-types.ts';
import type { ShownEntry } from '../../shared/content/entries.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { Breadcrumb, EntryRoute, GenericPageData } from '../../shared/payload/payload.ts';
import { type ParamsOf, pathTo } from '../../shared/routing/routes.ts';
import type { EntryType } from '../content/content-api.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { tagNames } from '../content/content-tags.ts';
import { isHiddenBy } from '../content/decode/decode-seo.ts';
import type { ServedType } from '../content/described-types.ts';
import { fixedAddressOf } from '../content/slugs/fixed-addresses.ts';
import { entryHead } from './head.ts';
import { breadcrumbsJsonLd, faqJsonLd, serviceJsonLd } from './json-ld.ts';
import { contactsData } from './load-home.ts';
import { type Loader, type LoaderContext, locationOf, type RouteContent } from './loader.ts';
import { asPublisher, readOrganization } from './organization-json-ld.ts';
import { createPageIds } from './page-ids.ts';

/** The generic pages that list all entries of a type, by slug. The slug is also the first segment of the entries' addresses. */
const LISTING_PAGES: Readonly<Record<string, { route: EntryRoute; type: EntryType }>> = {
  'business-solutions': { route: 'business-solution', type: 'business-solutions' },
  commerce: { route: 'commerce', type: 'commerces' },
};

/** Loads a generic page, with the contacts section if an editor has switched it on, and with the entries that the page lists. */
const loadGenericPage: Loader<'page'> = async ({ reader, params, path, origin }) => {
  const listing = Object.hasOwn(LISTING_PAGES, params.slug) ? LISTING_PAGES[params.slug] : undefined;
  const [page, items] = await Promise.all([
    reader.entry('pages', params.slug),
    listing ? reader.cards(listing.type) : null,
  ]);
  if (!page || fixedAddressOf('pages', params.slug) !== null) throw HttpError.notFound(path);
  const { seo: _, ...shown } = page;
  const data: GenericPageData = {
    page: createPageIds().entry(shown),
    contacts: page.contactForm ? contactsData(await reader.contacts()) : null,
    entries: listing && items ? { route: listing.route, items: items.map(cardOf) } : null,
    breadcrumbs: [{ title: page.title, href: null }],
  };
  const jsonLd = [...breadcrumbsJsonLd(data.breadcrumbs, path, origin), ...faqJsonLd(page.questions)];
  return {
    kind: 'page',
    data,
    head: {
      ...entryHead(page),
      card: { title: page.title, label: null, author: null },
      modifiedTime: page.updatedAt,
    },
    jsonLd,
    about: tagNames.entry('pages', page.id),
  };
};

export const genericPage: RouteContent<'page'> = {
  load: loadGenericPage,
  moved: (reader, params) => movedEntry(reader, 'pages', contentTypes.page, params),
  locations: reader => entryLocations(reader, 'pages', 'page'),
};

export const businessSolution: RouteContent<'business-solution'> = {
  load: context => loadEntry(context, 'business-solutions'),
  moved: (reader, params) =>
    movedEntry(reader, 'business-solutions', contentTypes['business-solution'], params),
  locations: reader => entryLocations(reader, 'business-solutions', 'business-solution'),
};

export const commerce: RouteContent<'commerce'> = {
  load: context => loadEntry(context, 'commerces'),
  moved: (reader, params) => movedEntry(reader, 'commerces', contentTypes.commerce, params),
  locations: reader => entryLocations(reader, 'commerces', 'commerce'),
};

async function movedEntry(
  reader: ContentReader,
  path: EntryType,
  type: ServedType & { readonly route: EntryRoute | 'page' },
  { slug }: ParamsOf<EntryRoute | 'page'>,
): Promise<string | null> {
  const present = await reader.presentSlug(type, slug);
  // An entry that has the slug now comes first. Where the page is a 404 this costs no call.
  if (present === null || (await reader.entry(path, slug)) !== null) return null;
  const entry = await reader.entry(path, present);
  return entry && pathTo(type.route, { slug: entry.slug });
}

async function entryLocations(reader: ContentReader, type: EntryType, route: EntryRoute | 'page') {
  const entries = await reader.entries(type, 'used');
  return entries
    .filter(({ slug, seo }) => fixedAddressOf(type, slug) === null && !isHiddenBy(seo?.metaRobots))
    .map(({ slug, updatedAt, cover }) =>
      locationOf(route, { slug }, { lastModified: updatedAt, picture: cover?.src ?? null }),
    );
}

async function loadEntry({ reader, params, path, origin }: LoaderContext<EntryRoute>, type: EntryType) {
  const [entry, parent] = await Promise.all([reader.entry(type, params.slug), parentCrumb(reader, path)]);
  if (!entry) throw HttpError.notFound(path);
  const breadcrumbs: readonly Breadcrumb[] = [...parent, { title: entry.title, href: null }];
  const provider = asPublisher(await readOrganization(reader, origin));
  const jsonLd = [
    serviceJsonLd(entry, provider, path, origin),
    ...breadcrumbsJsonLd(breadcrumbs, path, origin),
    ...faqJsonLd(entry.questions),
  ];
  const about = tagNames.entry(type, entry.id);
  const { seo: _, ...shown } = entry;
  return {
    kind: 'page' as const,
    data: { entry: createPageIds().entry(shown), breadcrumbs },
    head: {
      ...entryHead(entry),
      card: { title: entry.title, label: parent[0]?.title ?? null, author: null },
      modifiedTime: entry.updatedAt,
    },
    jsonLd,
    about,
  };
}

/** @returns the breadcrumb of the generic page above an entry; an empty array when that page does not exist or cannot be loaded. */
async function parentCrumb(reader: ContentReader, path: string): Promise<readonly Breadcrumb[]> {
  const slug = path.split('/')[1] ?? '';
  const title = await reader.entryTitle('pages', slug);
  const params: ParamsOf<'page'> = { slug };
  return title === null ? [] : [{ title, href: pathTo('page', params) }];
}

/** @returns an entry with the fields of its card alone: others would change the page without being shown. */
function cardOf({ id, title, description, slug, cover }: ShownEntry): ShownEntry {
  return { id, title, description, slug, cover };
}
