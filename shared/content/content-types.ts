import type { RouteId } from '../routing/routes.ts';
import { blockComponent, componentTypes, sectionComponents } from './components.ts';
import type { Image } from './image.ts';
import { perBlockField } from './landing-blocks.ts';
import type { ContentLink, NavigationLink, Question } from './links.ts';
import type { RichText } from './rich-text.ts';

/** The value of a field, by the kind of the field. A kind in this list is decoded from the description alone. */
interface DecodedKinds {
  /** One line, or several, without markup. */
  text: string | null;
  /** The last segment of an entry's address. */
  slug: string | null;
  /** The address of a link, checked by `safeHref`. */
  address: string | null;
  /** ISO 8601. */
  date: string | null;
  /** True if the backend sends `true`, false for every other value. */
  flag: boolean;
  /** Markdown, HTML or JSON of Strapi's Blocks editor, as a sanitised tree. */
  'rich-text': RichText;
  /** Markdown or HTML, as the backend has it. */
  'source-text': string | null;
  /** A list of `{question, answer}`. */
  questions: readonly Question[];
  /** A list of texts. */
  texts: readonly string[];
  /** A list of `{title, href, icon?}`. */
  links: readonly ContentLink[];
  /** A list like `links`, where each link may have a list `children` of further links. */
  navigation: readonly NavigationLink[];
  /** JSON-LD as a JSON string. */
  'json-ld': string | null;
  /** A media file that is shown as a picture; the first one if the field holds several. */
  picture: Image | null;
  /** The address of a media file, such as an icon. */
  file: string | null;
  /** The addresses of several media files. */
  files: readonly string[];
}

/** Kinds that are decoded by the type's own decoder, because the description is not enough. */
type KindByHand =
  /** JSON of another form. */
  | 'json'
  | 'number'
  /** One of the texts in `of`. */
  | 'choice'
  /** Several texts, one in each line. */
  | 'lines'
  /** A dynamic zone of the components in `of`. */
  | 'zone';

/** Kinds of media files. The backend sends them only if the query populates them. */
export const MEDIA_KINDS = ['picture', 'file', 'files'] as const;
type MediaKind = (typeof MEDIA_KINDS)[number];

interface FieldBase {
  /** An entry without a value in this field is left out and logged. */
  readonly required?: true;
  /** Other fields of the same kind, tried in order if this one has no value. */
  readonly orElse?: readonly string[];
  /** Queries for lists include the field. Of a component they may ask for some fields alone: for those with these names. */
  readonly inLists?: true | readonly string[];
  /**
   * Set if a backend may lack the field and refuse a query that names it. The query is then made without the field. The text
   * says what the missing field costs, for the log.
   */
  readonly optional?: string;
  /** Set if the site cannot be shown to visitors without a value. The text says what they see then, for the doctor. */
  readonly emptyMeans?: string;
}
/** A field that the backend sends without `populate`. */
interface ValueField extends FieldBase {
  readonly kind: Exclude<keyof DecodedKinds, MediaKind> | KindByHand;
  /** The values of a choice, or the components of a zone. */
  readonly of?: readonly string[];
  /** A zone whose sections follow a rich text and become one text with it. */
  readonly followedBy?: string;
  /**
   * The component in which editors fill in the value: the name of a type in `contentTypes`. A backend may hold the value as JSON with the same
   * keys instead; it then refuses to populate the field.
   */
  readonly component?: string;
  /** Whether the component is repeated. */
  readonly many?: true;
}
interface MediaField extends FieldBase {
  readonly kind: MediaKind;
  /** Whether the backend holds several files in the field. For `files` it always does. */
  readonly many?: true;
  /** The attributes of the file that lists ask for; all if left out. */
  readonly reads?: readonly string[];
}
/** A relation to another entry, or a component: a part of this entry with a type of its own. */
interface TypedField extends FieldBase {
  readonly kind: 'relation' | 'component';
  /** The name of a type in `contentTypes`. */
  readonly target: string;
  readonly many?: true;
  /** The fields of the target that the site reads; all if left out. */
  readonly reads?: readonly string[];
}
export type FieldDescription = ValueField | MediaField | TypedField;
export type FieldDescriptions = Readonly<Record<string, FieldDescription>>;

/** @returns the name of the component in which editors fill in a field; null for another field. */
export function componentOf(field: FieldDescription): string | null {
  if ('component' in field) return field.component ?? null;
  return field.kind === 'component' ? field.target : null;
}

