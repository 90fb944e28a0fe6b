import {
  type ContentTypeDescription,
  type ContentTypeName,
  contentTypes,
  type FieldDescription,
} from '../../../shared/content/content-types.ts';
import { isLink } from '../../content/described-types.ts';

/** A JSON value, as in content files and in answers. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonRecord = { [key: string]: Json };

export type TypeName = ContentTypeName | 'media';

/** An attribute that an answer has only when the query populates it. */
export interface LinkDefinition {
  kind: 'relation' | 'media' | 'component';
  many: boolean;
  target: TypeName;
}

export interface ContentType {
  name: TypeName;
  /** Attributes that every row has. An attribute that the file does not have is null. */
  attributes: readonly string[];
  links: Readonly<Record<string, LinkDefinition>>;
  /** Whether the type is a component: without `documentId` and dates, and flat in every shape of answer. */
  component: boolean;
}

/** One entry, media file or component, with the rows that it links to. */
export interface Row {
  type: ContentType;
  id: number;
  documentId: string;
  attributes: JsonRecord;
  /** The linked rows by attribute. A link that is not multiple has at most one row. */
  links: Readonly<Record<string, readonly Row[]>>;
}

/** The file or folder with the entries of a type, and their path below `/api`. */
export interface ContentSource {
  type: TypeName;
  route: string;
  /** `folder`: one file for each entry. `list`: one JSON file with an array. `single`: one JSON file with one entry. */
  kind: 'folder' | 'list' | 'single';
  path: string;
}

export const DATE_ATTRIBUTES = ['createdAt', 'updatedAt', 'publishedAt'] as const;

/** The attributes of an upload. */
const MEDIA_ATTRIBUTES = [
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
];

const described = Object.entries(contentTypes) as [ContentTypeName, ContentTypeDescription][];
const media: ContentType = {
  name: 'media',
  attributes: [...MEDIA_ATTRIBUTES, ...DATE_ATTRIBUTES],
  links: {},
  component: false,
};

function definitionOf(name: ContentTypeName, { storage, fields }: ContentTypeDescription): ContentType {
  const component = storage === 'component';
  const given = Object.entries(fields);
  const attributes = given.flatMap(([key, field]) => (isLink(field) || isDate(key) ? [] : [key]));
  const links = given.flatMap(([key, field]) =>
    isLink(field) ? [[key, linkDefinition(field)] as const] : [],
  );
  return {
    name,
    attributes: component ? attributes : [...attributes, ...DATE_ATTRIBUTES],
    links: Object.fromEntries(links),
    component,
  };
}

/** Whether an attribute is one of the dates, which every entry has. */
function isDate(key: string): boolean {
  return (DATE_ATTRIBUTES as readonly string[]).includes(key);
}

function linkDefinition(field: FieldDescription): LinkDefinition {
  const many = field.kind === 'files' || ('many' in field && field.many === true);
  if (!('target' in field)) return { kind: 'media', many, target: 'media' };
  return { kind: field.kind, many, target: field.target as ContentTypeName };
}

const definitions: readonly ContentType[] = [
  ...described.map(([name, description]) => definitionOf(name, description)),
  media,
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
export const contentSources: readonly ContentSource[] = described.flatMap(
  ([type, { path, storage, file }]) => {
    if (path === null || file === null) return [];
    const isFolder = file.endsWith('/');
    const kind = isFolder ? 'folder' : storage === 'single' ? 'single' : 'list';
    return [{ type, route: path, kind, path: isFolder ? file.slice(0, -1) : file }];
  },
);
