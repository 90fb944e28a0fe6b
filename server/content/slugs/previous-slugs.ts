import type { AnswerReader } from '../answer-reader.ts';
import { malformed } from '../content-calls.ts';
import { type ContentRequest, contentRequest } from '../content-request.ts';
import { tagNames } from '../content-tags.ts';
import { atRow, type DecodeContext, inside, lose, quoted } from '../decode/decode-context.ts';
import { placeOf } from '../decode/decode-fields.ts';
import { entryOf, rowsOf, type WireEntry } from '../decode/wire.ts';
import type { ServedType } from '../described-types.ts';
import type { Lists } from '../lists/lists.ts';
import { safeSlug } from '../safe-address.ts';
import { slugOfName } from './slug-of-name.ts';
import { storedSlugOf } from './slug-spellings.ts';

/** A renamed entry. */
export interface RenamedEntry {
  readonly id: string;
  /** The present slug; null for an entry whose address is made from its name. */
  readonly now: string | null;
}
/** The renamed entries, by the slugs that they had before. */
export type PreviousSlugs = ReadonlyMap<string, RenamedEntry>;

interface Renamed extends RenamedEntry {
  readonly before: string;
}

/** @returns whether entries of a type may have addresses that are made from their names. A backend may not know the field `slug` of such a type. */
function isNamed({ fields }: ServedType): boolean {
  return 'name' in fields && fields.slug?.required !== true;
}

/** @returns the part of a query that asks for the renamed entries of a type. */
export function renamedQuery(type: ServedType): string {
  const shown = isNamed(type) ? 'name' : 'slug';
  return `filters[previousSlugs][$notNull]=true&fields[0]=${shown}&fields[1]=previousSlugs`;
}

/** Stands in for the entries of a backend without the field. */
const NONE = { text: '{"data":[]}', body: { data: [] } };

/**
 * @returns the request for all renamed entries of a type. It is read where nothing answers under an address, so pages that exist cost no call,
 *   and many made-up addresses cost one.
 */
export function previousSlugsRequest(
  { missing, begin }: AnswerReader,
  { fetchAll }: Pick<Lists, 'fetchAll'>,
  type: ServedType,
): ContentRequest<PreviousSlugs> {
  const cost = 'the former addresses of renamed entries are 404s';
  return contentRequest<readonly Renamed[], PreviousSlugs>({
    key: `${type.path}?previous-slugs`,
    type,
    fetch: ask =>
      missing.either(
        { type: type.path, field: 'previousSlugs', cost },
        () => fetchAll(type, renamedQuery(type), ask),
        async () => [NONE],
      ),
    begin,
    decode: (answers, context) =>
      answers.flatMap(({ body }) => {
        const rows = rowsOf(body);
        if (!rows) throw malformed(type, 'the answer holds no list');
        return rows.flatMap(row => renamedIn(type, row, context));
      }),
    // An entry may have a slug that another one had before: the newer entry had it last.
    index: renamed => new Map(renamed.map(({ before, ...entry }) => [before, entry])),
    provenance: () => ({ tags: [tagNames.slugs(type.path)], about: null, decides: [] }),
  });
}

function renamedIn(type: ServedType, row: unknown, context: DecodeContext): Renamed[] {
  const entry = entryOf(row);
  if (!entry) return [];
  const now = isNamed(type) ? null : safeSlug(storedSlugOf(entry));
  if (now === null && !isNamed(type)) return [];
  const at = inside(atRow(context, placeOf(type.path, entry)), 'previousSlugs');
  return linesOf(entry.attributes.previousSlugs).flatMap(line => {
    // A former name stands for the address that was made from it.
    const slugs = [safeSlug(line), isNamed(type) ? slugOfName(line) : null].flatMap(slug => slug ?? []);
    if (slugs.length === 0)
      lose(at, 'value-left-out', `${quoted(line)} is no slug: no address leads to the entry`);
    return [...new Set(slugs)].flatMap(before => (before === now ? [] : [{ before, id: entry.id, now }]));
  });
}

/** @returns the slugs that an entry had before. */
export function previousSlugsOf({ attributes }: WireEntry): string[] {
  return linesOf(attributes.previousSlugs).flatMap(line => safeSlug(line) ?? []);
}

/** @returns the lines of a text that are not blank. A content file may have a list instead. */
function linesOf(value: unknown): string[] {
  const lines: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split('\n')
      : [];
  return lines.flatMap(line => (typeof line === 'string' && line.trim() !== '' ? [line.trim()] : []));
}
