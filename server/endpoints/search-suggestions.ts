import type { RequestHandler } from 'express';
import type { Settings } from '../../shared/content/settings.ts';
import type { SearchSuggestions } from '../../shared/payload/search-data.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { queryText, resultOf } from '../loaders/load-search.ts';
import { sendCompressedJson } from '../page-cache/send-compressed.ts';
import type { Site } from '../site.ts';

/** Suggestions in a list: more of them hide the page. */
const SUGGESTIONS = 6;

/** Answers with the pages that a visitor may mean, while the query is still being typed. */
export function searchSuggestions(
  site: Pick<Site, 'search' | 'content' | 'languageOf' | 'metrics'>,
): RequestHandler {
  return async (req, res) => {
    const { searchParams } = new URL(req.url, 'http://site');
    const query = queryText(searchParams.get('q'));
    const asked = { text: query, type: null, category: null, page: 1, size: SUGGESTIONS, hasSnippets: false };
    const { hits } = await site.search.find(asked);
    const { labels } = site.languageOf(readerFor(site, res).peek<Settings>('settings') ?? null);
    const status =
      hits.length > 0 ? labels.count('suggestionsFound', hits.length) : labels.text('noSuggestions');
    const results = hits.map(hit => resultOf(hit, labels));
    res.set('Cache-Control', 'private, no-cache');
    await sendCompressedJson(req, res, { results, status } satisfies SearchSuggestions);
  };
}
