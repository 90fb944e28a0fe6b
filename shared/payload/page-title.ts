const SEPARATOR = ' – ';

export function onSite(siteName: string): string {
  return SEPARATOR + siteName;
}

export function titleOnSite(title: string, siteName: string): string {
  return title + onSite(siteName);
}

/** Removes the site's name from a title, because shared links show it separately. */
export function titleWithoutSite(title: string, siteName: string): string {
  const end = onSite(siteName);
  return siteName && title.endsWith(end) ? title.slice(0, -end.length) : title;
}
