import {
  type ContentTypeDescription,
  type ContentTypeName,
  componentOf,
  contentTypes,
  type FieldDescription,
  MEDIA_KINDS,
} from '../../shared/content/content-types.ts';
import { TYPE_NAMES } from '../../shared/content/type-names.ts';

/** A type that the backend answers under a path of its own. */
export type ServedType = ContentTypeDescription & { readonly path: string };

const described: readonly (readonly [string, ContentTypeDescription])[] = Object.entries(contentTypes);

/** The types that the backend answers under a path of their own, with their names. */
export const namedTypes: readonly (readonly [name: string, type: ServedType])[] = described.flatMap(
  ([name, type]) => (type.path === null ? [] : [[name, { ...type, path: type.path }] as const]),
);

const servedTypes: ReadonlyMap<string, ServedType> = new Map(namedTypes.map(([, type]) => [type.path, type]));

/** @returns the type with this path below `/api`; null without one. */
export function servedType(path: string): ServedType | null {
  return servedTypes.get(path) ?? null;
}

/** @returns the name of the model of a path below `/api`, such as `business-solution`. */
export function modelOf(path: string): ContentTypeName {
  const [name] = described.find(([, type]) => type.path === path) ?? [];
  if (name === undefined) throw new Error(`No content type with the path '${path}'`);
  return name as ContentTypeName;
}

/** @returns the name of a model as editors read it, such as `Blog category`. */
export function labelOf(model: string): string {
  return TYPE_NAMES[model as ContentTypeName];
}

/** @returns the name of a model as Strapi's lists of permissions have it, such as `Business-solution`. */
export function permissionLabelOf(model: string): string {
  return `${model.charAt(0).toUpperCase()}${model.slice(1)}`;
}

/** @returns all types that the backend answers under paths of their own. */
export function allServedTypes(): readonly ServedType[] {
  return [...servedTypes.values()];
}

/** @returns whether a type has this path below `/api`. */
export function isServedPath(path: string): boolean {
  return servedTypes.has(path);
}

/** @throws Error for a name without a description: a mistake of the program. */
export function descriptionOf(name: string): ContentTypeDescription {
  if (!Object.hasOwn(contentTypes, name)) throw new Error(`No content type '${name}'`);
  return contentTypes[name as ContentTypeName];
}

/** @returns the names of the fields that lists ask a related entry, a component or a file for; null for all. */
export function readsInLists(field: FieldDescription): readonly string[] | null {
  if (typeof field.inLists === 'object') return field.inLists;
  return 'reads' in field ? (field.reads ?? null) : null;
}

/** @returns whether queries populate a field: a link, a dynamic zone, or a value that may be a component. */
export function isPopulated(field: FieldDescription): boolean {
  return isLink(field) || field.kind === 'zone' || componentOf(field) !== null;
}

/** @returns whether an answer has a field only when the query populates it. */
export function isLink(field: FieldDescription): boolean {
  return 'target' in field || (MEDIA_KINDS as readonly string[]).includes(field.kind);
}

/** The tag of each model's content, by every name that a backend may use for the model. */
const tags = new Map(
  described.flatMap(([name, { path, aliases = [] }]) => {
    const tag = path ?? ownerOf(name);
    return tag ? [name, ...aliases].map(model => [model, tag] as const) : [];
  }),
);

/** The tag of a type without a path: that of the type whose entries contain it. */
function ownerOf(name: string): string | null {
  const shows = (field: FieldDescription) =>
    componentOf(field) === name || ('target' in field && field.target === name);
  const [, owner] = described.find(([, { fields }]) => Object.values(fields).some(shows)) ?? [];
  return owner?.path ?? null;
}

/** @returns whether a model's entries are answered under an address of their own, by any name that a backend may use for it. */
export function isServedModel(model: string): boolean {
  return described.some(
    ([name, { path, aliases = [] }]) => path !== null && [name, ...aliases].includes(model),
  );
}

/** @returns the tag that an event about a model invalidates, or undefined for a model that the site does not show. */
export function tagOfModel(model: string): string | undefined {
  return tags.get(model);
}
