/** @returns whether a link leads to the page that is shown; its query and hash do not count. */
export function isCurrent(href: string, pathname: string): boolean {
  return href.startsWith('/') && href.replace(/[?#].*$/, '') === pathname && !href.includes('#');
}
