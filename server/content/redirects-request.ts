import { contentTypes } from '../../shared/content/content-types.ts';
import type { RedirectTable } from '../../shared/routing/redirects.ts';
import { allPages } from './all-pages.ts';
import type { AnswerReader } from './answer-reader.ts';
import { type ContentRequest, contentRequest } from './content-request.ts';
import {
  buildRedirectTable,
  type RedirectProblem,
  type RedirectRow,
  redirectRows,
} from './redirect-table.ts';
import { siteRedirects } from './site-redirects.ts';

export interface RedirectsOptions {
  /** The site's own origin, or null when it is not configured. An absolute redirect to this origin counts as a path. */
  publicOrigin: string | null;
  /** Called with the rows that a new redirect table leaves out. */
  onRedirectProblems: (problems: readonly RedirectProblem[]) => void;
}

/** @returns the request for the redirect table: the site's own redirects, then the rows of the backend. */
export function redirectsRequest(
  { missing, begin, decodeList }: AnswerReader,
  { publicOrigin, onRedirectProblems }: RedirectsOptions,
): ContentRequest<RedirectTable> {
  const type = contentTypes.redirect;
  return contentRequest<readonly RedirectRow[], RedirectTable>({
    key: type.path,
    type,
    fetch: async ask =>
      (await missing.ask(type, 'full', selection => allPages(type, selection, ask))).answers,
    begin,
    decode: (answers, context) =>
      redirectRows(decodeList(type, 'full', answers, row => ({ ok: true, value: row }), context)),
    index(rows) {
      const { table, problems } = buildRedirectTable([...siteRedirects, ...rows], publicOrigin);
      onRedirectProblems(problems);
      return table;
    },
    provenance: () => ({ tags: [type.path], about: null }),
  });
}
