import { fixedAddressOf } from '../../../server/addresses/fixed-addresses.ts';
import { tagNames } from '../../../server/content/tags/content-tags.ts';
import { entryHead } from '../../../server/loading/head.ts';
import { breadcrumbsJsonLd, faqJsonLd } from '../../../server/loading/json-ld.ts';
import type { Loader, RouteContent } from '../../../server/loading/loader.ts';
import { createPageIds } from '../../../server/loading/page-ids.ts';
import { headings } from '../../../server/rich-text/nodes/read-rich-text.ts';
import { contentTypes } from '../../../shared/content/content-types.ts';
import { listedTypes } from '../../../shared/content/entries.ts';
import { HttpError } from '../../../shared/payload/http-error.ts';
import { routeById } from '../../../shared/routing/routes.ts';
import { questionsIn, shownSections } from '../../blocks/completions.server.ts';
import { cardOf, entryLocations, movedEntry } from '../../parts/entries.server.ts';
import { contactsOf } from '../../parts/page-contacts.server.ts';
import type { GenericPageData } from './page.route.ts';

/** The type that a page lists, by the page's slug. The addresses of its entries begin with that slug. */
const LISTED = new Map(listedTypes.map(type => [routeById(type.route).path.split('/')[1] ?? '', type]));

const loadGenericPage: Loader<'page'> = async ({ reader, params, path, origin }) => {
  const listed = LISTED.get(params.slug);
  const [page, items] = await Promise.all([
    reader.entry('pages', params.slug),
    listed ? reader.cards(listed.path) : null,
  ]);
  if (!page || fixedAddressOf('pages', params.slug) !== null) throw HttpError.notFound(path);
  const ids = createPageIds();
  const { seo: _, sections, ...own } = page;
  const shown = ids.entry(own);
  const data: GenericPageData = {
    page: shown,
    headings: headings(shown.body),
    ...shownSections(sections, ids, page.id),
    contacts: await contactsOf(page, reader),
    entries: listed && items ? { route: listed.route, items: items.map(cardOf) } : null,
    breadcrumbs: [{ title: page.title, href: null }],
  };
  const jsonLd = [
    ...breadcrumbsJsonLd(data.breadcrumbs, path, origin),
    ...faqJsonLd([...page.questions, ...questionsIn(sections)]),
  ];
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

const content: RouteContent<'page'> = {
  load: loadGenericPage,
  moved: (reader, params) => movedEntry(reader, contentTypes.page, params),
  zone: (reader, { slug }) => reader.entry('pages', slug),
  locations: reader => entryLocations(reader, contentTypes.page),
};

export default content;
