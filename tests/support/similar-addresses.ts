import { expect } from 'vitest';
import type { EditableBackend } from './editable-backend.ts';
import { decompressed } from './page-cache-test.ts';
import { parsePage } from './parse-page.ts';
import type { Answer } from './send-request.ts';

/** Addresses that become one another when the name of an encoding is appended. */
const ADDRESSES = ['/', '/br', '/gzip', '/li', '/libr', '/blog/', '/blog/gzip'];
const ENCODINGS = ['identity', 'gzip', 'br'];

/** Adds the pages and the category of these addresses to the content. */
export function addSimilarPages(backend: EditableBackend): void {
  const page = backend.row('page', 'about');
  for (const slug of ['br', 'gzip', 'li', 'libr'])
    backend.rows('page').push({
      id: 1_000 + backend.rows('page').length,
      documentId: `page-${slug}`,
      attributes: { ...page.attributes, slug, title: `Page ${slug}`, h1: `Page ${slug}` },
    });
  const category = backend.row('category', 'news');
  const attributes = { ...category.attributes, slug: 'gzip', name: 'Gzip', h1: 'Category gzip' };
  backend.rows('category').push({ id: 1_100, documentId: 'category-gzip', attributes });
}

/**
 * Requests each address in each encoding from the proxy and from the site. Both have to give the same pages.
 */
export async function expectOwnPages(
  front: (path: string, headers: Record<string, string>) => Promise<Answer>,
  site: (path: string, headers: Record<string, string>) => Promise<Answer>,
): Promise<void> {
  const facts = (answer: Answer) => ({
    status: answer.status,
    location: answer.headers.location,
    heading: parsePage(decompressed(answer)).headings[0],
    encoding: answer.headers['content-encoding'] ?? 'identity',
  });
  const headings = new Set<string | undefined>();
  // In the second round the first answers are stored.
  for (let time = 0; time < 2; time += 1)
    for (const encoding of ENCODINGS)
      for (const path of ADDRESSES) {
        const headers = { 'accept-encoding': encoding };
        const own = facts(await site(path, headers));
        expect([path, encoding, facts(await front(path, headers))]).toEqual([path, encoding, own]);
        headings.add(own.heading);
      }
  expect(headings.size).toBe(ADDRESSES.length);
}