/** The form of a description of a content type. */
export interface ContentTypeDescription {
  /** The address is `/api/{path}`; it is also the tag of the type's content. Null: shown only inside another type. */
  readonly path: string | null;
  /** `collection` and `single` are Strapi's types; a component is part of its entry. */
  readonly storage: 'collection' | 'single' | 'component';
  /** The place in `content/`, for the embedded backend: a folder with a file for each entry, or one JSON file. Null: the entries are in another type's file. */
  readonly file: string | null;
  /** Other names that backends have for the model. */
  readonly aliases?: readonly string[];
  /** One entry of the type, in the words of the log: `an article needs a title`. */
  readonly noun: string;
  /** Set if a backend may lack the type. The text says what that costs, for the log. */
  readonly optional?: string;
  /** An entry that has none of these fields is left out. */
  readonly needsOneOf?: readonly string[];
  /** Queries have `populate=*` and do not name relations and media. */
  readonly populatesAll?: true;
  /** The route with one page for each entry. */
  readonly route?: RouteId;
  /** The routes whose pages read this type. */
  readonly readBy: 'every page' | readonly RouteId[];
  readonly fields: FieldDescriptions;
}

const NO_TAGS = 'articles show no tags, and there are no pages of tags';
const archivePages = ['blog-archive', 'blog-archive-year', 'blog-archive-month'] as const;
const blogPages = [
  ...(['blog', 'blog-category', 'blog-article', 'blog-author', 'blog-tag'] as const),
  ...archivePages,
] as const;

/** An image for links that are shared. */
const seoImage = {
  kind: 'picture',
  optional: 'shared links to its pages show the cover, or no picture',
} as const;
/** The values for search engines, as the component of Strapi's SEO plugin has them. They come before `seoTitle`, `seoDescription` and `seoImage`. */
const seo = {
  kind: 'component',
  target: 'seo',
  optional: 'its entries cannot name a canonical address, and cannot be hidden from search engines',
} as const;
const questions = { kind: 'questions', component: 'question', many: true } as const;
/** The slugs that an entry had before. Their addresses lead to its present one. */
const previousSlugs = { kind: 'lines' } as const;
/** A text put together from sections. */
const sections = {
  kind: 'zone',
  of: Object.keys(sectionComponents),
  optional: 'texts have no sections such as galleries and callouts',
} as const;
/** The fields of every type whose entries have a page with a text. */
const textPage = {
  title: { kind: 'text', required: true, inLists: true },
  description: { kind: 'text', inLists: true },
  h1: { kind: 'text' },
  slug: { kind: 'slug', required: true, inLists: true },
  body: { kind: 'rich-text', followedBy: 'sections' },
  sections,
  questions,
  seoTitle: { kind: 'text' },
  seoDescription: { kind: 'text' },
  seo,
  previousSlugs,
} as const;
/** The place of an entry in the list of all, which begins with the smallest number. Entries without one come last. */
const order = { kind: 'number' } as const;
const listOrder = {
  ...order,
  inLists: true,
  optional: 'its entries stand in the order of their creation',
} as const;
const updatedAt = { kind: 'date', inLists: true } as const;
const cover = { kind: 'picture', inLists: true } as const;
/** The lists of these entries are those of the sitemap, too. */
const seoInLists = { seo: { ...seo, inLists: ['metaRobots'] } } as const;
const pageWithCover = { ...textPage, ...seoInLists, updatedAt, cover, seoImage } as const;
const heading = {
  title: { kind: 'text' },
  description: { kind: 'text' },
  h1: { kind: 'text' },
} as const;

/**
 * The types of the content, by the names of Strapi's models. Entities (the types of decoded content), decoders, queries, the embedded
 * backend, webhooks and the reports about the content are made from this table. A new field of a kind in `DecodedKinds` is one line here.
 */
