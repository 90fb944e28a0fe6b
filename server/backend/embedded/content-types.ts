import {
  type ContentTypeDescription,
  type ContentTypeName,
  componentOf,
  contentTypes,
  type FieldDescription,
} from '../../../shared/content/content-types.ts';
import { isPopulated } from '../../content/described-types.ts';

/** A JSON value, as in content files and in answers. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonRecord = { [key: string]: Json };

export type TypeName = ContentTypeName | 'media';

/** An attribute that an answer has only when the query populates it. */
export interface LinkDefinition {
  /** The rows of a zone are components of several types. */
  kind: 'relation' | 'media' | 'component' | 'zone';
  many: boolean;
  /** The type of the rows; of a zone the first one. */
  target: TypeName;
  /**
   * Whether the attribute is sent as the JSON of its file, unless the query populates it. So both forms of the landing page's blocks, of links
   * and of questions are served from the same files.
   */
  orJson: boolean;
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

/** The components in which a value is sent that a file has as JSON, and the components in them. */
const jsonComponents: ReadonlySet<string> = new Set(componentsIn(described.map(([, type]) => type)));

/** @returns whether a component is sent for a value that a file has as JSON. */
export function isJsonComponent(name: TypeName): boolean {
  return jsonComponents.has(name);
}

function componentsIn(types: readonly ContentTypeDescription[]): string[] {
  return types.flatMap(({ storage, fields }) =>
    Object.values(fields).flatMap(field => {
      const component = storage !== 'component' && 'target' in field ? null : componentOf(field);
      return component === null ? [] : [component];
    }),
  );
}

function definitionOf(name: ContentTypeName, { storage, fields }: ContentTypeDescription): ContentType {
  const component = storage === 'component';
  const given = Object.entries(fields);
  const links = given.flatMap(([key, field]) =>
    isPopulated(field) ? [[key, linkDefinition(field, jsonComponents.has(name))] as const] : [],
  );
  const linkOf = new Map<string, LinkDefinition>(links);
  const attributes = given.flatMap(([key]) =>
    linkOf.get(key)?.orJson === false || isDate(key) ? [] : [key],
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

/** @param isInJson whether the field is part of a component whose file has JSON. */
function linkDefinition(field: FieldDescription, isInJson: boolean): LinkDefinition {
  const many = field.kind === 'files' || ('many' in field && field.many === true);
  const component = componentOf(field);
  if (component !== null)
    return {
      kind: 'component',
      many,
      target: component as ContentTypeName,
      orJson: isInJson || !('target' in field),
    };
  if (field.kind === 'zone')
    return { kind: 'zone', many: true, target: field.of?.[0] as ContentTypeName, orJson: false };
  if (!('target' in field)) return { kind: 'media', many, target: 'media', orJson: isInJson };
  return { kind: field.kind, many, target: field.target as ContentTypeName, orJson: isInJson };
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
