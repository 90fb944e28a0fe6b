import type { ArticleSummary } from '../../../shared/content/blog.ts';
import type { EntrySummary, EntryType } from '../../../shared/content/entries.ts';
import { siteTypes } from '../../../site/types.ts';
import { pathOfSlug, routesOfType } from '../../addresses/type-routes.ts';
import { decodeArticleSummary, entryDecodersOf } from '../../decode/decode-blog.ts';
import { type DecodeRow, mappedRow } from '../../decode/decode-fields.ts';
import { callOf, joined, pageOf } from '../../wire/content-calls.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { idFilter } from '../articles/article-selection.ts';
import type { Publication } from '../articles/publication.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import { type ContentRequest, contentRequest } from '../requests/content-request.ts';
import { partTag, tagNames } from '../tags/content-tags.ts';
import { published } from './slug-lookup.ts';

interface EntryAddress {
  readonly path: string | null;
  readonly tags: readonly string[];
}

/** Requests an entry's path by its id, for links in texts. Null for a draft or a removed entry. */
export function entryAddressRequest(
  { missing, begin, decodeList }: AnswerReader,
  publication: Publication,
  type: ServedType,
  id: string,
): ContentRequest<EntryAddress | null> {
  const { askByDate, endsAt } = published(type, publication);
  const own = tagNames.entry(type.path, id);
  return contentRequest<EntryAddress | null>({
    key: `${type.path}?id=${encodeURIComponent(id)}`,
    type,
    endsAt,
    fetch: ask =>
      missing.ask(type, 'list', async selection => [
        await askByDate(dates => ask(callOf(type, joined(idFilter([], id), dates, pageOf(1, 1), selection)))),
      ]),
    begin,
    decode: async (answers, context) =>
      (await decodeList(type, 'list', answers, addressDecoder(type), context))[0] ?? null,
    provenance: address => ({
      tags: [own, ...(address?.tags ?? [])],
      decides: [tagNames.part(type.path, id, 'link')],
    }),
  });
}

function addressDecoder(type: ServedType): DecodeRow<EntryAddress> {
  const { route } = routesOfType(type.path);
  const decode: DecodeRow<ArticleSummary | EntrySummary> =
    type.path === siteTypes.article.path
      ? decodeArticleSummary
      : entryDecodersOf(type.path as EntryType).summary;
  return mappedRow(decode, entry => {
    const { category = null } = 'category' in entry ? entry : {};
    return {
      path: route ? pathOfSlug(route, { category }, entry.slug) : null,
      tags: [
        partTag(type.path, entry, entry.id, 'link'),
        ...(category ? [partTag(siteTypes.category.path, category, category.id, 'link')] : []),
      ],
    };
  });
}
