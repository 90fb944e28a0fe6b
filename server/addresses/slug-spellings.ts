import { boundedMap } from '../ops/bounded-map.ts';
import { entryOf, rowsOf, type WireEntry } from '../wire/wire.ts';
import { safeSlug } from './safe-address.ts';

/** For each type. */
const MAX_SLUGS = 10_000;

/** The spellings in which the backend stores slugs, as far as answers have shown them. */
export interface SlugSpellings {
  /** @returns the stored spellings that differ from the canonical form. */
  of(type: string, slug: string): readonly string[];
  learn(type: string, body: unknown): void;
}

/** The memory holds only slugs that are not stored in their canonical form, so it is small. */
export function createSlugSpellings(): SlugSpellings {
  const types = new Map<string, ReturnType<typeof boundedMap<readonly string[]>>>();
  return {
    of: (type, slug) => types.get(type)?.get(slug) ?? [],
    learn(type, body) {
      for (const stored of storedSlugs(body)) {
        const slug = safeSlug(stored);
        if (slug === null || slug === stored) continue;
        const known = types.get(type) ?? boundedMap<readonly string[]>(MAX_SLUGS);
        types.set(type, known);
        const spellings = known.get(slug) ?? [];
        if (!spellings.includes(stored)) known.set(slug, [...spellings, stored]);
      }
    },
  };
}

export function storedSlugs(body: unknown): string[] {
  return (rowsOf(body) ?? []).flatMap(row => {
    const entry = entryOf(row);
    return (entry && storedSlugOf(entry)) ?? [];
  });
}

/** As the backend stores it, but well-formed: a query cannot hold a lone surrogate. */
export function storedSlugOf({ attributes: { slug } }: WireEntry): string | null {
  if (typeof slug === 'number') return String(slug);
  return typeof slug === 'string' ? slug.toWellFormed() : null;
}
