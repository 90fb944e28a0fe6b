import type { ContentReader } from '../../../server/content/reading/content-reader.ts';
import type { EntrySelection } from '../../../server/content/reading/read-values.ts';
import { tagNames } from '../../../server/content/tags/content-tags.ts';
import { breadcrumbsJsonLd } from '../../../server/loading/json-ld.ts';
import {
  type LoaderContext,
  type LoaderHead,
  locationOf,
  type PageOf,
} from '../../../server/loading/loader.ts';
import type { Labels } from '../../../shared/labels/labels.ts';
import { HttpError } from '../../../shared/payload/http-error.ts';
import { feedPath } from '../../../shared/routing/feed-files.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import type { ArticleGroupData } from '../entry-data.ts';
import { blogCrumb, cardsOf, headOfPage, requestedPage, requireArticles } from './article-lists.server.ts';

type Context = LoaderContext<'blog-author' | 'blog-tag'>;

interface Named {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

interface ArticleGroup<Entry> {
  readonly route: 'blog-author' | 'blog-tag';
  readonly by: EntrySelection['by'];
  find(reader: ContentReader, slug: string): Promise<Entry | null>;
  /** Finds the entry whose former slug or name gives this slug. */
  before(reader: ContentReader, slug: string): Promise<Pick<Named, 'slug'> | null>;
  all(reader: ContentReader): Promise<readonly Named[]>;
  headOf(entry: Entry, words: Labels): LoaderHead;
  jsonLdOf?(entry: Entry, context: Pick<Context, 'path' | 'origin'>): string;
}

export function articleGroup<Entry extends Named>({ route, by, ...group }: ArticleGroup<Entry>) {
  return {
    async load(context: Context): Promise<PageOf<ArticleGroupData<Entry>>> {
      const { reader, params, query, path, origin, labels } = context;
      const page = requestedPage(query, path);
      const entry = await group.find(reader, params.slug);
      if (!entry) throw HttpError.notFound(path);
      const list = await reader.articlesOf({ by, id: entry.id }, page);
      requireArticles(list, path);
      const words = await labels();
      const breadcrumbs = [blogCrumb(words), { title: entry.name, href: null }];
      const head = { ...group.headOf(entry, words), noindex: list.total === 0 };
      const jsonLd = group.jsonLdOf?.(entry, context);
      return {
        kind: 'page',
        data: { entry, list: cardsOf(list), breadcrumbs, feed: origin && feedPath(path) },
        head: headOfPage(head, page, path, words),
        jsonLd: [...(jsonLd ? [jsonLd] : []), ...breadcrumbsJsonLd(breadcrumbs, path, origin)],
        about: tagNames.entry(`${by}s`, entry.id),
      };
    },
    async moved(reader: ContentReader, { slug }: Context['params']) {
      // Skip a slug in use: the 404 is then for a page past the list's end, not a former address.
      const entry = (await group.find(reader, slug)) === null ? await group.before(reader, slug) : null;
      return entry && pathTo(route, { slug: entry.slug });
    },
    async locations(reader: ContentReader) {
      const entries = await withArticles(by, await group.all(reader), reader);
      return entries.map(({ slug }) => locationOf(route, { slug }));
    },
  };
}

/** Limit for the authors or tags whose articles the sitemap checks. Above it, the sitemap lists them all. */
const MAX_EXAMINED = 200;
const AT_A_TIME = 10;

async function withArticles(
  by: EntrySelection['by'],
  entries: readonly Named[],
  reader: ContentReader,
): Promise<readonly Named[]> {
  if (entries.length > MAX_EXAMINED) return entries;
  const found: Named[] = [];
  for (let at = 0; at < entries.length; at += AT_A_TIME) {
    const some = entries.slice(at, at + AT_A_TIME);
    const have = await Promise.all(some.map(({ id }) => reader.hasArticles({ by, id })));
    found.push(...some.filter((_, index) => have[index]));
  }
  return found;
}
