import { fixedAddressOf } from '../../addresses/fixed-addresses.ts';
import { safeSlug } from '../../addresses/safe-address.ts';
import { storedSlugOf } from '../../addresses/slug-spellings.ts';
import { placeOf } from '../../decode/decode-fields.ts';
import type { Steps } from '../../ops/slices.ts';
import { atRow, inside, lose, type ReportContext } from '../../wire/decode-context.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { dateOf, entryOf, inOrder, isObject, rowsOf, unwrap, type WireEntry } from '../../wire/wire.ts';

export interface AddressRank {
  isCanonical: boolean;
  /** The creation time in ISO 8601; empty if unknown. */
  createdAt: string;
  /** The backend's numeric id, which decides between equal times; 0 without one. */
  number: number;
}

export function rankOf(row: unknown): AddressRank | null {
  const entry = entryOf(row);
  if (!entry) return null;
  const stored = storedSlugOf(entry);
  const bare = unwrap(row);
  return {
    isCanonical: stored !== null && safeSlug(stored) === stored,
    createdAt: dateOf(entry.attributes.createdAt) ?? '',
    number: isObject(bare) && typeof bare.id === 'number' ? bare.id : 0,
  };
}

/** Compares entries: canonical slugs win, then older entries. Rows without `createdAt` keep their places. */
export function compareRanks(a: AddressRank, b: AddressRank): number {
  return (
    Number(b.isCanonical) - Number(a.isCanonical) ||
    inOrder(a.createdAt, b.createdAt) ||
    (a.createdAt === '' ? 0 : a.number - b.number)
  );
}

export function entriesByRank(rows: readonly unknown[]): WireEntry[] {
  const ranked = rows.flatMap(row => {
    const [entry, rank] = [entryOf(row), rankOf(row)];
    return entry && rank ? { entry, rank } : [];
  });
  const unique = new Map(ranked.map(item => [item.entry.id, item]));
  return [...unique.values()].sort((a, b) => compareRanks(a.rank, b.rank)).map(({ entry }) => entry);
}

export function* reportClashes(
  type: ServedType,
  bodies: readonly unknown[],
  context: ReportContext,
): Steps<void> {
  if (!('slug' in type.fields)) return;
  const owners = new Map<string, Owner>();
  const others: Owner[] = [];
  const rows = bodies.flatMap(body => rowsOf(body) ?? []);
  for (const row of rows) {
    yield;
    const [entry, rank] = [entryOf(row), rankOf(row)];
    const address = entry && addressOf(type, entry);
    if (!entry || !rank || address === null) continue;
    const owner = owners.get(address);
    if (owner?.entry.id === entry.id) continue;
    const wins = owner === undefined || compareRanks(rank, owner.rank) < 0;
    if (wins) owners.set(address, { entry, rank, address });
    if (owner) others.push(wins ? owner : { entry, rank, address });
    else if (fixedAddressOf(type.path, address) !== null) others.push({ entry, rank, address });
  }
  for (const { entry, address } of others) {
    yield;
    const at = inside(atRow(context, placeOf(type.path, entry)), 'slug');
    const fixed = fixedAddressOf(type.path, address);
    if (fixed !== null)
      lose(
        at,
        'address-reserved',
        `its address '${fixed}' belongs to the site itself, so the entry has no page: give it another slug`,
      );
    else
      lose(
        at,
        'address-clash',
        `its address '${address}' shows the entry '${owners.get(address)?.entry.id}', which has the same slug: give one of the two another slug`,
      );
  }
}

interface Owner {
  readonly entry: WireEntry;
  readonly rank: AddressRank;
  readonly address: string;
}

/** @returns the slug, or `category/slug` if the type has categories; null without an address. */
function addressOf({ fields }: ServedType, entry: WireEntry): string | null {
  const slug = safeSlug(storedSlugOf(entry));
  if (slug === null || !('category' in fields)) return slug;
  const category = entryOf(entry.attributes.category);
  const categorySlug = category && safeSlug(storedSlugOf(category));
  return categorySlug && `${categorySlug}/${slug}`;
}
