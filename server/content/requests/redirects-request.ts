import type { RedirectTable } from '../../../shared/routing/redirects.ts';
import { siteRedirects } from '../../../site/redirects.ts';
import { siteTypes } from '../../../site/types.ts';
import {
  type RedirectProblem,
  type RedirectRow,
  redirectRows,
  redirectTableSteps,
} from '../../addresses/redirect-table.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { versionedTag } from '../../cache/tags/tags.ts';
import { inSlices } from '../../ops/slices.ts';
import { unwrap } from '../../wire/wire.ts';
import type { Lists } from '../lists/lists.ts';
import { rowsVersion } from '../tags/content-tags.ts';
import { wholeProvenance } from '../tags/provenance.ts';
import type { AnswerReader } from './answer-reader.ts';
import { type Ask, type ContentRequest, indexedRequest } from './content-request.ts';

export interface RedirectsOptions {
  publicOrigin: string | null;
  redirectHosts: readonly string[] | null;
  onRedirectProblems: (problems: readonly RedirectProblem[]) => void;
}

const type = siteTypes.redirect;

interface Known {
  lastChange: string;
  answers: readonly JsonAnswer[];
}

/** Call this once for each site: the request stores its rows, and loads them again only after a change. */
export function redirectsRequest(
  { missing, lastChanges, begin, decodeList }: AnswerReader,
  fetchAll: Lists['fetchAll'],
  { publicOrigin, redirectHosts, onRedirectProblems }: RedirectsOptions,
): ContentRequest<RedirectTable> {
  let known: Known | null = null;

  async function fetchRows(ask: Ask): Promise<readonly JsonAnswer[]> {
    // Ask for changes first, so that the next request finds changes made during the read.
    const changes = await lastChanges(type, 1, ask);
    const lastChange = changes.by === null ? null : JSON.stringify(changes);
    if (lastChange !== null && known?.lastChange === lastChange) return known.answers;
    const answers = await missing.ask(type, 'full', selection => fetchAll(type, selection, ask));
    known =
      lastChange !== null && answers.every(isList) ? { lastChange, answers: answers.map(parsedLater) } : null;
    return answers;
  }

  return indexedRequest<readonly RedirectRow[], RedirectTable>({
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

function isList({ body }: JsonAnswer): boolean {
  return Array.isArray(unwrap(body));
}

/** Keeps only the text, because the parsed form takes several times the memory and is rarely needed. */
function parsedLater({ text }: JsonAnswer): JsonAnswer {
  return {
    text,
    get body() {
      return JSON.parse(text) as unknown;
    },
  };
}
