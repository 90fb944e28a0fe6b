import { callOf, joined, pageOf, paginationOf } from '../content/content-calls.ts';
import type { ServedType } from '../content/described-types.ts';
import { PAGE_SIZE } from '../content/lists/all-pages.ts';
import type { Ask } from './ask.ts';

/** Pages of a list that are read. Further entries are not looked at: the doctor must not be a load. */
const MAX_PAGES = 5;

/** @returns the answers with the first entries of a type, up to one that fails. */
export async function readPages(type: ServedType, query: string, ask: Ask): Promise<readonly unknown[]> {
  const bodies: unknown[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { body, error } = await ask.json(callOf(type, joined(query, pageOf(page, PAGE_SIZE))));
    if (error) break;
    bodies.push(body);
    if (page >= paginationOf(body).pageCount) break;
  }
  return bodies;
}
