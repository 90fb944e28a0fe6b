import type { ElementContent, Properties } from 'hast';
import type { Image } from './image.ts';
import type { LabelledFile, NavigationLink } from './links.ts';
import type { RichText } from './rich-text.ts';

/** The values of fields by kind, for kinds that are decoded by the description alone. */
export interface DecodedKinds {
  text: string | null;
  /** The last segment of an entry's address. */
  slug: string | null;
  /** The address of a link, checked by `safeHref`. */
  address: string | null;
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
  /** A media file shown as a picture; the first of several. */
  picture: Image | null;
  file: string | null;
  files: readonly string[];
  'labelled-files': readonly LabelledFile[];
  /** A dynamic zone from its first block on. Sections before it continue the text of the page. */
  zone: readonly ZonePart[];
}

/** A block of a dynamic zone with the values of its fields, or the texts and sections between two blocks. */
export type ZonePart =
  | { readonly block: string; readonly id: string; readonly data: object; readonly hasForm?: true }
  | { readonly text: RichText };

/** Kinds of fields that entities lack. The backend or the content type's own decoder uses their values. */
export type KindByHand =
  | 'json'
  /** The place of an entry in the list of all; the smallest number is first. */
  | 'order'
  /** A day or a time from which an entry is shown, or no longer shown. */
  | 'moment'
  | 'lines';

/** Kinds of media, which the backend sends only if the query populates them. */
export const MEDIA_KINDS = ['picture', 'file', 'files', 'labelled-files'] as const;
type MediaKind = (typeof MEDIA_KINDS)[number];

interface FieldBase {
  readonly label: string;
  readonly hint?: string;
  readonly long?: true;
  /** The field's noun in the log; its name by default. */
  readonly noun?: string;
  /** Set if an entry without a value is skipped and logged. */
  readonly required?: true;
  /** Fields of the same kind to use, in order, if this one has no value. */
  readonly orElse?: readonly string[];
  /** Set if queries for lists read the field. An array names the fields of its component that they read. */
  readonly inLists?: true | readonly string[];
  /** Set if a backend may lack the field, so that a second query omits it. The text is for the log. */
  readonly optional?: string;
  /** Set if visitors need a value. The text tells the doctor what they see without one. */
  readonly emptyMeans?: string;
  /** The folded group of the editor's form that has the field, unless `form` has it. */
  readonly group?: string;
  /** Set if another field has replaced this one: the editor's form shows it only for entries with a value. */
  readonly former?: true;
  /** Properties of Strapi's attribute that do not follow from the kind. */
  readonly strapi?: Readonly<Record<string, unknown>>;
}
/** A field that the backend sends without `populate`. */
interface ValueField extends FieldBase {
  readonly kind: Exclude<keyof DecodedKinds, MediaKind> | KindByHand;
  /** The values of a choice, or the names of a zone's components. */
  readonly of?: readonly string[];
  /** The field with sections that continue a rich text. */
  readonly followedBy?: string;
  readonly component?: ComponentDescription;
  readonly many?: true;
  /** Set for a text that code reads, such as a time zone. Previews and the search skip it. */
  readonly isCode?: true;
}
/** A component, or JSON with the same keys. Strapi refuses to populate JSON (decision 055). */
interface ObjectField extends FieldBase {
  readonly kind: 'object' | 'list';
  readonly component: ComponentDescription;
}
interface MediaField extends FieldBase {
  readonly kind: MediaKind;
  readonly many?: true;
  /** The width that the picture needs on a sharp screen, in pixels. The doctor reports smaller pictures. */
  readonly placeWidth?: number;
  /** Which attributes of the file are loaded for lists; all by default. */
  readonly reads?: readonly string[];
}
/** A component that is never JSON. Its rows are decoded like entries. */
interface ComponentField extends FieldBase {
  readonly kind: 'component';
  readonly component: ComponentDescription;
  readonly many?: true;
  /** The fields that the site reads; all by default. */
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

/** Whether a backend may store the value as a component or as JSON. */
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
  /** The entry's noun in the log: `an article needs a title`. */
  readonly noun: string;
  readonly needsOneOf?: readonly string[];
  /** The field that names an entry in lists; Strapi's default is the first text field of a single line. */
  readonly titleField?: string;
  /** The rows of the editor's form that are always visible. Other fields follow in folded groups. */
  readonly form?: readonly (readonly string[])[];
  /** Fields that the editor's form omits. Their values still replace other empty fields. */
  readonly hidden?: readonly string[];
  readonly fields: FieldDescriptions;
}

