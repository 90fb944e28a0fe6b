import type { ElementContent, Properties } from 'hast';
import type { Image } from './image.ts';
import type { LabelledFile, NavigationLink } from './links.ts';
import type { RichText } from './rich-text.ts';

/** The values of fields, by kind. These kinds are decoded from the description alone. */
export interface DecodedKinds {
  text: string | null;
  /** The last segment of an entry's address. */
  slug: string | null;
  /** The address of a link, checked by `safeHref`. */
  address: string | null;
  /** ISO 8601. */
  date: string | null;
  /** True only if the backend sends `true`. */
  flag: boolean;
  number: number | null;
  choice: string | null;
  /** Markdown, HTML or JSON of Strapi's Blocks editor, as a sanitised tree. */
  'rich-text': RichText;
  /** A list of texts, bare or as components with a field `text`. */
  texts: readonly string[];
  /** A list of links, each with an optional list `children`. */
  navigation: readonly NavigationLink[];
  'json-ld': string | null;
  /** A media file shown as a picture; the first one of several. */
  picture: Image | null;
  file: string | null;
  files: readonly string[];
  'labelled-files': readonly LabelledFile[];
}

/** Kinds without a value in entities: only the backend or the type's own decoder uses them. */
export type KindByHand =
  | 'json'
  /** The place of an entry in the list of all. The smallest number is first. */
  | 'order'
  | 'lines'
  | 'zone';

/** The backend sends media files only if the query populates them. */
export const MEDIA_KINDS = ['picture', 'file', 'files', 'labelled-files'] as const;
type MediaKind = (typeof MEDIA_KINDS)[number];

interface FieldBase {
  readonly label: string;
  readonly hint?: string;
  readonly long?: true;
  /** The field in the words of the log; its name by default. */
  readonly noun?: string;
  /** An entry without a value is left out and logged. */
  readonly required?: true;
  /** Other fields of the same kind, tried in order if this one has no value. */
  readonly orElse?: readonly string[];
  /** Lists ask for the field, or for these fields of a component. */
  readonly inLists?: true | readonly string[];
  /** Set if a backend may lack the field: the query is made again without it. The text is for the log. */
  readonly optional?: string;
  /** Set if visitors need a value. The text says what they see without one, for the doctor. */
  readonly emptyMeans?: string;
  /** Properties of the attribute in Strapi that do not follow from the kind. */
  readonly strapi?: Readonly<Record<string, unknown>>;
}
/** A field that the backend sends without `populate`. */
interface ValueField extends FieldBase {
  readonly kind: Exclude<keyof DecodedKinds, MediaKind> | KindByHand;
  /** The values of a choice, or the names of the components of a zone. */
  readonly of?: readonly string[];
  /** Sections that continue a rich text, as one text. */
  readonly followedBy?: string;
  readonly component?: ComponentDescription;
  readonly many?: true;
}
/** A component, or JSON with the same keys. Strapi refuses to populate JSON (decision 055). */
interface ObjectField extends FieldBase {
  readonly kind: 'object' | 'list';
  readonly component: ComponentDescription;
}
interface MediaField extends FieldBase {
  readonly kind: MediaKind;
  readonly many?: true;
  /** The attributes of the file that lists ask for; all if left out. */
  readonly reads?: readonly string[];
}
/** A component that is never JSON. Its rows are decoded like entries. */
interface ComponentField extends FieldBase {
  readonly kind: 'component';
  readonly component: ComponentDescription;
  readonly many?: true;
  /** The fields that the site reads; all if left out. */
  readonly reads?: readonly string[];
}
interface RelationField extends FieldBase {
  readonly kind: 'relation';
  readonly target: string;
  readonly many?: true;
  readonly reads?: readonly string[];
}
export type FieldDescription = ValueField | ObjectField | MediaField | ComponentField | RelationField;
export type FieldDescriptions = Readonly<Record<string, FieldDescription>>;

export function componentOf(field: FieldDescription): ComponentDescription | null {
  return 'component' in field ? (field.component ?? null) : null;
}

/** Whether a backend may hold the value as a component or as JSON. */
export function isComponentOrJson(field: FieldDescription): boolean {
  return componentOf(field) !== null && field.kind !== 'component';
}

export function isMany(field: FieldDescription): boolean {
  const { kind } = field;
  if (kind === 'list' || kind === 'texts' || kind === 'navigation' || kind === 'zone') return true;
  return kind === 'files' || kind === 'labelled-files' || ('many' in field && field.many === true);
}

export function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}

interface CommonDescription {
  readonly label: string;
  /** One entry in the words of the log: `an article needs a title`. */
  readonly noun: string;
  /** An entry that has none of these fields is left out. */
  readonly needsOneOf?: readonly string[];
  /** The field that names an entry in lists; by default Strapi takes the first field of one line. */
  readonly titleField?: string;
  readonly fields: FieldDescriptions;
}

