const SEPARATOR = ' – ';

export function titleOnSite(title: string, siteName: string): string {
  return title + SEPARATOR + siteName;
}

/** Removes the site's name from a title, because shared links show it separately. */
export function titleWithoutSite(title: string, siteName: string): string {
  const end = SEPARATOR + siteName;
  return siteName && title.endsWith(end) ? title.slice(0, -end.length) : title;
}
