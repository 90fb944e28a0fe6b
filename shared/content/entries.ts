import { siteTypes } from '../../site/types.ts';
import { type ContentTypeName, contentTypes, type ListFields, type ValuesOf } from './content-types.ts';
import type { WithSeo } from './seo.ts';

type ContentTypes = typeof contentTypes;
type EntryTypeName = {
  [Name in ContentTypeName]: ContentTypes[Name] extends { isPage: true } ? Name : never;
}[ContentTypeName];
/** Content types whose entries are pages with a text, by their paths below `/api`. */
export type EntryType = ContentTypes[EntryTypeName]['path'];

export type PageType = ContentTypes[EntryTypeName];
/** Content types whose entries have a parent page that lists them, such as `/commerce`. */
export type ListedType = Exclude<PageType, typeof siteTypes.page>;

export const entryTypes = Object.values(contentTypes).filter((type): type is PageType => 'isPage' in type);
export const listedTypes = entryTypes.filter((type): type is ListedType => type !== siteTypes.page);

export function entryType(path: string): PageType | undefined {
  return entryTypes.find(type => type.path === path);
}

type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type FieldsOfType = ContentTypes[EntryTypeName]['fields'];
type AllFields = AllOf<{ [Name in EntryTypeName]: ContentTypes[Name]['fields'] }[EntryTypeName]>;
type RequiredInAll = {
  [Name in keyof FieldsOfType]: FieldsOfType[Name] extends { required: true } ? Name : never;
}[keyof FieldsOfType];

/** The fields of all content types with pages. Each entry has them all, so those of other types are empty. */
export type FieldsOfPages = {
  [Name in keyof AllFields]: Name extends RequiredInAll ? AllFields[Name] : Omit<AllFields[Name], 'required'>;
};

export type Entry = WithSeo<{ id: string } & ValuesOf<FieldsOfPages>>;

export type EntrySummary = { id: string } & ValuesOf<ListFields<FieldsOfPages>>;

export type ShownEntry = Omit<EntrySummary, 'updatedAt' | 'seo'>;
