import { type EntryType, entryTypes } from '../../shared/content/entries.ts';
import { siteTypes } from '../../site/types.ts';
import { pathOfSlug, routesOfType } from '../addresses/type-routes.ts';
import { idFilter } from '../content/articles/article-selection.ts';
import type { ContentSource } from '../content/reading/collecting-reader.ts';
import type { AnswerReader } from '../content/requests/answer-reader.ts';
import { type Ask, contentRequest } from '../content/requests/content-request.ts';
import { anyProvenance } from '../content/tags/provenance.ts';
import { decodeArticle, entryDecodersOf } from '../decode/decode-blog.ts';
import { type DecodeRow, mappedRow } from '../decode/decode-fields.ts';
import { timeOf } from '../decode/site-time.ts';
import { callOf, joined, pageOf, paginationOf } from '../wire/content-calls.ts';
import type { ServedType } from '../wire/described-types.ts';
import { entryOf, textOf } from '../wire/wire.ts';
import type { LinkedEntry } from './link-table.ts';
import { type FoundLink, linksIn } from './links-in.ts';

/** The number of rows that one call reads. It is small, because whole rows have long texts. */
const ROWS = 25;

export const LINKED_TYPES: readonly ServedType[] = [siteTypes.article, ...entryTypes];

export type ReadLinkedRows = ReturnType<typeof createLinkedRows>;

/** @param reader must not report problems of the rows, because pages already report them. */
export function createLinkedRows(reader: AnswerReader, timeZone: () => string) {
  const { missing, begin, decodeList } = reader;
  return async (
    type: ServedType,
    { page, id }: { readonly page: number; readonly id: string | null },
    ask: Ask,
  ) => {
    const query = joined(id === null ? 'sort[0]=id:asc' : idFilter([], id), pageOf(page, ROWS));
    const request = contentRequest({
      key: `links?${type.path}&page=${page}`,
      type,
      fetch: () =>
        missing.ask(type, 'full', async selection => [await ask(callOf(type, joined(query, selection)))]),
      begin,
      async decode(answers, context) {
        const entries = await decodeList(type, 'full', answers, rowDecoder(type, timeZone), context);
        return { entries, isLast: page >= paginationOf(answers[0]?.body).pageCount };
      },
      provenance: () => anyProvenance(type.path),
    });
    const answers = await request.fetch(ask, () =>
      Promise.reject(new Error('a list needs no other content')),
    );
    return (await request.decode(answers)).value;
  };
}

function rowDecoder(type: ServedType, timeZone: () => string): DecodeRow<LinkedEntry> {
  const { route } = routesOfType(type.path);
  const decode: DecodeRow<{ id: string; slug: string; title: string }> =
    type.path === siteTypes.article.path ? decodeArticle : entryDecodersOf(type.path as EntryType).full;
  return mappedRow(decode, (decoded, _context, row) => {
    const { id, slug, title } = decoded;
    const attributes = entryOf(row)?.attributes ?? {};
    const { date, publishAt, unpublishAt } = attributes;
    const timeAt = (value: unknown) => {
      const text = textOf(value);
      return text === null ? null : timeOf(text, timeZone());
    };
    const begins = [timeAt(type.path === siteTypes.article.path ? date : null), timeAt(publishAt)];
    const times = begins.filter(time => time !== null);
    return {
      ...{ type: type.path, id, title, links: linksIn(decoded) },
      path: route ? pathOfSlug(route, attributes, slug) : null,
      from: times.length > 0 ? Math.max(...times) : null,
      until: timeAt(unpublishAt),
    };
  });
}

/** Reads single types, categories, social links and redirects from the cache. */
export async function readSingles(
  { api, cache, ask }: Pick<ContentSource, 'api' | 'cache' | 'ask'>,
  signal: AbortSignal,
): Promise<readonly LinkedEntry[]> {
  const found: LinkedEntry[] = [];
  const requests = [api.settings(), api.landing(), api.mainPage(), api.categories(), api.socials()] as const;
  for (const request of requests) {
    const content = await cache.read<object>(request, { ask, signal }).catch(() => null);
    if (content) found.push(...entriesIn(request.type, content.value.value));
  }
  const { exact, wildcards } = (await cache.read(api.redirects(), { ask, signal })).value.value;
  const rows = [...exact.values(), ...wildcards.values()];
  // Skip wildcards that append the rest of the requested path, because the full targets are not known.
  const links = rows.flatMap(({ to, joinsRest }) =>
    to === '' || joinsRest ? [] : { field: 'to', href: to },
  );
  return [...found, singleOf(siteTypes.redirect, null, siteTypes.redirect.label, links)];
}

function entriesIn(type: ServedType, value: object): readonly LinkedEntry[] {
  const { list } = value as { list?: readonly { id: string; name: string }[] };
  const entries: typeof list = Array.isArray(value) ? value : list;
  if (!entries) return [singleOf(type, null, type.label, linksIn(value))];
  return entries.map(one => singleOf(type, one.id, one.name ?? type.label, linksIn(one)));
}

function singleOf(
  { path: type }: ServedType,
  id: string | null,
  title: string,
  links: readonly FoundLink[],
): LinkedEntry {
  return { type, id, title, path: null, from: null, until: null, links };
}
