import { slugOfName } from '../../server/addresses/slug-of-name.ts';
import { isObject } from '../../server/wire/wire.ts';
import { decodeUri } from '../../shared/routing/decode-uri.ts';

// What an import reads, before it is written to the content folder or to Strapi.

export interface ImportedEntry {
  /** The place in the file, such as `posts[3] "A title"`. */
  readonly place: string;
  readonly kind: 'article' | 'page';
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly html: string;
  readonly date: string | null;
  readonly updatedAt: string | null;
  readonly isDraft: boolean;
  readonly author: string | null;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly cover: { readonly address: string; readonly alt: string } | null;
  readonly seoTitle: string;
  readonly seoDescription: string;
  readonly oldPath: string | null;
}

interface ImportedAuthor {
  readonly place: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly image: string | null;
}

interface ImportedTerm {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
}

export interface ImportedSite {
  /** The old site's address without a slash at the end; empty if the file has none. */
  readonly address: string;
  readonly entries: readonly ImportedEntry[];
  readonly authors: readonly ImportedAuthor[];
  readonly categories: readonly ImportedTerm[];
  readonly tags: readonly ImportedTerm[];
  readonly loss: LossList;
}

/** What could not be imported, each with its place: file, entry and field. */
export class LossList {
  readonly rows: string[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  note(place: string, field: string, what: string): void {
    this.rows.push(`${this.#file}: ${place}: ${field}: ${what}`);
  }
}

export type Json = Readonly<Record<string, unknown>>;

export const rowsIn = (value: unknown): Json[] => [value].flat().filter(isObject);
export const textIn = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

/** The last part of an address: letters, digits and hyphens. */
export const slugIn = (text: string): string => slugOfName(decodeUri(text) ?? text, null) ?? '';

/** @returns an ISO date and time; null for an empty or impossible one. */
export function timeIn(value: unknown): string | null {
  const text = textIn(value);
  if (text === '' || text.startsWith('0000')) return null;
  const time = new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(' ', 'T')}Z` : text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
