import { safeSlug } from '../../addresses/safe-address.ts';
import { slugOfName } from '../../addresses/slug-of-name.ts';
import { storedSlugOf } from '../../addresses/slug-spellings.ts';
import { placeOf } from '../../decode/decode-fields.ts';
import { rowsIn } from '../../wire/content-calls.ts';
import { atRow, type DecodeContext, inside, lose, quoted } from '../../wire/decode-context.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { entryOf, type WireEntry } from '../../wire/wire.ts';
import type { Lists } from '../lists/lists.ts';
import { emptyAnswer } from '../requests/answer-meaning.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import { type ContentRequest, indexedRequest } from '../requests/content-request.ts';
import { tagNames } from '../tags/content-tags.ts';

export interface RenamedEntry {
  readonly id: string;
  /** The slug now; null for an entry whose address is made from its name. */
  readonly now: string | null;
}
export type PreviousSlugs = ReadonlyMap<string, RenamedEntry>;

interface Renamed extends RenamedEntry {
  readonly before: string;
}

/** Whether addresses may be made from names. The type may lack the field `slug` in a backend. */
function isNamed({ fields }: ServedType): boolean {
  return 'name' in fields && fields.slug?.required !== true;
}

export function renamedQuery(type: ServedType): string {
  const shown = isNamed(type) ? 'name' : 'slug';
  return `filters[previousSlugs][$notNull]=true&fields[0]=${shown}&fields[1]=previousSlugs`;
}

/** Requests all former slugs of a type, for addresses without a page. Made-up addresses share this call. */
export function previousSlugsRequest(
  { missing, begin }: AnswerReader,
  { fetchAll }: Pick<Lists, 'fetchAll'>,
  type: ServedType,
  locale: string,
): ContentRequest<PreviousSlugs> {
  const cost = 'the former addresses of renamed entries are 404s';
  return indexedRequest<readonly Renamed[], PreviousSlugs>({
    key: `${type.path}?previous-slugs`,
    type,
    fetch: ask =>
      missing.either(
        { type: type.path, field: 'previousSlugs', cost },
        () => fetchAll(type, renamedQuery(type), ask),
        async () => [emptyAnswer(type)],
      ),
    begin,
    decode: (answers, context) =>
      answers.flatMap(({ body }) => rowsIn(type, body).flatMap(row => renamedIn(type, row, locale, context))),
    // Let the newer entry win, because several entries may have had the same slug.
    index: renamed => new Map(renamed.map(({ before, ...entry }) => [before, entry])),
    provenance: () => ({ tags: [tagNames.slugs(type.path)], decides: [] }),
  });
}

function renamedIn(type: ServedType, row: unknown, locale: string, context: DecodeContext): Renamed[] {
  const entry = entryOf(row);
  if (!entry) return [];
  const now = isNamed(type) ? null : safeSlug(storedSlugOf(entry));
  if (now === null && !isNamed(type)) return [];
  const at = inside(atRow(context, placeOf(type.path, entry)), 'previousSlugs');
  return linesOf(entry.attributes.previousSlugs).flatMap(line => {
    // Treat a former name as the address that was made from it.
    const named = isNamed(type) ? [slugOfName(line, locale), slugOfName(line, null)] : [];
    const slugs = [safeSlug(line), ...named].flatMap(slug => slug ?? []);
    if (slugs.length === 0)
      lose(at, 'value-left-out', `${quoted(line)} is no slug: no address leads to the entry`);
    return [...new Set(slugs)].flatMap(before => (before === now ? [] : [{ before, id: entry.id, now }]));
  });
}

export function previousSlugsOf({ attributes }: WireEntry): string[] {
  return linesOf(attributes.previousSlugs).flatMap(line => safeSlug(line) ?? []);
}

/** Reads lines. A content file may have a list in place of a text. */
function linesOf(value: unknown): string[] {
  const lines: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split('\n')
      : [];
  return lines.flatMap(line => (typeof line === 'string' && line.trim() !== '' ? [line.trim()] : []));
}