export interface TypeDescription extends CommonDescription {
  /** The path in `/api/{path}`, also the content's tag. Null for a type inside another type. */
  readonly path: string | null;
  readonly storage: 'collection' | 'single';
  /** The place in `content/`: a folder of entries, or a JSON file. Null: inside another type's file. */
  readonly file: string | null;
  readonly aliases?: readonly string[];
  /** Strapi's plural, if it is neither the path nor the name with an `s`. */
  readonly plural?: string;
  /** The database table, if its name is not the plural. */
  readonly table?: string;
  /** Set if entries are shown only after publishing. Without drafts they are shown after saving. */
  readonly drafts?: true;
  readonly list?: readonly string[];
  /** Set if a backend may lack the type. The text tells the log the consequence. */
  readonly optional?: string;
  /** Set if queries use `populate=*` instead of a list of relations and media. */
  readonly populatesAll?: true;
  /** Set if every entry is a page with a text: `Entry`. */
  readonly isPage?: true;
  readonly route?: string;
  readonly onEveryPage?: true;
}

export interface ComponentDescription extends CommonDescription {
  readonly name: string;
  readonly path: null;
  readonly storage: 'component';
  readonly file: null;
  /** Fields that an item needs. The site skips and logs an item that lacks one, but editors can save it. */
  readonly needs?: readonly string[];
}
export type ContentTypeDescription = TypeDescription | ComponentDescription;

type OwnWords = Omit<ComponentDescription, 'name' | 'path' | 'storage' | 'file'>;

interface NamesFields<Name> {
  readonly needs?: readonly Name[];
  readonly needsOneOf?: readonly Name[];
}

/** Describes a component. @param name the component's name in Strapi. */
export function component<const Name extends string, const Own extends OwnWords>(
  name: Name,
  own: Own & NamesFields<keyof Own['fields']>,
) {
  return { name, path: null, storage: 'component', file: null, ...own } as const;
}

/** A field that a block shows besides those of its component. `wire` is its name on the landing page. */
export type BesideField = FieldDescription & { readonly wire: string };

interface BlockWords {
  readonly label: string;
  readonly noun: string;
  /** The fields of the component `{name}-block`, in the landing page's field `{name}Block`. */
  readonly fields?: FieldDescriptions;
  /** Fields of which the block needs at least one value to be shown. */
  readonly needsOneOf?: readonly string[];
  /** Other fields of the landing page that the block shows, by the block's names. */
  readonly beside?: Readonly<Record<string, BesideField>>;
  /** Fields by the value of `kind` that shows them. If the first one is empty, none of them is shown. */
  readonly byKind?: Readonly<Record<string, readonly string[]>>;
  /** Set if the block is shown with an empty component when `beside` has something to show. */
  readonly standsAlone?: true;
  /** Set if the block has a form. Browsers hydrate it. A page shows it once if its ids are fixed. */
  readonly hasForm?: 'once' | 'many';
}
export type BlockDescription = BlockWords & { readonly name: string };

/** Describes a block. @param name the block's name in the content: `earnMore`. */
export function block<const Name extends string, const Own extends BlockWords>(
  name: Name,
  own: Own & Pick<NamesFields<keyof Own['fields'] | keyof Own['beside']>, 'needsOneOf'>,
) {
  return { name, ...own } as const;
}

/** The functions that a section's `read` gets from the code that walks through the whole text. */
export interface SectionTools {
  /** Makes the elements of Markdown, HTML or Blocks. */
  richText(value: unknown): ElementContent[];
  /** Makes a text of one line within the limit of all texts; null without text. */
  words(value: unknown): string | null;
  leaveOut(reason: string): void;
  quoted(value: unknown): string;
  text(value: string): ElementContent;
  element(tag: string, children: readonly ElementContent[], properties?: Properties): ElementContent;
  /** Makes a picture, player or link for each file of a media field. */
  media(value: unknown, extras?: { poster?: unknown; captions?: unknown }): readonly SectionMedium[];
  figure(
    content: readonly ElementContent[],
    caption: string | null,
    properties?: Properties,
  ): ElementContent[];
}
interface SectionMedium {
  readonly shown: ElementContent;
  readonly caption: unknown;
}

/** An editor's values by field. A list has only items with all required values. */
type SectionValues<Fields> = { readonly [Name in keyof Fields]?: SectionValue<Fields[Name]> };
type SectionValue<Field> = Field extends { kind: 'list'; component: { fields: infer Fields } }
  ? readonly SectionValues<Fields>[]
  : unknown;

/** A kind of section. `orElse` of a field lists the names that common Strapi projects give to it. */
export interface SectionDescription<Fields = FieldDescriptions> extends ComponentDescription {
  /** Makes elements from an editor's values; none without content. The sanitiser checks them. */
  readonly read: (values: SectionValues<Fields>, tools: SectionTools) => ElementContent[];
}
type SectionWords<Fields> = Omit<OwnWords, 'needs' | 'needsOneOf'> &
  Pick<SectionDescription<Fields>, 'read'> & { readonly fields: Fields };

/** Describes a kind of section. @param kind the kind's name in content files: `quote`. */
export function section<const Kind extends string, const Fields extends FieldDescriptions>(
  kind: Kind,
  own: SectionWords<Fields>,
): SectionDescription & { readonly name: `${Kind}-section` } {
  const words: OwnWords = own;
  // Safe: the values that `read` gets follow from the fields.
  return { ...component(`${kind}-section`, words), read: own.read as SectionDescription['read'] };
}
