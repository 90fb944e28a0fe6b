import type {
  Article,
  Author,
  Category,
  CategoryRef,
  ListPage,
  Shown,
  ShownArticle,
  Tag,
  TagRef,
} from '../content/blog.ts';
import type { Entry, ShownEntry } from '../content/entries.ts';
import type { Country, LabelledIcon, LandingPosition, PaymentImage, UsdMetric } from '../content/landing.ts';
import type { ContactsBlock, JsonBlockName, JsonBlocks, TitledText } from '../content/landing-blocks.ts';
import type { ContentLink, NavigationLink, Question } from '../content/links.ts';
import type { RichText } from '../content/rich-text.ts';
import type { PerRoute, RouteId, RouteParams } from '../routing/routes.ts';
import type { SearchPageData } from './search-data.ts';

/** The data of the parts around every page: header, footer, subscribe block. */
export interface Shell {
  siteName: string;
  headerLinks: readonly NavigationLink[];
  footerLinks: readonly NavigationLink[];
  /** For the footer. `title` is the network's name, for assistive technology. */
  socials: readonly ContentLink[];
  /** For the subscribe block. */
  subscribeSocials: readonly ContentLink[];
  /** Where visitors read what happens to their data, for the forms. */
  privacyLink: string | null;
  /** The sentence to which subscribers agree, without blocks. Absent without one. */
  subscribeConsent?: RichText;
  /** Present where a link in an e-mail confirms a subscription. */
  confirmsSubscription?: true;
  /** For the navigation of the blog layout. Empty in the default layout. */
  categories: readonly CategoryRef[];
}

/** The contacts section: on the landing page and on generic pages with `contactForm`. */
export interface ContactsData {
  block: ContactsBlock;
  checkmarks: readonly string[];
}

/** The map of the hero: path data in a view box of `width` by `height`. */
export interface CorridorMap {
  width: number;
  height: number;
  spacing: number;
  dots: string;
  corridors: readonly string[];
  places: string;
  placeCount: number;
}

/** A country without the fields that only the server needs. Forty random ids would add a kilobyte that does not compress. */
export type ShownCountry = Omit<Country, 'id' | 'name'>;
export type ShownPaymentImage = Omit<PaymentImage, 'id'>;

/** Blocks that show more than their own JSON field. */
interface CompletedBlocks {
  header: JsonBlocks['header'] & { icons: readonly LabelledIcon[]; map: CorridorMap };
  payments: JsonBlocks['payments'] & { images: readonly ShownPaymentImage[] };
  contacts: ContactsData;
  faq: { title: string | null; items: readonly Question[]; content: RichText };
}

/** The blocks of the landing page, each with only the data that it shows. */
type HomeBlocks = {
  [Name in JsonBlockName]:
    | (Name extends keyof CompletedBlocks ? CompletedBlocks[Name] : JsonBlocks[Name])
    | null;
};

/** The landing page. `positions` gives the order of its blocks. */
export interface HomeData extends HomeBlocks {
  h1: string;
  positions: readonly LandingPosition[];
  /** The countries in columns. */
  countries: readonly (readonly ShownCountry[])[];
  metrics: { usd: readonly UsdMetric[]; qualities: readonly TitledText[] } | null;
}

export interface Breadcrumb {
  title: string;
  /** Null for the page itself. */
  href: string | null;
}

/** The routes whose entries have the data of `EntryPageData`. */
export type EntryRoute = 'business-solution' | 'commerce';

export interface GenericPageData {
  page: Shown<Entry>;
  contacts: ContactsData | null;
  /** The list of entries on the pages `business-solutions` and `commerce`; null on other pages. */
  entries: { route: EntryRoute; items: readonly ShownEntry[] } | null;
  breadcrumbs: readonly Breadcrumb[];
}

export interface BlogIndexData {
  h1: string;
  description: string | null;
  /** The newest article of the blog. */
  lead: ShownArticle | null;
  /** The newest articles of each category, without the lead article and without empty categories. */
  sections: readonly { category: CategoryRef; articles: readonly ShownArticle[] }[];
  questions: readonly Question[];
  /** The path of the feed; null where the site has none, because it does not know its host. */
  feed: string | null;
}

export interface BlogCategoryData {
  category: Shown<Category>;
  /** The path of the feed, as that of the index. */
  feed: string | null;
  list: ListPage<ShownArticle>;
  breadcrumbs: readonly Breadcrumb[];
}

export interface BlogAuthorData {
  author: Author;
  /** The path of the feed, as that of the index. */
  feed: string | null;
  list: ListPage<ShownArticle>;
  breadcrumbs: readonly Breadcrumb[];
}

export interface BlogTagData {
  tag: Tag;
  /** The path of the feed, as that of the index. */
  feed: string | null;
  list: ListPage<ShownArticle>;
  breadcrumbs: readonly Breadcrumb[];
}

