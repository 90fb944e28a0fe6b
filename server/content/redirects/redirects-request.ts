import { contentTypes } from '../../../shared/content/content-types.ts';
import type { RedirectTable } from '../../../shared/routing/redirects.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { versionedTag } from '../../cache/tags.ts';
import { inSlices } from '../../ops/turns.ts';
import type { AnswerReader } from '../answer-reader.ts';
import { type Ask, type ContentRequest, contentRequest } from '../content-request.ts';
import { rowsVersion, wholeProvenance } from '../content-tags.ts';
import { unwrap } from '../decode/wire.ts';
import type { Lists } from '../lists/lists.ts';
import {
  type RedirectProblem,
  type RedirectRow,
  redirectRows,
  redirectTableSteps,
} from './redirect-table.ts';
import { siteRedirects } from './site-redirects.ts';

export interface RedirectsOptions {
  /** The site's own origin, or null when it is not configured. An absolute redirect to this origin counts as a path. */
  publicOrigin: string | null;
  /** The only other hosts that a redirect may lead to; null: any host. */
  redirectHosts: readonly string[] | null;
  /** Called with the rows that a new redirect table leaves out. */
  onRedirectProblems: (problems: readonly RedirectProblem[]) => void;
}

const type = contentTypes.redirect;

/** The rows as they were fetched last, and the answer about the last change from before. */
interface Known {
  lastChange: string;
  answers: readonly JsonAnswer[];
}

/**
 * Call this once for each site: the request remembers the rows. A site may have thousands, and one call tells that nothing has changed.
 *
 * @returns the request for the redirect table: the site's own redirects, then the rows of the backend in the order of their creation.
 */
export function redirectsRequest(
  { missing, lastChanges, begin, decodeList }: AnswerReader,
  fetchAll: Lists['fetchAll'],
  { publicOrigin, redirectHosts, onRedirectProblems }: RedirectsOptions,
): ContentRequest<RedirectTable> {
  let known: Known | null = null;

  async function fetchRows(ask: Ask): Promise<readonly JsonAnswer[]> {
    // Asked first: a change during the reading of the rows is then found the next time. Without times all rows are read again.
    const changes = await lastChanges(type, 1, ask);
    const lastChange = changes.by === null ? null : JSON.stringify(changes);
    if (lastChange !== null && known?.lastChange === lastChange) return known.answers;
    const answers = await missing.ask(type, 'full', selection => fetchAll(type, selection, ask));
    known =
      lastChange !== null && answers.every(isList) ? { lastChange, answers: answers.map(parsedLater) } : null;
    return answers;
  }

  return contentRequest<readonly RedirectRow[], RedirectTable>({
    key: type.path,
    type,
    isServedStale: true,
    fetch: fetchRows,
    begin,
    decode: async (answers, context) =>
      redirectRows(await decodeList(type, 'full', answers, row => ({ ok: true, value: row }), context)),
    async index(rows) {
      const { table, problems } = await inSlices(
        redirectTableSteps([...siteRedirects, ...rows], publicOrigin, redirectHosts),
      );
      onRedirectProblems(problems);
      return table;
    },
    provenance: async rows =>
      wholeProvenance(type.path, versionedTag(type.path, await inSlices(rowsVersion(rows)))),
  });
}

/** Whether an answer can be decoded. Other answers are not remembered, so that they are asked for again. */
function isList({ body }: JsonAnswer): boolean {
  return Array.isArray(unwrap(body));
}

/** Keeps the text alone: parsed, it would take several times the memory, and it is needed only when the table was evicted. */
function parsedLater({ text }: JsonAnswer): JsonAnswer {
  return {
    text,
    get body() {
      return JSON.parse(text) as unknown;
    },
  };
}
