import { FEED_FILES, FEED_FORMATS, feedPath } from '../../shared/routing/feed-files.ts';
import { routeTable } from '../../shared/routing/routes.ts';
import { siteRedirects } from './site-redirects.ts';

/**
 * Addresses that belong to the site, so that no entry gets a page there. The list includes endpoints and
 * segments that begin other addresses, such as `/blog/authors`.
 */
const FIXED_ADDRESSES: ReadonlySet<string> = new Set([
  ...routeTable.map(({ path }) => path),
  ...siteRedirects.map(({ from }) => String(from)),
  ...['/blog/authors', '/blog/tags', ...FEED_FORMATS.map(format => feedPath('/blog', format))],
  ...['/healthz', '/livez', '/readyz', '/robots.txt', '/sitemap.xml', '/subscribe', '/vitals'],
]);

/** The path above the slug, by the path of the type. Only these types can clash with the site. */
const ABOVE_SLUG: Readonly<Record<string, string>> = { pages: '/', categories: '/blog/' };

/** File names of category feeds. An article with such a slug would have the address of a feed. */
const FEED_NAMES: ReadonlySet<string> = new Set(Object.values(FEED_FILES));

/**
 * @param slug of an article with its category's, such as `guides/how-to`. @returns null for other addresses.
 */
export function fixedAddressOf(type: string, slug: string): string | null {
  if (type === 'articles') return FEED_NAMES.has(slug.split('/').at(-1) ?? '') ? `/blog/${slug}` : null;
  const above = ABOVE_SLUG[type];
  return above !== undefined && FIXED_ADDRESSES.has(above + slug) ? above + slug : null;
}
