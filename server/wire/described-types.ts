import { type ContentTypeName, descriptions } from '../../shared/content/content-types.ts';
import {
  type ContentTypeDescription,
  componentOf,
  type FieldDescription,
  MEDIA_KINDS,
  type TypeDescription,
} from '../../shared/content/descriptions.ts';
import { contentTypes } from '../../site/types.ts';

export type ServedType = TypeDescription & { readonly path: string };

const described = Object.entries(descriptions);

export const namedTypes: readonly (readonly [name: string, type: ServedType])[] =
  Object.entries<TypeDescription>(contentTypes).flatMap(([name, type]) =>
    type.path === null ? [] : [[name, { ...type, path: type.path }] as const],
  );

const servedTypes: ReadonlyMap<string, ServedType> = new Map(namedTypes.map(([, type]) => [type.path, type]));

export function servedType(path: string): ServedType | null {
  return servedTypes.get(path) ?? null;
}

export function modelOf(path: string): ContentTypeName {
  const [name] = described.find(([, type]) => type.path === path) ?? [];
  if (name === undefined) throw new Error(`No content type with the path '${path}'`);
  return name as ContentTypeName;
}

export function labelOf(model: string): string {
  return descriptionOf(model).label;
}

/** @returns the name in Strapi's permissions, such as `Business-solution`. */
export function permissionLabelOf(model: string): string {
  return `${model.charAt(0).toUpperCase()}${model.slice(1)}`;
}

export function descriptionOf(name: string): ContentTypeDescription {
  const description = Object.hasOwn(descriptions, name) ? descriptions[name] : undefined;
  if (!description) throw new Error(`No content type '${name}'`);
  return description;
}

/** @returns which fields of a related entry, component or file are loaded for a list; null for all. */
export function readsInLists(field: FieldDescription): readonly string[] | null {
  if (typeof field.inLists === 'object') return field.inLists;
  return 'reads' in field ? (field.reads ?? null) : null;
}

/** Whether queries populate a field: a link, a dynamic zone, or a possible component. */
export function isPopulated(field: FieldDescription): boolean {
  return isLink(field) || field.kind === 'zone' || componentOf(field) !== null;
}

export function isLink(field: FieldDescription): boolean {
  const { kind } = field;
  return kind === 'relation' || kind === 'component' || MEDIA_KINDS.some(media => media === kind);
}

/** The tag of each model's content, by every possible name of the model in a backend. */
const tags = new Map(
  described.flatMap(([name, type]) => {
    const tag = type.path ?? ownerOf(name);
    return tag ? namesOf(name, type).map(model => [model, tag] as const) : [];
  }),
);

function namesOf(name: string, type: ContentTypeDescription): readonly string[] {
  return [name, ...(('aliases' in type && type.aliases) || [])];
}

/** @returns the tag of a type without a path: the tag of the type that contains its entries. */
function ownerOf(name: string): string | null {
  const shows = (field: FieldDescription) =>
    componentOf(field)?.name === name || ('target' in field && field.target === name);
  const [, owner] = described.find(([, { fields }]) => Object.values(fields).some(shows)) ?? [];
  return owner?.path ?? null;
}

export function isServedModel(model: string): boolean {
  return described.some(([name, type]) => type.path !== null && namesOf(name, type).includes(model));
}

export function tagOfModel(model: string): string | undefined {
  return tags.get(model);
}
