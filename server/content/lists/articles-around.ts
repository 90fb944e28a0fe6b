import type { ArticleSummary } from '../../../shared/content/blog.ts';
import { contentTypes } from '../../../shared/content/content-types.ts';
import type { AnswerReader } from '../answer-reader.ts';
import { callOf, joined, pageOf } from '../content-calls.ts';
import { type ContentRequest, contentRequest } from '../content-request.ts';
import { aroundName, aroundTag, cardTags, tagNames } from '../content-tags.ts';
import { decodeArticleSummary } from '../decode/decode-blog.ts';
import type { Publication } from './publication.ts';

/** An article, as a link to it has it. */
export interface LinkedArticle {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly category: { readonly slug: string };
}

/** The articles before and after one in the list of its category; null at the ends of the list. */
export interface ArticlesAround {
  readonly newer: LinkedArticle | null;
  readonly older: LinkedArticle | null;
}

/** Every stored article has such an answer, so no more of the two articles is kept than their links and their tags. */
interface DecodedAround extends ArticlesAround {
  readonly tags: readonly string[];
}

/** The article whose neighbours are asked for. */
export interface ArticleInCategory {
  readonly id: string;
  /** ISO 8601. */
  readonly date: string;
  /** The slug of its category. */
  readonly category: string;
  /** The slug as the backend stores it. */
  readonly storedCategory: string;
}

/** Rows that are read in each direction. The article itself is among them, and so are others of its date. */
const ROWS = 6;
const type = contentTypes.article;

/** @returns the request for the neighbours of an article, where lists are sorted by date. */
export function articlesAroundRequest(
  { missing, begin, decodeList }: AnswerReader,
  publication: Publication,
  { id, date, category, storedCategory }: ArticleInCategory,
): ContentRequest<ArticlesAround> {
  const operand = encodeURIComponent(publication.operandOf(date));
  const call = (side: string) =>
    joined(
      `filters[category][slug][$eq]=${encodeURIComponent(storedCategory)}`,
      `filters[date]${side}`,
      pageOf(1, ROWS),
      publication.filter(),
    );
  return contentRequest<DecodedAround, ArticlesAround>({
    key: `articles?around=${encodeURIComponent(id)}&category=${encodeURIComponent(storedCategory.toWellFormed())}&date=${date}`,
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
        aroundTag(false, category, id, newer, older),
        ...[newer, older].flatMap(article => (article ? cardTags(article) : [])),
      ];
      return { newer: newer && linkedArticle(newer), older: older && linkedArticle(older), tags };
    },
    index: ({ newer, older }) => ({ newer, older }),
    provenance: ({ tags }) => ({
      tags,
      about: null,
      decides: [aroundName(false, category, id)],
    }),
  });
}

function linkedArticle({ id, title, slug, category }: ArticleSummary): LinkedArticle {
  return { id, title, slug, category: { slug: category.slug } };
}
