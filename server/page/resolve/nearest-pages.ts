import type { ArticleSummary, ListPage } from '../../../shared/content/blog.ts';
import { type EntrySummary, entryTypes } from '../../../shared/content/entries.ts';
import type { ContentLink } from '../../../shared/content/links.ts';
import { decodeUri } from '../../../shared/routing/decode-uri.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { withoutTrailingSlashes } from '../../../shared/routing/trailing-slashes.ts';
import { siteRoutes } from '../../../site/routes.ts';
import { siteTypes } from '../../../site/types.ts';
import { editDistance } from '../../config/edit-distance.ts';
import { cachedArticleKeys } from '../../content/articles/article-lists.ts';
import type { ContentReader } from '../../content/reading/content-reader.ts';
import type { CategoryLinks } from '../../content/reading/read-values.ts';
import { wordsOf } from '../../search/index/words.ts';

const OFFERED = 5;
const MAX_COMPARED = 500;
/** Limit for the cached lists to read. So many contain more articles than are compared. */
const MAX_LISTS = 100;
const MIN_LIKENESS = 0.5;
const MAX_PATH_LENGTH = 120;

/**
 * Finds pages to suggest on a 404 page: similar addresses, the best first, then pages of the navigation.
 * Reads cached content only, because a crawler may request any number of addresses.
 * @param path the missing path, percent-encoded.
 */
export type FindNearestPages = (reader: ContentReader, path: string) => ContentLink[];

export function createNearestPages(): FindNearestPages {
  let pages: ({ version: string } & ReturnType<typeof preparePages>) | null = null;
  return (reader, path) => {
    const lists = cachedListKeys(reader);
    const version = reader.versionOf([...LISTS, ...lists.categories, ...lists.newest], 'cached');
    if (pages?.version !== version) pages = { version, ...preparePages(reader, lists) };
    const { links, names } = pages;
    const likeness = names.likeness(
      [path, lastSegment(path)].map(text => readable(text.slice(0, MAX_PATH_LENGTH))),
    );
    const near = links
      .map((link, index) => ({ link, likeness: likeness[index] ?? 0 }))
      .filter(candidate => candidate.likeness >= MIN_LIKENESS)
      .sort((a, b) => b.likeness - a.likeness)
      .map(({ link }) => link);
    // The pages of the navigation come next, because every visitor needs somewhere to go.
    return [...new Set([...near, ...links])].filter(({ href }) => href !== path).slice(0, OFFERED);
  };
}

function preparePages(reader: ContentReader, lists: ReturnType<typeof cachedArticleKeys>) {
  // Of several links to a page use the first, which comes from the navigation if the page is in it.
  const byAddress = Map.groupBy(cachedPages(reader, lists), ({ href }) => href);
  const links = [...byAddress.values()].flatMap(([first]) => first ?? []).slice(0, MAX_COMPARED);
  const names = links.map(({ href, title }) => [href, lastSegment(href), title].map(readable));
  return { links, names: createNameIndex(names) };
}

const LISTS = [siteTypes.settings, siteTypes.category, ...entryTypes].map(({ path }) => path);

function cachedListKeys(reader: ContentReader) {
  const slugs: CategoryLinks['storedSlugs'] =
    reader.peek<CategoryLinks>(siteTypes.category.path)?.storedSlugs ?? new Map();
  return cachedArticleKeys(new Map([...slugs].slice(0, MAX_LISTS)));
}

