import { FEED_FILES, FEED_FORMATS, feedPath } from '../../../shared/routing/feeds.ts';
import { routeTable } from '../../../shared/routing/routes.ts';
import { siteRedirects } from '../redirects/site-redirects.ts';

/**
 * The addresses that belong to the site itself, whatever the content says: an entry with such an address has no page. Routes without a parameter
 * are here by themselves. A segment that begins other addresses of the site, such as `/blog/authors`, has a line of its own, and so have
 * endpoints that are no routes.
 */
const FIXED_ADDRESSES: ReadonlySet<string> = new Set([
  ...routeTable.map(({ path }) => path),
  ...siteRedirects.map(({ from }) => String(from)),
  ...['/blog/authors', '/blog/tags', ...FEED_FORMATS.map(format => feedPath('/blog', format))],
  ...['/healthz', '/livez', '/readyz', '/robots.txt', '/sitemap.xml', '/subscribe', '/vitals'],
]);

/** The paths above the slugs of the types whose entries may have such an address, by the path of the type. */
const ABOVE_SLUG: Readonly<Record<string, string>> = { pages: '/', categories: '/blog/' };

/** The feeds of a category have addresses like its articles. */
const FEED_NAMES: ReadonlySet<string> = new Set(Object.values(FEED_FILES));

/**
 * @param type the path of the entry's type.
 * @param slug the slug of the entry; for an article below the slug of its category, such as `guides/how-to`.
 * @returns the address of an entry if it belongs to the site itself; null for every other entry.
 */
export function fixedAddressOf(type: string, slug: string): string | null {
  if (type === 'articles') return FEED_NAMES.has(slug.split('/').at(-1) ?? '') ? `/blog/${slug}` : null;
  const above = ABOVE_SLUG[type];
  return above !== undefined && FIXED_ADDRESSES.has(above + slug) ? above + slug : null;
}
