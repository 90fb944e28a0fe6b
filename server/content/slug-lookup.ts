import type { JsonAnswer } from '../backend/backend-client.ts';
import { callOf, joined, malformed } from './content-calls.ts';
import { type ContentRequest, contentRequest, type Provenance } from './content-request.ts';
import type { DecodeContext } from './decode/decode-context.ts';
import type { DecodeRow } from './decode/decode-fields.ts';
import type { BeginDecoding } from './decode/decoding.ts';
import type { ServedType } from './described-types.ts';
import type { MissingFields } from './missing-fields.ts';

export interface SlugLookupOptions {
  ask: MissingFields['ask'];
  /** Decodes the rows of an answer and reports those that are left out. */
  decodeRows: <T>(
    type: ServedType,
    answer: JsonAnswer,
    decodeRow: DecodeRow<T>,
    context: DecodeContext,
  ) => readonly T[];
  begin: BeginDecoding;
}

/** @returns a request for the entry of a type with a slug, or for null where the backend has none. */
export type SlugLookup = <T extends { slug: string }>(
  type: ServedType,
  slug: string,
  decodeRow: DecodeRow<T>,
  provenance: (value: T) => Provenance,
) => ContentRequest<T | null>;

/** @returns a function that looks up entries by their slugs. */
export function createSlugLookup({ ask: askSelected, begin, decodeRows }: SlugLookupOptions): SlugLookup {
  return <T extends { slug: string }>(
    type: ServedType,
    slug: string,
    decodeRow: DecodeRow<T>,
    provenance: (value: T) => Provenance,
  ) => {
    const filter = `filters[slug][$eq]=${encodeURIComponent(slug)}`;
    return contentRequest<T | null, T | null>({
      key: `${type.path}/${slug}`,
      type,
      fetch: ask =>
        askSelected(type, 'full', async selection => [await ask(callOf(type, joined(filter, selection)))]),
      begin,
      decode([answer], context) {
        if (!answer) throw malformed(type, 'there is no answer');
        const items = decodeRows(type, answer, decodeRow, context);
        // Some databases also find `about` for `about ` or `ábout`. Without this check both would be second addresses of the page.
        return items.find(item => comparableSlug(item.slug) === comparableSlug(slug)) ?? null;
      },
      index: value => value,
      // A missing entry may be published at any time. The type's tag is then invalidated.
      provenance: value => (value ? provenance(value) : { tags: [type.path], about: null }),
    });
  };
}

/** The form in which slugs are compared: addresses ignore case and Unicode composition. */
function comparableSlug(slug: string): string {
  return slug.toLowerCase().normalize('NFC');
}
