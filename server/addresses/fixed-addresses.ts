import { FEED_FILES, FEED_FORMATS, feedPath } from '../../shared/routing/feed-files.ts';
import { siteRedirects } from '../../site/redirects.ts';
import { routes, siteRoutes } from '../../site/routes.ts';
import { siteTypes } from '../../site/types.ts';

/**
 * Paths that the site itself uses, so that no entry can have its page there. Besides pages these are
 * endpoints and prefixes of other paths, such as `/blog/authors`.
 */
const FIXED_ADDRESSES: ReadonlySet<string> = new Set([
  ...routes.map(({ path }) => path),
  ...siteRedirects.map(({ from }) => String(from)),
  ...[above(siteRoutes.author), above(siteRoutes.tag)].map(path => path.replace(/\/$/, '')),
  ...FEED_FORMATS.map(format => feedPath(above(siteRoutes.blog), format)),
  ...['/healthz', '/livez', '/readyz', '/robots.txt', '/sitemap.xml', '/subscribe', '/vitals'],
]);

/** The path before the slug, by content type. Only entries of these types can clash with FIXED_ADDRESSES. */
const ABOVE_SLUG: Readonly<Record<string, string>> = {
  [siteTypes.page.path]: above(siteRoutes.page),
  [siteTypes.category.path]: above(siteRoutes.category),
};

/** File names of category feeds. An article with such a slug would have the address of a feed. */
const FEED_NAMES: ReadonlySet<string> = new Set(Object.values(FEED_FILES));

/**
 * @param slug an article's slug includes that of its category, such as `guides/how-to`.
 * @returns the fixed address that the entry's page would take; null if it would take none.
 */
export function fixedAddressOf(type: string, slug: string): string | null {
  if (type === siteTypes.article.path)
    return FEED_NAMES.has(slug.split('/').at(-1) ?? '') ? above(siteRoutes.article) + slug : null;
  const begin = ABOVE_SLUG[type];
  return begin !== undefined && FIXED_ADDRESSES.has(begin + slug) ? begin + slug : null;
}

function above(route: string): string {
  return routes.find(({ id }) => id === route)?.path.split(':', 1)[0] ?? '';
}
