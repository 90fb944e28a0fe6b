import type { NavigationLink } from '../content/links.ts';
import { withoutPageNumber } from './page-numbers.ts';

/** Whether a link leads to the page itself and not to a hash. Ignores the query and the page's number. */
export function isCurrent(href: string, pathname: string): boolean {
  return !href.includes('#') && href.split('?')[0] === withoutPageNumber(pathname);
}

export function isAnyCurrent(links: readonly NavigationLink[], pathname: string): boolean {
  return links.some(
    ({ href, children }) =>
      isCurrent(href, pathname) || children.some(child => isCurrent(child.href, pathname)),
  );
}