export const contentTypes = {
  article: {
    path: 'articles',
    storage: 'collection',
    file: 'articles/',
    noun: 'an article',
    route: 'blog-article',
    readBy: blogPages,
    fields: {
      ...textPage,
      // Strapi 5 sets `publishedAt` anew at each publish, so an editor's own date comes first.
      date: {
        kind: 'date',
        required: true,
        orElse: ['publishedAt', 'createdAt'],
        inLists: true,
        optional: 'lists and feeds show the day on which an article was published last',
      },
      updatedAt,
      cover,
      seoImage,
      category: { kind: 'relation', target: 'category', reads: ['name', 'slug'], inLists: true },
      author: { kind: 'relation', target: 'author', inLists: true },
      tags: {
        kind: 'relation',
        target: 'tag',
        many: true,
        optional: NO_TAGS,
      },
    },
  },
  author: {
    path: 'authors',
    storage: 'collection',
    file: 'authors/',
    noun: 'an author',
    populatesAll: true,
    route: 'blog-author',
    // Cards show no author, but for the first card of the blog.
    readBy: ['blog', 'blog-article', 'blog-author'],
    fields: {
      name: { kind: 'text', required: true },
      // Without a slug the address is made from the name.
      slug: { kind: 'slug' },
      previousSlugs,
      description: { kind: 'text' },
      position: { kind: 'text' },
      image: { kind: 'picture', many: true },
    },
  },
  'business-solution': {
    path: 'business-solutions',
    storage: 'collection',
    file: 'business-solutions/',
    noun: 'a page',
    route: 'business-solution',
    readBy: ['business-solution', 'page'],
    fields: { ...pageWithCover, order: listOrder },
  },
  category: {
    path: 'categories',
    storage: 'collection',
    file: 'categories/',
    noun: 'a category',
    route: 'blog-category',
    readBy: blogPages,
    fields: {
      name: { kind: 'text', required: true },
      description: { kind: 'text' },
      title: { kind: 'text' },
      h1: { kind: 'text' },
      slug: { kind: 'slug', required: true },
      questions,
      seo,
      previousSlugs,
      order,
    },
  },
  commerce: {
    path: 'commerces',
    storage: 'collection',
    file: 'commerce/',
    noun: 'a page',
    route: 'commerce',
    readBy: ['commerce', 'page'],
    fields: { ...pageWithCover, order: listOrder },
  },
  page: {
    path: 'pages',
    storage: 'collection',
    file: 'pages/',
    noun: 'a page',
    route: 'page',
    // The pages above an entry are its breadcrumbs.
    readBy: ['page', 'business-solution', 'commerce'],
    fields: { ...textPage, ...seoInLists, contactForm: { kind: 'flag' }, updatedAt, seoImage },
  },
  redirect: {
    path: 'redirects',
    storage: 'collection',
    file: 'redirects.json',
    noun: 'a redirect',
    // Every page checks first whether a redirect leads away from its address.
    readBy: 'every page',
    fields: {
      from: { kind: 'text' },
      to: { kind: 'text' },
      statusCode: { kind: 'number' },
      // The CMS asks for it where a page has the old address. The site leads away in any case.
      replacesPage: { kind: 'flag' },
    },
  },
  social: {
    path: 'socials',
    storage: 'collection',
    file: 'socials.json',
    noun: 'a social',
    populatesAll: true,
    readBy: 'every page',
    fields: { link: { kind: 'address', required: true }, icon: { kind: 'file' }, order },
  },
  tag: {
    path: 'tags',
    storage: 'collection',
    file: 'tags.json',
    noun: 'a tag',
    optional: NO_TAGS,
    route: 'blog-tag',
    readBy: ['blog-article', 'blog-tag'],
    fields: {
      name: { kind: 'text', required: true },
      // Without a slug the address is made from the name.
      slug: { kind: 'slug' },
      previousSlugs,
      description: { kind: 'text' },
    },
  },
  country: {
    path: null,
    storage: 'collection',
    file: null,
    noun: 'a country',
    readBy: [],
    fields: {
      name: { kind: 'text' },
      title: { kind: 'text', required: true, orElse: ['name'] },
      link: { kind: 'address' },
      image: { kind: 'file' },
    },
  },
  'payment-image': {
    path: null,
    storage: 'component',
    file: null,
    noun: 'a payment method',
    needsOneOf: ['title', 'image'],
    readBy: [],
    fields: { name: { kind: 'text' }, title: { kind: 'text' }, image: { kind: 'picture' } },
  },
  landing: {
    path: 'landing',
    storage: 'single',
    file: 'landing.json',
    noun: 'the landing page',
    route: 'home',
    // The footer shows `subscribeBlockSocials`.
    readBy: 'every page',
    fields: {
      ...heading,
      ...perBlockField(block => ({ kind: 'json', component: blockComponent(block) }) as const),
      metricsBlockUsdList: { kind: 'json', component: 'usd-metric', many: true },
      metricsBlockPositiveQualities: { kind: 'json', component: 'titled-text', many: true },
      contactsListWithCheckmarks: { kind: 'texts', component: 'checkmark', many: true },
      positionsAndCustomBlocks: { kind: 'json', component: 'landing-position', many: true },
      subscribeBlockSocials: { kind: 'links', component: 'link', many: true },
      faqBlockContent: { kind: 'source-text' },
      schema1: { kind: 'json-ld' },
      schema2: { kind: 'json-ld' },
      schema3: { kind: 'json-ld' },
      countries_list: { kind: 'relation', target: 'country', many: true },
      block1Icons: { kind: 'files' },
      paymentBlockImages: { kind: 'component', target: 'payment-image', many: true },
      seo,
    },
  },
  'main-page': {
    path: 'main-page',
    storage: 'single',
    file: 'main-page.json',
    noun: 'the blog page',
    route: 'blog',
    readBy: ['blog'],
    fields: { ...heading, questions, seo },
  },
  settings: {
    path: 'settings',
    storage: 'single',
    file: 'settings.json',
    aliases: ['setting'],
    noun: 'the settings',
    populatesAll: true,
    readBy: 'every page',
    fields: {
      siteName: { kind: 'text', emptyMeans: 'pages name the host in place of the company' },
      language: { kind: 'text' },
      timeZone: { kind: 'text' },
      currency: { kind: 'text' },
      labels: { kind: 'json', component: 'label', many: true },
      privacyLink: { kind: 'address' },
      subscribeConsent: { kind: 'rich-text' },
      headerLinks: { kind: 'navigation', component: 'navigation-link', many: true },
      footerLinks: { kind: 'navigation', component: 'navigation-link', many: true },
      socials: { kind: 'json', component: 'profile', many: true },
      logo: { kind: 'picture', optional: 'search engines are shown the icon of the site as its logo' },
      shareImage: {
        kind: 'picture',
        optional: 'links to pages without a picture show a card that the site draws',
      },
      customCss: { kind: 'files' },
      scripts: { kind: 'files' },
    },
  },
  ...componentTypes,
} as const satisfies Readonly<Record<string, ContentTypeDescription>>;

