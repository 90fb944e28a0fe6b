/** A plain JSON value, as the content files hold it and the answers carry it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonRecord = { [key: string]: Json };

export type TypeName =
  | 'article'
  | 'author'
  | 'business-solution'
  | 'category'
  | 'commerce'
  | 'country'
  | 'landing'
  | 'main-page'
  | 'media'
  | 'page'
  | 'payment-image'
  | 'redirect'
  | 'settings'
  | 'social';

/** An attribute that is only in an answer when it is populated. */
export interface LinkDefinition {
  kind: 'relation' | 'media' | 'component';
  many: boolean;
  target: TypeName;
}

export interface ContentType {
  name: TypeName;
  /** Attributes that are always there; what a file does not say is null. */
  attributes: readonly string[];
  links: Readonly<Record<string, LinkDefinition>>;
  /** Components have no `documentId` and no dates, and are flat in every shape of answer. */
  component: boolean;
}

/** One entry, media file or component, with everything it is linked to. */
export interface Row {
  type: ContentType;
  id: number;
  documentId: string;
  attributes: JsonRecord;
  /** By attribute; a link of one holds no row or one. */
  links: Readonly<Record<string, readonly Row[]>>;
}

/** Where the entries of a type come from, and under which path of `/api` they are answered. */
export interface ContentSource {
  type: TypeName;
  route: string;
  /** `folder`: a file per entry; `list`: one JSON file with an array; `single`: one JSON file, one entry. */
  kind: 'folder' | 'list' | 'single';
  path: string;
}

export const DATE_ATTRIBUTES = ['createdAt', 'updatedAt', 'publishedAt'] as const;

const one = (target: TypeName): LinkDefinition => ({ kind: 'relation', many: false, target });
const media: LinkDefinition = { kind: 'media', many: false, target: 'media' };
const manyMedia: LinkDefinition = { ...media, many: true };

function define(
  name: TypeName,
  attributes: readonly string[],
  links: ContentType['links'] = {},
  component = false,
): ContentType {
  return { name, attributes: component ? attributes : [...attributes, ...DATE_ATTRIBUTES], links, component };
}

const text = ['title', 'description', 'h1', 'slug', 'body', 'questions', 'seoTitle', 'seoDescription'];
const withPictures = { cover: media, seoImage: media };

const definitions: readonly ContentType[] = [
  define('article', [...text, 'date'], { ...withPictures, category: one('category'), author: one('author') }),
  define('business-solution', text, withPictures),
  define('commerce', text, withPictures),
  define('page', [...text, 'contactForm'], { seoImage: media }),
  define('category', ['name', 'description', 'title', 'h1', 'slug', 'questions']),
  define('author', ['name', 'description', 'position'], { image: manyMedia }),
  define('social', ['link'], { icon: media }),
  define('redirect', ['from', 'to', 'statusCode']),
  define('country', ['name', 'title', 'link'], { image: media }),
  define('payment-image', ['name', 'title'], { image: media }, true),
  define('main-page', ['title', 'description', 'h1', 'questions']),
  define('settings', ['headerLinks', 'footerLinks', 'socials'], { customCss: manyMedia, scripts: manyMedia }),
  define(
    'landing',
    [
      ...['title', 'description', 'h1', 'headerBlock', 'paymentsBlock', 'directionsBlock', 'partnersBlock'],
      ...[
        'metricsBlockUsdList',
        'metricsBlockPositiveQualities',
        'earnMoreBlock',
        'contactsBlock',
        'faqBlock',
      ],
      ...['contactsListWithCheckmarks', 'positionsAndCustomBlocks', 'subscribeBlockSocials'],
      ...['faqBlockContent', 'schema1', 'schema2', 'schema3'],
    ],
    {
      block1Icons: manyMedia,
      countries_list: { kind: 'relation', many: true, target: 'country' },
      paymentBlockImages: { kind: 'component', many: true, target: 'payment-image' },
    },
  ),
  define('media', [
    ...[
      'name',
      'alternativeText',
      'caption',
      'focalPoint',
      'width',
      'height',
      'formats',
      'hash',
      'ext',
      'mime',
    ],
    ...['size', 'url', 'previewUrl', 'provider', 'provider_metadata'],
  ]),
];
const byName = new Map(definitions.map(type => [type.name, type]));

/**
 * @returns the definition of a type.
 * @throws Error for a name without a definition: a mistake of the program.
 */
export function contentType(name: TypeName): ContentType {
  const type = byName.get(name);
  if (!type) throw new Error(`No content type '${name}'`);
  return type;
}

/** Every folder and file of the content, in no particular order. */
export const contentSources: readonly ContentSource[] = [
  { type: 'article', route: 'articles', kind: 'folder', path: 'articles' },
  { type: 'author', route: 'authors', kind: 'folder', path: 'authors' },
  { type: 'business-solution', route: 'business-solutions', kind: 'folder', path: 'business-solutions' },
  { type: 'category', route: 'categories', kind: 'folder', path: 'categories' },
  { type: 'commerce', route: 'commerces', kind: 'folder', path: 'commerce' },
  { type: 'page', route: 'pages', kind: 'folder', path: 'pages' },
  { type: 'redirect', route: 'redirects', kind: 'list', path: 'redirects.json' },
  { type: 'social', route: 'socials', kind: 'list', path: 'socials.json' },
  { type: 'landing', route: 'landing', kind: 'single', path: 'landing.json' },
  { type: 'main-page', route: 'main-page', kind: 'single', path: 'main-page.json' },
  { type: 'settings', route: 'settings', kind: 'single', path: 'settings.json' },
];
