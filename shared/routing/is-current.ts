import type { NavigationLink } from '../content/links.ts';
import { withoutPageNumber } from './page-numbers.ts';

/** Whether a link leads to the page itself and not to a hash. Ignores the query and the page's number. */
function isCurrent(href: string, pathname: string): boolean {
  return !href.includes('#') && href.split('?')[0] === withoutPageNumber(pathname);
}

/** @returns the `aria-current` of a link. */
export function ariaCurrent(href: string, pathname: string): 'page' | undefined {
  return isCurrent(href, pathname) ? 'page' : undefined;
}

export function isAnyCurrent(links: readonly NavigationLink[], pathname: string): boolean {
  return links.some(
    ({ href, children }) =>
      isCurrent(href, pathname) || children.some(child => isCurrent(child.href, pathname)),
  );
}
