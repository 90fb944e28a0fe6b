import { type FakeBackend, sendJson } from '../support/fake-backend.ts';

/** Adds a page of the content. @returns its address on the site. */
export type AddPage = (slug: string, fields: Readonly<Record<string, unknown>>) => string;

/**
 * Makes a backend serve each page alone, by its slug. Its list of pages is empty, so no page contains another
 * page's texts.
 */
export function servePages(backend: FakeBackend): AddPage {
  const pages = new Map<string, object>();
  backend.on('/api/pages', (req, res) => {
    const { searchParams } = new URL(req.url ?? '/', 'http://backend');
    const asked = [...searchParams].flatMap(([name, value]) => (name.includes('[slug]') ? [value] : []));
    const data = asked.flatMap(slug => pages.get(slug) ?? []).slice(0, 1);
    sendJson(res, 200, {
      data,
      meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: data.length } },
    });
  });
  return (slug, fields) => {
    pages.set(slug, {
      ...{ id: 7, documentId: `id-${slug}`, title: `Page ${slug}`, slug, body: '' },
      ...fields,
    });
    return `/${slug}`;
  };
}
