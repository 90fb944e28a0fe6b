import type { JsonAnswer } from '../backend/backend-client.ts';
import { callOf, joined, pageOf, paginationOf } from './content-calls.ts';
import type { Ask } from './content-request.ts';
import type { ServedType } from './described-types.ts';

/** Rows on one page of a list: the most that the backend allows. */
const PAGE_SIZE = 100;
/** Most pages that are read of one list. Later rows are ignored: no list of content is that long. */
const MAX_PAGES = 100;

/** Fetches all pages of a list, up to MAX_PAGES. */
export async function allPages(type: ServedType, query: string, ask: Ask): Promise<readonly JsonAnswer[]> {
  const answers: JsonAnswer[] = [];
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const answer = await ask(callOf(type, joined(query, pageOf(number, PAGE_SIZE))));
    answers.push(answer);
    if (number >= paginationOf(answer.body).pageCount) break;
  }
  return answers;
}