function cachedPages(reader: ContentReader, lists: ReturnType<typeof cachedArticleKeys>): ContentLink[] {
  const settings = reader.cachedSettings();
  const menu = [...(settings?.headerLinks ?? []), ...(settings?.footerLinks ?? [])];
  const categories = reader.peek<CategoryLinks>(siteTypes.category.path)?.list ?? [];
  const articles = [...lists.categories, ...lists.newest].flatMap(
    key => reader.peek<ListPage<ArticleSummary>>(key)?.items ?? [],
  );
  const page = (title: string, href: string): ContentLink => ({ title, href, icon: null });
  return [
    ...[...menu, ...menu.flatMap(({ children }) => children)]
      .filter(({ href }) => /^\/(?!\/)[^?#]*$/.test(href))
      .map(({ title, href, icon }) => ({ title, href, icon })),
    ...categories.map(({ name, slug }) => page(name, pathTo(siteRoutes.category, { category: slug }))),
    ...entryTypes.flatMap(({ path, route }) =>
      (reader.peek<readonly EntrySummary[]>(path) ?? []).map(({ title, slug }) =>
        page(title, pathTo(route, { slug })),
      ),
    ),
    ...articles.flatMap(({ title, slug, category }) =>
      category ? page(title, pathTo(siteRoutes.article, { category: category.slug, slug })) : [],
    ),
  ];
}

function lastSegment(path: string): string {
  return withoutTrailingSlashes(path).replace(/^.*\//, '');
}

/** Removes case, accents, percent-encoding, and the characters between words. */
function readable(name: string): string {
  return wordsOf(decodeUri(name) ?? name).join(' ');
}

/** The longest name, in characters, that is compared letter by letter. */
const MAX_SHORT_NAME_LENGTH = 16;

interface Name {
  letters: string;
  /** Pairs of adjacent letters as numbers, which are twice as fast as texts. */
  pairs: ReadonlySet<number>;
  /** One bit for each letter. Two letters may share a bit. */
  letterBits: number;
}

/** An index from letter pairs to names, so that names without a common pair cost almost nothing. */
function createNameIndex(things: readonly (readonly string[])[]) {
  const names = things.flatMap((own, thing) => [...new Set(own)].map(text => ({ thing, ...nameOf(text) })));
  const byPair = new Map<number, number[]>();
  names.forEach(({ pairs }, at) => {
    for (const pair of pairs) {
      const having = byPair.get(pair);
      if (having) having.push(at);
      else byPair.set(pair, [at]);
    }
  });
  return {
    /** @returns for each thing the best likeness between one of its names and one of `asked`. */
    likeness(asked: readonly string[]): Float64Array {
      const best = new Float64Array(things.length);
      for (const one of new Set(asked)) {
        const name = nameOf(one);
        const common = new Uint16Array(names.length);
        for (const pair of name.pairs)
          for (const at of byPair.get(pair) ?? []) common[at] = (common[at] ?? 0) + 1;
        names.forEach((other, at) => {
          const likeness = likenessOf(name, other, common[at] ?? 0);
          if (likeness > (best[other.thing] ?? 0)) best[other.thing] = likeness;
        });
      }
      return best;
    },
  };
}

function nameOf(letters: string): Name {
  const pairs = new Set<number>();
  let letterBits = 0;
  let before = 0;
  for (let at = 0; at < letters.length; at += 1) {
    const code = letters.charCodeAt(at);
    letterBits |= 1 << (code & 31);
    if (at > 0) pairs.add(before * 65_536 + code);
    before = code;
  }
  return { letters, pairs, letterBits };
}

/**
 * Returns 1 for equal names, 0 for names without a common part. Dice's coefficient tolerates another order of
 * words; the edit distance tolerates a typo in a short name.
 */
function likenessOf(a: Name, b: Name, common: number): number {
  const dice = common === 0 ? 0 : (2 * common) / (a.pairs.size + b.pairs.size);
  const longest = Math.max(a.letters.length, b.letters.length);
  if (longest > MAX_SHORT_NAME_LENGTH || longest < 3) return dice;
  const mostEdits = Math.ceil(longest / 4);
  if (leastEdits(a, b) > mostEdits) return dice;
  const edits = editDistance(a.letters, b.letters);
  return edits > mostEdits ? dice : Math.max(dice, 1 - edits / longest);
}

/** @returns a cheap lower bound of the edit distance: each missing letter needs an edit. */
function leastEdits(a: Name, b: Name): number {
  return Math.max(
    Math.abs(a.letters.length - b.letters.length),
    countBits(a.letterBits & ~b.letterBits),
    countBits(b.letterBits & ~a.letterBits),
  );
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
