import { siteTypes } from '../../../site/types.ts';
import type { ArticleSelection, EntrySelection } from '../reading/read-values.ts';
import type { OptionalField } from '../requests/content-query.ts';

const type = siteTypes.article;
export const TAGS: OptionalField = { type: type.path, field: 'tags', cost: type.fields.tags.optional };

const FIELDS = { author: 'author', tag: 'tags' } as const;

export function selectionFilter({ by, id }: EntrySelection): string {
  return idFilter([FIELDS[by]], id);
}

/** Filters by id. Strapi 4 has numeric ids and no `documentId`. */
export function idFilter(fields: readonly string[], id: string): string {
  const key = /^\d+$/.test(id) ? 'id' : 'documentId';
  return `filters${[...fields, key].map(field => `[${field}]`).join('')}[$eq]=${encodeURIComponent(id)}`;
}

/** @returns the field in the filter if a backend may lack it. */
export function optionalFieldOf({ by }: ArticleSelection): OptionalField | null {
  return by === 'tag' ? TAGS : null;
}

/** @param storedSlug the slug as stored in the backend. */
export function categoryFilter(storedSlug: string): string {
  return `filters[category][slug][$eq]=${encodeURIComponent(storedSlug)}`;
}