type ContentTypes = typeof contentTypes;
export type ContentTypeName = keyof ContentTypes;
/** The paths below `/api`, which are also the tags of content. */
export type ContentPath = NonNullable<ContentTypes[ContentTypeName]['path']>;

/** The value of a field by its description. */
type ValueOf<Field> = Field extends { kind: infer Kind extends keyof DecodedKinds }
  ? Field extends { required: true }
    ? NonNullable<DecodedKinds[Kind]>
    : DecodedKinds[Kind]
  : Field extends { target: infer Target extends ContentTypeName; many: true }
    ? readonly EntityOf<Target>[]
    : Field extends { target: infer Target extends ContentTypeName; reads: readonly (infer Read)[] }
      ? Pick<EntityOf<Target>, Extract<Read | 'id', keyof EntityOf<Target>>> | null
      : Field extends { target: infer Target extends ContentTypeName }
        ? EntityOf<Target> | null
        : never;

/** The values of described fields, without the fields that are decoded by hand. */
export type ValuesOf<Fields> = {
  -readonly [Name in keyof Fields as Fields[Name] extends { kind: KindByHand } ? never : Name]: ValueOf<
    Fields[Name]
  >;
};

/** The described fields that lists ask for. */
export type ListFields<Fields> = {
  [Name in keyof Fields as Fields[Name] extends { inLists: true | readonly string[] }
    ? Name
    : never]: Fields[Name] extends { inLists: infer Reads extends readonly string[] }
    ? Fields[Name] & { reads: Reads }
    : Fields[Name];
};

/** The decoded fields of a type. */
export type FieldsOf<Name extends ContentTypeName> = ValuesOf<ContentTypes[Name]['fields']>;
/** An entry of a type with all its decoded fields. `id` is `documentId ?? id` of the backend, as text: in Strapi 5 the numeric id changes at every publish. */
export type EntityOf<Name extends ContentTypeName> = { id: string } & FieldsOf<Name>;
/** An entry of a type as lists show it. */
export type SummaryOf<Name extends ContentTypeName> = { id: string } & ValuesOf<
  ListFields<ContentTypes[Name]['fields']>
>;
