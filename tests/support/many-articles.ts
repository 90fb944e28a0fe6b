import type { Behaviour } from './fake-backend.ts';
import { sendJson } from './fake-backend.ts';

/** @returns an article's row, by its place in the order of creation. */
function articleRow(at: number, slugLength: number): object {
  const slug = `article-${at}`.padEnd(slugLength, '文');
  return {
    id: at + 1,
    documentId: `d${at}`,
    attributes: {
      title: `Article ${at}`,
      slug,
      updatedAt: '2026-05-01T00:00:00.000Z',
      date: '2026-05-01T00:00:00.000Z',
      category: { data: { id: 1, documentId: 'c1', attributes: { name: 'Guides', slug: 'guides' } } },
    },
  };
}

/**
 * @param slugLength the length to which slugs are filled with a character that takes nine bytes of an address
 * @returns a behaviour for `/api/articles` with many dated articles. Rows are made on request, so that the
 *   test's process has time for the site.
 */
export function manyArticles(
  total: () => number,
  slugLength = 0,
): Extract<Behaviour, (...args: never) => void> {
  return (req, res) => {
    const query = new URL(req.url ?? '/', 'http://backend').searchParams;
    const count = query.has('filters[date][$null]') ? 0 : total();
    const page = Number(query.get('pagination[page]') ?? 1);
    const pageSize = Math.min(100, Number(query.get('pagination[pageSize]') ?? 25));
    const first = (page - 1) * pageSize;
    const rows = Math.max(0, Math.min(pageSize, count - first));
    sendJson(res, 200, {
      data: Array.from({ length: rows }, (_, at) => articleRow(first + at, slugLength)),
      meta: { pagination: { page, pageSize, pageCount: Math.ceil(count / pageSize), total: count } },
    });
  };
}