/** A year or a month of the archive. */
export interface ArchivePeriod {
  /** The name in the language of the site: `2026`, `November`. */
  readonly title: string;
  readonly href: string;
  /** The number of its articles in words. */
  readonly count: string;
}

export interface BlogArchiveData {
  h1: string;
  /** The newest first, and so are the months of each. */
  years: readonly (ArchivePeriod & { readonly months: readonly ArchivePeriod[] })[];
  breadcrumbs: readonly Breadcrumb[];
}

/** The articles of a year or of a month. */
export interface BlogArchivePeriodData {
  h1: string;
  /** The address of the first page. */
  path: string;
  /** The months of the year, the newest first. */
  months: readonly ArchivePeriod[];
  list: ListPage<ShownArticle>;
  breadcrumbs: readonly Breadcrumb[];
}

/** A link to an article, with its title. */
export interface ArticleLink {
  readonly title: string;
  readonly href: string;
}

export interface BlogArticleData {
  /** The `slug` of its author is null for an author without a page. */
  article: Omit<Shown<Article>, 'questions' | 'tags'> & { category: CategoryRef; tags: readonly TagRef[] };
  related: readonly ShownArticle[];
  /** The next articles in the list of the category, in both directions. */
  newer: ArticleLink | null;
  older: ArticleLink | null;
  /** The questions of the article, or of its category where it has none. */
  questions: readonly Question[];
  breadcrumbs: readonly Breadcrumb[];
}

/** A page that opens by a link of an e-mail. */
export interface SubscribePageData {
  title: string;
  text: string;
  /** The address to which the link was sent; null where the link does not tell it. */
  email: string | null;
  /** The words on the button; null for a page without one. */
  button: string | null;
}

export interface EntryPageData {
  entry: Shown<Entry>;
  breadcrumbs: readonly Breadcrumb[];
}

/** The data of each route's page. */
export type PageDataByRoute = PerRoute<{
  home: HomeData;
  page: GenericPageData;
  blog: BlogIndexData;
  'blog-category': BlogCategoryData;
  'blog-article': BlogArticleData;
  'blog-author': BlogAuthorData;
  'blog-tag': BlogTagData;
  'blog-archive': BlogArchiveData;
  'blog-archive-year': BlogArchivePeriodData;
  'blog-archive-month': BlogArchivePeriodData;
  'subscribe-confirm': SubscribePageData;
  'subscribe-leave': SubscribePageData;
  'business-solution': EntryPageData;
  commerce: EntryPageData;
  search: SearchPageData;
}>;

/** The head of a page's document. Addresses of the site are paths. The origin is added when the head is rendered. */
export interface Head {
  /** The whole title, the site's name included. */
  title: string;
  description: string | null;
  /** The canonical path with the declared query parameters, or the absolute address that an editor names; null for error pages. */
  canonical: string | null;
  ogType: 'website' | 'article';
  publishedTime: string | null;
  modifiedTime: string | null;
  /** The rules for search engines, such as `noindex`; null for a page without any. */
  robots: string | null;
}

/** An error as the visitor sees it. An unexpected error shows neither its own message nor a stack. */
export interface PageError {
  statusCode: number;
  /** The status in words, such as 'Page Not Found'. */
  statusMessage: string;
  /** One sentence, for example 'Page not found: /nope'. */
  message: string;
  /** The id of the request, by which support finds its lines in the log. Only with unexpected errors. */
  requestId?: string;
  /** Route middleware has aborted the navigation. A browser that shows a page stays on that page. */
  aborted?: true;
  /** The browser is offline. The page is loaded when the connection is back. */
  offline?: true;
  /** The nearest pages by name, for a 404. */
  suggestions?: readonly ContentLink[];
}

/** A redirect as the browser's router receives it. */
export interface PayloadRedirect {
  to: string;
  statusCode: number;
  external: boolean;
}

/** The payload of a page: embedded in the HTML, or fetched from `{path}/_payload.json` on navigation. */
export interface PagePayload<Id extends RouteId = RouteId> {
  buildId: string;
  /** Null where no route matches. */
  route: Id | null;
  params: RouteParams;
  data: {
    /** Null for an error while the settings are not cached. The header and the footer then have no links. */
    shell: Shell | null;
    /** Null with an error. */
    page: PageDataByRoute[Id] | null;
  };
  head: Head;
  error?: PageError;
}

/** The payload of an address that has moved: the browser's router goes on to the target. */
export interface RedirectPayload {
  buildId: string;
  route: null;
  params: RouteParams;
  data: null;
  head: null;
  redirect: PayloadRedirect;
}

/** The answer of `{path}/_payload.json`. */
export type PayloadAnswer = PagePayload | RedirectPayload;