export interface TypeDescription extends CommonDescription {
  /** The path in `/api/{path}`, which is also the content's tag. Null: shown only inside another type. */
  readonly path: string | null;
  readonly storage: 'collection' | 'single';
  /** The place in `content/`: a folder of entries, or one JSON file. Null: inside another type's file. */
  readonly file: string | null;
  readonly aliases?: readonly string[];
  /** Strapi's plural, if it is neither the path nor the name with an `s`. */
  readonly plural?: string;
  /** The table of the database, if its name is not the plural. */
  readonly table?: string;
  /** Entries are shown when they are published. Without drafts, they are shown as soon as they are saved. */
  readonly drafts?: true;
  /** Fields that the form leaves out. The site still shows their values where another field is empty. */
  readonly hidden?: readonly string[];
  /** Set if a backend may lack the type. The text says what that costs, for the log. */
  readonly optional?: string;
  /** Queries have `populate=*` and do not name relations and media. */
  readonly populatesAll?: true;
  /** Every entry is a page with a text: `Entry`. */
  readonly isPage?: true;
  /** The route with one page for each entry. */
  readonly route?: string;
  /** Every page shows the content, or reads it first. */
  readonly onEveryPage?: true;
}

export interface ComponentDescription extends CommonDescription {
  readonly name: string;
  readonly path: null;
  readonly storage: 'component';
  readonly file: null;
  /** An item without a value in one of these fields is left out and logged. Editors may save it. */
  readonly needs?: readonly string[];
}
export type ContentTypeDescription = TypeDescription | ComponentDescription;

type OwnWords = Omit<ComponentDescription, 'name' | 'path' | 'storage' | 'file'>;

/** The properties of a description that name its own fields. The compiler refuses a misspelt name. */
interface NamesFields<Name> {
  readonly needs?: readonly Name[];
  readonly needsOneOf?: readonly Name[];
}

/** Describes a component. @param name that of the component in Strapi. */
export function component<const Name extends string, const Own extends OwnWords>(
  name: Name,
  own: Own & NamesFields<keyof Own['fields']>,
) {
  return { name, path: null, storage: 'component', file: null, ...own } as const;
}

/** Another field of the record `landing` that a block shows, with its name there. */
export type BesideField = FieldDescription & { readonly wire: string };

interface BlockWords {
  readonly label: string;
  readonly noun: string;
  /** The fields of the component `{name}-block`, in the field `{name}Block` of the landing page. */
  readonly fields?: FieldDescriptions;
  /** The block is not shown without a value in one of these fields. */
  readonly needsOneOf?: readonly string[];
  /** Other fields of the landing page that the block shows, by the block's names for them. */
  readonly beside?: Readonly<Record<string, BesideField>>;
  /** The block is shown while its component is empty, if `beside` has something to show. */
  readonly standsAlone?: true;
}
export type BlockDescription = BlockWords & { readonly name: string };

/** Describes a block. @param name that of the block in the content: `earnMore`. */
export function block<const Name extends string, const Own extends BlockWords>(
  name: Name,
  own: Own & Pick<NamesFields<keyof Own['fields'] | keyof Own['beside']>, 'needsOneOf'>,
) {
  return { name, ...own } as const;
}

/** The work that readers of sections leave to the walk through the whole text. */
export interface SectionTools {
  /** The elements of Markdown, HTML or Blocks. */
  richText(value: unknown): ElementContent[];
  /** A text of one line within the bound of all texts; null without one. */
  words(value: unknown): string | null;
  leaveOut(reason: string): void;
  quoted(value: unknown): string;
  text(value: string): ElementContent;
  element(tag: string, children: readonly ElementContent[], properties?: Properties): ElementContent;
  /** The files of a media field: a picture, a player or a link each. */
  media(value: unknown, extras?: { poster?: unknown; captions?: unknown }): readonly SectionMedium[];
  /** The components of a list, or JSON of the same form; none of another value. */
  rows(value: unknown): readonly Readonly<Record<string, unknown>>[];
  /** Content with its caption; the content alone without one. */
  figure(
    content: readonly ElementContent[],
    caption: string | null,
    properties?: Properties,
  ): ElementContent[];
}
export interface SectionMedium {
  readonly shown: ElementContent;
  /** As the backend has it. */
  readonly caption: unknown;
}

/** A kind of section. `orElse` of a field names the keys of common Strapi projects. */
export interface SectionDescription<Fields = FieldDescriptions> extends ComponentDescription {
  /** Makes elements of an editor's values, by field; none without content. The sanitiser checks them. */
  readonly read: (
    values: { readonly [Name in keyof Fields]?: unknown },
    tools: SectionTools,
  ) => ElementContent[];
}
type SectionWords<Fields> = Omit<OwnWords, 'needs' | 'needsOneOf'> &
  Pick<SectionDescription<Fields>, 'read'> & { readonly fields: Fields };

/** Describes a kind of section. @param kind as content files name it: `quote`. */
export function section<const Kind extends string, const Fields extends FieldDescriptions>(
  kind: Kind,
  own: SectionWords<Fields>,
): SectionDescription & { readonly name: `${Kind}-section` } {
  const words: OwnWords = own;
  return { ...component(`${kind}-section`, words), read: own.read };
}
