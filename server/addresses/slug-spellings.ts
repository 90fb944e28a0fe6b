import { boundedMap } from '../ops/bounded-map.ts';
import { entryOf, rowsOf, type WireEntry } from '../wire/wire.ts';
import { safeSlug } from './safe-address.ts';

const MAX_SLUGS = 10_000;

/**
 * Remembers how the backend spells slugs, so that a canonical address finds an entry with another spelling.
 * Stores only slugs that are not canonical, so the memory stays small.
 */
export function createSlugSpellings() {
  const types = new Map<string, ReturnType<typeof boundedMap<readonly string[]>>>();
  return {
    of: (type: string, slug: string) => types.get(type)?.get(slug) ?? [],
    learn(type: string, body: unknown): void {
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

/** @returns the slug as the backend stores it, but well-formed: a query cannot contain a lone surrogate. */
export function storedSlugOf({ attributes: { slug } }: WireEntry): string | null {
  if (typeof slug === 'number') return String(slug);
  return typeof slug === 'string' ? slug.toWellFormed() : null;
}
