import type { ArticleSummary, ListPage } from '../../shared/content/blog.ts';
import type { EntrySummary } from '../../shared/content/entries.ts';
import type { ContentLink } from '../../shared/content/links.ts';
import type { Settings } from '../../shared/content/settings.ts';
import { decodeUri } from '../../shared/routing/decode-uri.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import type { Categories } from '../content/categories.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { cachedArticleKeys } from '../content/lists.ts';
import { editDistance } from './edit-distance.ts';

/** Most pages that are offered. */
const MAX_OFFERED = 4;
/** Most pages that are compared: a 404 must stay cheap. */
const MAX_COMPARED = 500;
/** Two names at least this alike count as two spellings of one name. */
const MIN_LIKENESS = 0.5;
/** Longer paths are cut off before they are compared. */
const MAX_PATH_LENGTH = 120;
/** Names of up to this many characters are compared letter by letter. */
const MAX_SHORT_NAME_LENGTH = 16;

/**
 * @param path the path that leads nowhere, percent-encoded.
 * @returns the pages whose addresses or titles are most like the path, best first. Only cached content is compared, and the
 *   backend is not asked: a crawler may request any number of addresses.
 */
export function nearestPages(reader: ContentReader, path: string): ContentLink[] {
  const requested = [path, lastSegment(path)].map(text => nameOf(text.slice(0, MAX_PATH_LENGTH)));
  const known = new Map(cachedPages(reader).map(link => [link.href, link]));
  return [...known.values()]
    .slice(0, MAX_COMPARED)
    .map(link => {
      const names = [link.href, lastSegment(link.href), link.title].map(nameOf);
      return {
        link,
        likeness: Math.max(...requested.flatMap(one => names.map(name => likeness(one, name)))),
      };
    })
    .filter(candidate => candidate.likeness >= MIN_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_OFFERED)
    .map(({ link }) => link);
}

/** The pages that content in memory names: the navigation, the categories, and lists that were read before. */
function cachedPages(reader: ContentReader): ContentLink[] {
  const settings = reader.peek<Settings>('settings');
  const categories = reader.peek<Categories>('categories')?.list ?? [];
  const entries = (type: string) => reader.peek<readonly EntrySummary[]>(type) ?? [];
  const lists = cachedArticleKeys(categories.map(({ slug }) => slug));
  const articles = [
    ...lists.categories.flatMap(key => reader.peek<ListPage<ArticleSummary>>(key)?.items ?? []),
    ...lists.newest.flatMap(key => reader.peek<readonly ArticleSummary[]>(key) ?? []),
  ];
  const page = (title: string, href: string): ContentLink => ({ title, href, icon: null });
  return [
    ...[...(settings?.headerLinks ?? []), ...(settings?.footerLinks ?? [])]
      .flatMap(({ children, ...link }) => [link, ...children])
      .filter(({ href }) => /^\/(?!\/)[^?#]*$/.test(href)),
    ...categories.map(({ name, slug }) => page(name, pathTo('blog-category', { category: slug }))),
    ...entries('pages').map(({ title, slug }) => page(title, pathTo('page', { slug }))),
    ...entries('business-solutions').map(({ title, slug }) =>
      page(title, pathTo('business-solution', { slug })),
    ),
    ...entries('commerces').map(({ title, slug }) => page(title, pathTo('commerce', { slug }))),
    ...articles.flatMap(({ title, slug, category }) =>
      category ? page(title, pathTo('blog-article', { category: category.slug, slug })) : [],
    ),
  ];
}

function lastSegment(path: string): string {
  return path.replace(/\/+$/, '').replace(/^.*\//, '');
}

interface Name {
  letters: string;
  /** All pairs of neighbouring letters. */
  pairs: ReadonlySet<string>;
}

/** A name without case, accents and the characters between words. */
function nameOf(name: string): Name {
  const letters = (decodeUri(name) ?? name)
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const pairs = Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2));
  return { letters, pairs: new Set(pairs) };
}

/**
 * @returns 1 for equal names, 0 for names with nothing in common: the greater of two measures. Dice's coefficient of the pairs tolerates
 * words in another order. The edit distance tolerates a typing error in a short name.
 */
function likeness(a: Name, b: Name): number {
  let common = 0;
  for (const pair of a.pairs) if (b.pairs.has(pair)) common += 1;
  const dice = common === 0 ? 0 : (2 * common) / (a.pairs.size + b.pairs.size);
  const longest = Math.max(a.letters.length, b.letters.length);
  if (longest > MAX_SHORT_NAME_LENGTH || longest < 3) return dice;
  const edits = editDistance(a.letters, b.letters);
  return edits > Math.ceil(longest / 4) ? dice : Math.max(dice, 1 - edits / longest);
}
