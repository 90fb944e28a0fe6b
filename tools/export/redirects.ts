import type { RedirectRule } from '../../shared/routing/redirects.ts';
import { GONE_STATUS } from '../../shared/routing/redirects.ts';
import { routeTable } from '../../shared/routing/routes.ts';
import type { ExportedRedirect } from './host-files.ts';
import type { SiteToExport } from './running-site.ts';

interface Former {
  readonly route: string;
  readonly before: string;
  /** The slug now; null for an entry whose address is made from its name. */
  readonly now: string | null;
}

interface KnownRedirects {
  /** Paths that editors redirect. */
  readonly exact: readonly string[];
  readonly wildcards: readonly ExportedRedirect[];
  readonly gone: readonly { readonly path: string; readonly wildcard: boolean }[];
  readonly former: readonly Former[];
}

export async function readRedirects(site: SiteToExport): Promise<KnownRedirects> {
  const { status, body } = await site.operate('GET', '/redirects');
  if (status !== 200) throw new Error(`the redirects: ${status}`);
  const { rows, former } = JSON.parse(body.toString()) as { rows: RedirectRule[]; former: Former[] };
  const kept = rows.filter(({ statusCode }) => statusCode !== GONE_STATUS);
  return {
    exact: kept.filter(({ wildcard }) => !wildcard).map(({ from }) => encodeURI(from)),
    wildcards: [
      ...kept.filter(({ wildcard }) => wildcard).map(row => ({ ...row, from: `${encodeURI(row.from)}/**` })),
      ...former.flatMap(categoryOf),
    ],
    gone: rows
      .filter(({ statusCode }) => statusCode === GONE_STATUS)
      .map(({ from, wildcard }) => ({ path: from, wildcard })),
    former,
  };
}

/** @returns the redirect of all pages below a former address, such as that of a category. */
function categoryOf({ route, before, now }: Former): ExportedRedirect[] {
  const above = routeTable.find(({ id }) => id === route)?.path ?? '';
  const hasBelow = routeTable.some(({ path }) => path.startsWith(`${above}/:`));
  if (now === null || !hasBelow) return [];
  const [from, to] = [before, now].map(slug => above.replace(/:\w+$/, encodeURIComponent(slug)));
  return [{ from: `${from}/**`, to: to ?? '', statusCode: 308, joinsRest: true }];
}

/** @returns addresses that may redirect; the site decides. @param pages the addresses in the sitemap. */
export function candidates({ exact, former }: KnownRedirects, pages: readonly string[]): string[] {
  const guesses = former.flatMap(({ route, before, now }) => {
    const above = routeTable.find(({ id }) => id === route)?.path ?? '';
    const ending = /:\w+$/;
    if (above.indexOf(':') === above.lastIndexOf(':'))
      return [above.replace(ending, encodeURIComponent(before))];
    // The path contains a parent, such as a category. Copy that part from the current address.
    const end = `/${encodeURIComponent(now ?? '')}`;
    return pages
      .filter(page => now !== null && page.endsWith(end))
      .map(page => page.slice(0, -end.length + 1) + encodeURIComponent(before));
  });
  return [...exact, ...guesses];
}
