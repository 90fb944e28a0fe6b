import { contentTypes } from '../../../shared/content/content-types.ts';
import type { OptionalField } from '../content-query.ts';

/** The articles of one author or of one tag, by the id of the entry. */
export interface EntrySelection {
  readonly by: 'author' | 'tag';
  readonly id: string;
}
/** The articles of an author, of a tag, or of a year (`2026`) or month (`2026-11`). */
export type ArticleSelection = EntrySelection | { readonly by: 'period'; readonly id: string };

const FIELDS = { author: 'author', tag: 'tags' } as const;

/** @returns the filter of a query for the articles of an entry. */
export function selectionFilter({ by, id }: EntrySelection): string {
  return idFilter([FIELDS[by]], id);
}

/** @returns the filter for an entry, or for those that are related to it. Entries of Strapi 4 have no `documentId`, and numbers for ids. */
export function idFilter(fields: readonly string[], id: string): string {
  const key = /^\d+$/.test(id) ? 'id' : 'documentId';
  return `filters${[...fields, key].map(field => `[${field}]`).join('')}[$eq]=${encodeURIComponent(id)}`;
}

/** @returns the field that the filter of a selection names, if a backend may lack it; null for a field that every backend has. */
export function optionalFieldOf({ by }: ArticleSelection): OptionalField | null {
  const type = contentTypes.article;
  return by === 'tag' ? { type: type.path, field: 'tags', cost: type.fields.tags.optional } : null;
}
