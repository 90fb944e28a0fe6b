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
import { storedSlugOf } from './slug-spellings.ts';

/** The present slugs of renamed entries, by the slugs that they had before. */
export type PreviousSlugs = ReadonlyMap<string, string>;

interface Renamed {
  readonly before: string;
  readonly now: string;
}

/** The part of a query that asks for the renamed entries of a type. */
export const RENAMED = 'filters[previousSlugs][$notNull]=true&fields[0]=slug&fields[1]=previousSlugs';
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
        () => fetchAll(type, RENAMED, ask),
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
    index: renamed => new Map(renamed.map(({ before, now }) => [before, now])),
    provenance: () => ({ tags: [tagNames.slugs(type.path)], about: null, decides: [] }),
  });
}

function renamedIn({ path }: ServedType, row: unknown, context: DecodeContext): Renamed[] {
  const entry = entryOf(row);
  const now = entry && safeSlug(storedSlugOf(entry));
  if (!now) return [];
  const at = inside(atRow(context, placeOf(path, entry)), 'previousSlugs');
  return linesOf(entry.attributes.previousSlugs).flatMap(line => {
    const before = safeSlug(line);
    if (before === null)
      lose(at, 'value-left-out', `${quoted(line)} is no slug: no address leads to the entry`);
    return before === null || before === now ? [] : [{ before, now }];
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
