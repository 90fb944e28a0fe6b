import { LRUCache } from 'lru-cache';
import { entryOf, rowsOf, type WireEntry } from '../decode/wire.ts';
import { safeSlug } from '../safe-address.ts';

/** Most slugs of one type whose spellings are remembered. */
const MAX_SLUGS = 10_000;

/** The spellings in which the backend stores slugs, as far as answers have shown them. */
export interface SlugSpellings {
  /** @returns the stored spellings of a slug that differ from its canonical form; an empty list if no answer has shown one. */
  of(type: string, slug: string): readonly string[];
  /** Remembers the slugs of an answer's rows. */
  learn(type: string, body: unknown): void;
}

/** @returns a memory without spellings. It holds only slugs that are not stored in their canonical form, so it is small or empty. */
export function createSlugSpellings(): SlugSpellings {
  const types = new Map<string, LRUCache<string, readonly string[]>>();
  return {
    of: (type, slug) => types.get(type)?.get(slug) ?? [],
    learn(type, body) {
      for (const stored of storedSlugs(body)) {
        const slug = safeSlug(stored);
        if (slug === null || slug === stored) continue;
        const known = types.get(type) ?? new LRUCache({ max: MAX_SLUGS });
        types.set(type, known);
        const spellings = known.get(slug) ?? [];
        if (!spellings.includes(stored)) known.set(slug, [...spellings, stored]);
      }
    },
  };
}

/** @returns the slugs of an answer's rows as the backend stores them. */
export function storedSlugs(body: unknown): string[] {
  return (rowsOf(body) ?? []).flatMap(row => {
    const entry = entryOf(row);
    return (entry && storedSlugOf(entry)) ?? [];
  });
}

/** @returns the slug of an entry as the backend stores it, well-formed, because a query cannot hold a lone surrogate; null for an entry without one. */
export function storedSlugOf({ attributes: { slug } }: WireEntry): string | null {
  if (typeof slug === 'number') return String(slug);
  return typeof slug === 'string' ? slug.toWellFormed() : null;
}
