import type { NavigationLink } from '../content/links.ts';

/** @returns whether a link leads to the page that is shown; its query and hash do not count. */
export function isCurrent(href: string, pathname: string): boolean {
  return href.startsWith('/') && href.replace(/[?#].*$/, '') === pathname && !href.includes('#');
}

/** @returns whether any link of a navigation does. */
export function isAnyCurrent(links: readonly NavigationLink[], pathname: string): boolean {
  return links.some(
    ({ href, children }) =>
      isCurrent(href, pathname) || children.some(child => isCurrent(child.href, pathname)),
  );
}
