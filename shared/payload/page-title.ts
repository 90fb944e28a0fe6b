const SEPARATOR = ' – ';

/** @returns the title of a page with the name of the site behind it. */
export function titleOnSite(title: string, siteName: string): string {
  return title + SEPARATOR + siteName;
}

/** @returns a title without the name of the site behind it: shared links show that beside the title. */
export function titleWithoutSite(title: string, siteName: string): string {
  const end = SEPARATOR + siteName;
  return siteName && title.endsWith(end) ? title.slice(0, -end.length) : title;
}
