import type { NavigationLink } from '../content/links.ts';
import { withoutPageNumber } from './page-numbers.ts';

type Current = 'page' | 'true' | undefined;

/**
 * @returns the `aria-current` of a link: `page` on its page, `true` on the pages below. A link with a hash
 *   has none. The query and the page's number do not count.
 */
export function ariaCurrent(href: string, pathname: string): Current {
  const [path = ''] = href.split('?');
  const page = withoutPageNumber(pathname);
  if (href.includes('#')) return undefined;
  if (path === page) return 'page';
  return path.length > 1 && page.startsWith(`${path}/`) ? 'true' : undefined;
}

export function marksOf(links: readonly NavigationLink[], pathname: string): readonly Current[] {
  return links
    .flatMap(({ href, children }) => [href, ...children.map(child => child.href)])
    .map(href => ariaCurrent(href, pathname));
}
