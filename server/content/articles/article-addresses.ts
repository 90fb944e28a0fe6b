import { siteTypes } from '../../../site/types.ts';
import { requireCategory } from '../../decode/decode-blog.ts';
import { entityDecoder } from '../../decode/decode-entity.ts';
import { callOf, countIn, joined, pageOf } from '../../wire/content-calls.ts';
import { pagesOf } from '../lists/all-pages.ts';
import { oldestFirst } from '../lists/lists.ts';
import type { ArticleAddress, PageRange } from '../reading/read-values.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import { type Ask, type ContentRequest, contentRequest } from '../requests/content-request.ts';
import { anyProvenance } from '../tags/provenance.ts';
import type { Publication } from './publication.ts';

const { slug, updatedAt, category, cover, seo, publishAt, unpublishAt } = siteTypes.article.fields;
const articleAddress = {
  ...siteTypes.article,
  fields: {
    slug,
    updatedAt,
    category,
    ...{ publishAt, unpublishAt },
    // Read only these fields of the cover, as all would take a kilobyte. The two times give its version.
    cover: { ...cover, kind: 'file', reads: ['url', 'createdAt', 'updatedAt'] },
    seo: { ...seo, inLists: true, reads: ['metaRobots'] },
  },
} as const;
const decodeAddress = requireCategory(entityDecoder(articleAddress));

export function articleCountRequest(
  { begin }: AnswerReader,
  { ask: askPublished, endsAt }: Publication,
): ContentRequest<{ total: number }> {
  const type = siteTypes.article;
  return contentRequest({
    key: `${type.path}?count`,
    type,
    isCount: true,
    fetch: async ask => [
      await askPublished(filter => ask(callOf(type, joined(filter, 'fields[0]=slug', pageOf(1, 1))))),
    ],
    endsAt,
    begin,
    decode: ([answer]) => ({ total: countIn(type, answer?.body) }),
    provenance: () => anyProvenance(type.path),
  });
}

/**
 * Reads addresses of articles page by page without storing them. Skips and logs articles without an address.
 * @throws BackendError, also if all rows of a page lack a category. An empty sitemap must not replace the
 *   last one.
 */
export async function* readArticleAddresses(
  { missing, begin, decodeList }: AnswerReader,
  { ask: askPublished }: Publication,
  ask: Ask,
  range: PageRange,
): AsyncGenerator<readonly ArticleAddress[], void> {
  const { pages, first } = await askPublished(filter =>
    missing.ask(articleAddress, 'list', selection =>
      oldestFirst(articleAddress, missing, async sort => {
        const opened = pagesOf(articleAddress, joined(selection, sort, filter), ask, range);
        return { pages: opened, first: await opened.next() };
      }),
    ),
  );
  let number = range.first;
  for (let next = first; !next.done; next = await pages.next()) {
    const { value } = next;
    const decoding = begin(`${articleAddress.path}?addresses&page=${number}`);
    const addresses = await decoding
      .decode(context => decodeList(articleAddress, 'list', [value], decodeAddress, context))
      .finally(() => decoding.finish());
    yield addresses;
    number += 1;
  }
}
