import { safeSlug } from '../../addresses/safe-address.ts';
import { storedSlugOf } from '../../addresses/slug-spellings.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { callOf, joined, malformed, pageOf, paginationOf } from '../../wire/content-calls.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { entryOf, rowsOf } from '../../wire/wire.ts';
import type { Ask } from '../requests/content-request.ts';
import { countRows } from '../store/last-good-rows.ts';

/** The largest page size that the backend allows. */
export const PAGE_SIZE = 100;
/** Limit for a list: a million rows, more than any site has. */
const MAX_PAGES = 10_000;
const PAGES_AT_A_TIME = 4;

/**
 * Fetches pages of a list. The first is fetched alone, because it contains the number of pages.
 * @param first from 1. @param last the end of the range; a shorter list ends earlier.
 * @throws BackendError `malformed` above MAX_PAGES, because a cut list would look complete.
 */
export async function* pagesOf(
  type: ServedType,
  query: string,
  ask: Ask,
  { first = 1, last = Number.POSITIVE_INFINITY } = {},
): AsyncGenerator<JsonAnswer, void> {
  const page = (number: number) => ask(callOf(type, joined(query, pageOf(number, PAGE_SIZE))));
  const opening = await page(first);
  let { pageCount } = paginationOf(opening.body);
  yield opening;
  for (let next = first + 1; next <= Math.min(pageCount, last); next += PAGES_AT_A_TIME) {
    if (pageCount > MAX_PAGES) throw malformed(type, `a list of ${pageCount} pages is too long`);
    const numbers = Array.from({ length: PAGES_AT_A_TIME }, (_, at) => next + at);
    const end = Math.min(pageCount, last);
    const answers = await Promise.all(numbers.filter(number => number <= end).map(page));
    yield* answers;
    // Read the number of pages again, because rows may be added meanwhile.
    pageCount = paginationOf(answers.at(-1)?.body).pageCount;
  }
}

/**
 * Fetches all pages of a list. Reads it again if a removed row has shifted others to a page already read.
 * @returns the responses, and the number of rows that the backend counts but has not sent.
 */
export async function allPages(
  type: ServedType,
  query: string,
  ask: Ask,
): Promise<{ answers: readonly JsonAnswer[]; missingRows: number }> {
  const answers = await readPages();
  const totals = new Set(answers.map(({ body }) => paginationOf(body).total));
  if (answers.length === 1 || (totals.size === 1 && missingRowsOf(answers) === 0))
    return { answers, missingRows: 0 };
  const again = await readPages();
  return { answers: again, missingRows: missingRowsOf(again) };

  async function readPages(): Promise<JsonAnswer[]> {
    const pages: JsonAnswer[] = [];
    for await (const page of pagesOf(type, query, ask)) pages.push(page);
    return pages;
  }
}

function missingRowsOf(answers: readonly JsonAnswer[]): number {
  const { total } = paginationOf(answers.at(-1)?.body);
  return Math.max(0, total - countRows(answers));
}

/**
 * Reads the ids of all entries, and their slugs in canonical form, page by page.
 * @returns null if the list changed meanwhile, because a row may be missing. @throws BackendError
 */
export async function readNames(type: ServedType, query: string, ask: Ask) {
  const [slugs, ids, totals] = [new Set<string>(), new Set<string>(), new Set<number>()];
  for await (const { body } of pagesOf(type, query, ask)) {
    totals.add(paginationOf(body).total);
    for (const row of rowsOf(body) ?? []) {
      const entry = entryOf(row);
      // Give up, because the slug of a row without an id cannot be read.
      if (!entry) return null;
      ids.add(entry.id);
      const slug = safeSlug(storedSlugOf(entry));
      if (slug !== null) slugs.add(slug);
    }
  }
  return totals.size === 1 && totals.has(ids.size) ? { ids, slugs } : null;
}
