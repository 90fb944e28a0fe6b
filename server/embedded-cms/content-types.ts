import { descriptions } from '../../shared/content/content-types.ts';
import {
  type ContentTypeDescription,
  componentOf,
  type FieldDescription,
  isComponentOrJson,
  isMany,
} from '../../shared/content/descriptions.ts';
import { isPopulated } from '../wire/described-types.ts';
import { isObject } from '../wire/wire.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonRecord = { [key: string]: Json };

export interface LinkDefinition {
  kind: 'relation' | 'media' | 'component' | 'zone';
  many: boolean;
  target: string;
  /** Whether a query that does not populate the attribute gets its raw value from the content file. */
  orJson: boolean;
}

export interface ContentType {
  name: string;
  attributes: readonly string[];
  links: Readonly<Record<string, LinkDefinition>>;
  /** Whether this is a component, which has no `documentId` and dates, and is never inside `data`. */
  component: boolean;
}

export interface Row {
  type: ContentType;
  id: number;
  documentId: string;
  attributes: JsonRecord;
  links: Readonly<Record<string, readonly Row[]>>;
}

export interface ContentSource {
  type: string;
  route: string;
  /** `folder`: one file for each entry. `list`: a JSON array. `single`: a JSON file with one entry. */
  kind: 'folder' | 'list' | 'single';
  path: string;
}

export const DATE_ATTRIBUTES = ['createdAt', 'updatedAt', 'publishedAt'] as const;

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

const described = Object.entries(descriptions);
const media: ContentType = {
  name: 'media',
  attributes: [...MEDIA_ATTRIBUTES, ...DATE_ATTRIBUTES],
  links: {},
  component: false,
};

/** Components that a backend may store as JSON instead. */
const jsonComponents: ReadonlySet<string> = new Set(componentsIn(described.map(([, type]) => type)));

export function isJsonComponent(name: string): boolean {
  return jsonComponents.has(name);
}

function componentsIn(types: readonly ContentTypeDescription[]): string[] {
  return types.flatMap(({ fields }) =>
    Object.values(fields).flatMap(field =>
      isComponentOrJson(field) ? (componentOf(field)?.name ?? []) : [],
    ),
  );
}

function definitionOf(name: string, { storage, fields }: ContentTypeDescription): ContentType {
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

function isDate(key: string): boolean {
  return (DATE_ATTRIBUTES as readonly string[]).includes(key);
}

/** @param isInJson whether the field is inside a component that the backend may store as JSON. */
function linkDefinition(field: FieldDescription, isInJson: boolean): LinkDefinition {
  const many = isMany(field);
  const component = componentOf(field);
  if (component !== null)
    return {
      kind: 'component',
      many,
      target: component.name,
      orJson: isComponentOrJson(field),
    };
  if (field.kind === 'zone') return { kind: 'zone', many: true, target: field.of?.[0] ?? '', orJson: false };
  if (field.kind !== 'relation') return { kind: 'media', many, target: 'media', orJson: isInJson };
  return { kind: 'relation', many, target: field.target, orJson: isInJson };
}

const definitions: readonly ContentType[] = [
  ...described.map(([name, description]) => definitionOf(name, description)),
  media,
];
const byName = new Map(definitions.map(type => [type.name, type]));

export function contentType(name: string): ContentType {
  const type = byName.get(name);
  if (!type) throw new Error(`No content type '${name}'`);
  return type;
}

export const contentSources: readonly ContentSource[] = described.flatMap(
  ([type, { path, storage, file }]) => {
    if (path === null || file === null) return [];
    const isFolder = file.endsWith('/');
    const kind = isFolder ? 'folder' : storage === 'single' ? 'single' : 'list';
    return [{ type, route: path, kind, path: isFolder ? file.slice(0, -1) : file }];
  },
);

/** @throws TypeError for values that only YAML has, such as dates. */
function toJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (isObject(value)) return toJsonRecord(value);
  throw new TypeError(`Not a JSON value: ${String(value)}`);
}

export function toJsonRecord(value: Record<string, unknown>): JsonRecord {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJson(inner)]));
}
