import type { ArticleSummary } from '../../../shared/content/blog.ts';
import { siteTypes } from '../../../site/types.ts';
import { decodeArticleSummary } from '../../decode/decode-blog.ts';
import { callOf, joined, pageOf } from '../../wire/content-calls.ts';
import type { ArticleInCategory, ArticlesAround, LinkedArticle } from '../reading/read-values.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import { type ContentRequest, indexedRequest } from '../requests/content-request.ts';
import { aroundName, aroundTag, cardTags } from '../tags/article-tags.ts';
import { tagNames } from '../tags/content-tags.ts';
import { categoryFilter } from './article-selection.ts';
import type { Publication } from './publication.ts';

/** An article's neighbours, reduced to links and tags to save memory: each stored article has a pair. */
interface DecodedAround extends ArticlesAround {
  readonly tags: readonly string[];
}

/** The rows requested in each direction. They include the article and others of the same date. */
const ROWS = 6;
const BY_DATE = { by: 'date' } as const;
const type = siteTypes.article;

export function articlesAroundRequest(
  { missing, begin, decodeList }: AnswerReader,
  publication: Publication,
  { id, date, category, storedCategory }: ArticleInCategory,
): ContentRequest<ArticlesAround> {
  const operand = encodeURIComponent(publication.operandOf(date));
  const call = (side: string) =>
    joined(categoryFilter(storedCategory), `filters[date]${side}`, pageOf(1, ROWS), publication.filter());
  return indexedRequest<DecodedAround, ArticlesAround>({
    key: `${type.path}?around=${encodeURIComponent(id)}&category=${encodeURIComponent(storedCategory.toWellFormed())}&date=${date}`,
    type,
    isPacked: true,
    endsAt: publication.endsAt,
    fetch: ask =>
      missing.ask(type, 'list', selection =>
        Promise.all([
          ask(
            callOf(type, joined(call(`[$lte]=${operand}`), 'sort[0]=date:desc&sort[1]=id:desc', selection)),
          ),
          ask(callOf(type, joined(call(`[$gte]=${operand}`), 'sort[0]=date:asc&sort[1]=id:asc', selection))),
        ]),
      ),
    begin,
    async decode(answers, context) {
      const [older = null, newer = null] = await Promise.all(
        answers.map(async answer => {
          const rows = await decodeList(type, 'list', [answer], decodeArticleSummary, context);
          const at = rows.findIndex(row => row.id === id);
          return at < 0 ? null : (rows[at + 1] ?? null);
        }),
      );
      const tags = [
        tagNames.selection(type.path, 'around', category),
        aroundTag(BY_DATE, category, id, newer, older),
        ...[newer, older].flatMap(article => (article ? cardTags(article) : [])),
      ];
      return { newer: newer && linkedArticle(newer), older: older && linkedArticle(older), tags };
    },
    index: ({ newer, older }) => ({ newer, older }),
    provenance: ({ tags }) => ({ tags, decides: [aroundName(BY_DATE, category, id)] }),
  });
}

function linkedArticle({ id, title, slug, category }: ArticleSummary): LinkedArticle {
  return { id, title, slug, category: { slug: category.slug } };
}
