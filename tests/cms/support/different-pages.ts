import { type Answer, AS_BROWSER, sendRequest } from '../../support/send-request.ts';
import { textOf } from './text-of-page.ts';

/** Two pages without an entry, and the second page of a list. */
const MORE_PATHS = ['/no-such-page', '/blog/guides?page=2', '/blog/no-such-category'];

/**
 * Compares each page of the sitemap on two sites by status and text.
 * @param sample the site on the content folder, which supplies the sitemap
 * @returns a line for each differing page, and the number of pages.
 */
export async function differentPages(
  site: { url: string },
  sample: { url: string },
): Promise<{ different: string[]; count: number }> {
  const paths = await pagesOfSitemap(sample);
  const different: string[] = [];
  for (const path of [...paths, ...MORE_PATHS]) {
    const [cms, folder] = (await Promise.all(
      [site, sample].map(({ url }) => sendRequest(url, path, { headers: AS_BROWSER })),
    )) as [Answer, Answer];
    if (cms.status !== folder.status) different.push(`${path}: ${cms.status} instead of ${folder.status}`);
    else if (textOf(cms.text) !== textOf(folder.text))
      different.push(`${path}: ${firstDifference(textOf(cms.text), textOf(folder.text))}`);
  }
  return { different, count: paths.length };
}

/** @returns the paths in the sitemap of a site. */
export async function pagesOfSitemap({ url }: { url: string }): Promise<string[]> {
  const { text } = await sendRequest(url, '/sitemap.xml');
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(match => new URL(match[1] ?? '').pathname);
}

function firstDifference(a: string, b: string): string {
  let index = 0;
  while (a[index] === b[index]) index += 1;
  return `“${a.slice(Math.max(0, index - 30), index + 60)}” instead of “${b.slice(Math.max(0, index - 30), index + 60)}”`;
}
