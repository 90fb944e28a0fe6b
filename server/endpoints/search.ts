import type { RequestHandler } from 'express';
import { type SearchSuggestions, SUGGESTIONS_PATH } from '../../shared/payload/search-data.ts';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { queryText, resultOf } from '../../site/routes/search/search.load.server.ts';
import { siteRoutes } from '../../site/routes.ts';
import { type ReaderParts, readerFor } from '../content/reading/reader-for-request.ts';
import type { LanguageOf } from '../content/reading/site-language.ts';
import { saidError } from '../errors.ts';
import { sendCompressedJson } from '../page-cache/send-compressed.ts';
import type { Search } from '../search/search.ts';
import { limitPerAddress } from '../shared-store/rate-limit.ts';

interface SuggestionParts extends ReaderParts {
  readonly search: Pick<Search, 'find'>;
  readonly languageOf: LanguageOf;
}

/** Limit for suggestions, because a longer list would hide the page. */
const SUGGESTIONS = 6;

export function searchSuggestions(parts: SuggestionParts): RequestHandler {
  return async (req, res) => {
    const { searchParams } = new URL(req.url, 'http://site');
    const query = queryText(searchParams.get('q'));
    const asked = { text: query, type: null, category: null, page: 1, size: SUGGESTIONS, hasSnippets: false };
    const { hits } = await parts.search.find(asked);
    const { labels, typeset } = parts.languageOf(readerFor(parts, res).cachedSettings());
    const status =
      hits.length > 0 ? labels.count('suggestionsFound', hits.length) : labels.text('noSuggestions');
    const results = typeset(hits.map(hit => resultOf(hit, labels)));
    res.set('Cache-Control', 'private, no-cache');
    await sendCompressedJson(req, res, { results, status } satisfies SearchSuggestions);
  };
}

const page = pathTo(siteRoutes.search, {});
export const SEARCH_PATHS = [page, page + PAYLOAD_SUFFIX, SUGGESTIONS_PATH];

const WINDOW_MS = 60_000;
/** Suggestions while typing cause eight searches in two seconds. */
const SEARCHES_PER_WINDOW = 240;

/** Limits searches: a new query takes up to 30 ms of the index's thread. Each replica counts for itself. */
export function searchLimit(): RequestHandler {
  return limitPerAddress('searches', WINDOW_MS, SEARCHES_PER_WINDOW, null, (_req, _res, next) =>
    next(saidError('tooManySearches', 429)),
  );
}
