import { zoneComponents } from '../../shared/content/zone-kinds.ts';
import { fact, link, offer, question, seo as seoComponent } from '../components.ts';

/** The consequence of a CMS without tags, for the log. */
export const NO_TAGS = 'articles show no tags, and there are no pages of tags';

/** Fields of several types. */

export const title = {
  kind: 'text',
  label: 'Title',
  hint: 'In lists and in the tab of the browser',
} as const;
export const description = {
  kind: 'text',
  label: 'Description',
  hint: 'Below the heading, in lists and for search engines',
  long: true,
} as const;
export const h1 = {
  kind: 'text',
  label: 'Heading',
  hint: 'Only if the heading of the page differs from the title',
} as const;
export const heading = {
  title: { ...title, hint: 'In the tab of the browser' },
  description,
  h1,
} as const;
export const name = { kind: 'text', label: 'Name', required: true } as const;
export const slug = {
  kind: 'slug',
  label: 'Address',
  hint: 'The end of the page’s address. It follows the title until the page is published',
  required: true,
} as const;
export const questions = {
  kind: 'list',
  component: question,
  label: 'Questions and answers',
  hint: 'Shown below the text',
} as const;

export const cta = {
  kind: 'object',
  component: offer,
  label: 'Offer',
  hint: 'Only if it differs from the offer of the settings',
} as const;

export const contactForm = {
  kind: 'flag',
  label: 'Show the contact form',
  hint: 'Above the text of a page, and below that of a product',
} as const;
export const contactPerson = {
  kind: 'text',
  label: 'Contact person',
  hint: 'Who answers the contact form, in place of the person of the settings: the name of an author',
} as const;

export const links = { kind: 'list', component: link } as const;

const SEARCH_ENGINES = 'Search engines';
/** Shared by the fields that the component `seo` has replaced. Values of the component take precedence. */
const formerSeo = { group: SEARCH_ENGINES, former: true } as const;
/** The component, whose values take precedence over `seoTitle`, `seoDescription` and `seoImage`. */
export const seo = {
  kind: 'component',
  component: seoComponent,
  label: SEARCH_ENGINES,
  group: SEARCH_ENGINES,
  hint: 'Only where the values of the page itself do not fit',
  optional: 'its entries cannot name a canonical address, and cannot be hidden from search engines',
} as const;
export const seoImage = {
  kind: 'picture',
  label: 'Picture of shared links',
  hint: 'From earlier: a picture in the group above counts',
  ...formerSeo,
  optional: 'shared links to its pages show the cover, or no picture',
} as const;
/** Former slugs. Their addresses redirect to the current one. */
export const previousSlugs = {
  kind: 'lines',
  label: 'Former addresses',
  hint: 'The last part of each former address, one in each line: visitors who ask for it are sent to the present one',
} as const;
export const order = {
  kind: 'order',
  label: 'Place in the list',
  hint: 'The smallest number comes first. Entries without one come last',
} as const;
export const shownDates = {
  publishAt: {
    kind: 'moment',
    label: 'Shown from',
    hint: 'Published, but not shown before this moment. Empty: at once',
    group: 'Plan ahead',
  },
  unpublishAt: {
    kind: 'moment',
    label: 'Shown until',
    hint: 'No longer shown from this moment on. Empty: for ever',
    group: 'Plan ahead',
  },
} as const;
const inLists = { inLists: true, optional: 'its entries appear and disappear by no date' } as const;
/** The same dates for content types whose list queries name the fields to read. */
const listedDates = {
  publishAt: { ...shownDates.publishAt, ...inLists },
  unpublishAt: { ...shownDates.unpublishAt, ...inLists },
} as const;
/** The last change, which Strapi sets and no form shows. */
export const updatedAt = { kind: 'date', label: 'Last change', inLists: true } as const;
export const cover = { kind: 'picture', label: 'Cover', inLists: true, placeWidth: 800 } as const;

const inForm = [['title', 'slug'], ['description'], ['body']] as const;
export const pageForm = [...inForm, ['sections']] as const;
export const listedForm = [
  ...inForm,
  ['cover', 'order'],
  ['facts'],
  ['sections'],
  ['cta'],
  ['contactForm', 'contactPerson'],
] as const;

export const sections = {
  kind: 'zone',
  of: zoneComponents.map(({ name }) => name),
  label: 'Sections',
  hint: 'Shown after the text, in this order: quotations, pictures, films, callouts, and blocks such as steps. Drag to sort',
  optional: 'texts have no sections such as galleries and callouts',
} as const;

export const textPage = {
  title: { ...title, required: true, inLists: true },
  description: { ...description, inLists: true },
  h1,
  slug: { ...slug, inLists: true },
  body: { kind: 'rich-text', label: 'Text', followedBy: 'sections' },
  sections,
  questions,
  seoTitle: {
    kind: 'text',
    label: 'Title for search engines',
    hint: 'From earlier: a title in the group above counts',
    ...formerSeo,
  },
  seoDescription: {
    kind: 'text',
    label: 'Description for search engines',
    hint: 'From earlier: a description in the group above counts',
    long: true,
    ...formerSeo,
  },
  seo,
  previousSlugs,
  ...listedDates,
} as const;

/** Fields of pages outside the blog. The sitemap reads them in lists too. */
export const sitePage = { ...textPage, cta, seo: { ...seo, inLists: ['metaRobots'] } } as const;

/** Fields of pages that other pages list as cards, in an editor's order. */
export const listedPage = {
  ...sitePage,
  facts: {
    kind: 'list',
    component: fact,
    label: 'Facts',
    hint: 'Price, arrival, limits: shown below the heading. Three or four',
  },
  contactForm,
  contactPerson,
  updatedAt,
  cover,
  seoImage,
  order: {
    ...order,
    inLists: true,
    optional: 'its entries stand in the order of their creation',
  },
} as const;
