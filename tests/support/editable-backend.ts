import type { IncomingMessage, ServerResponse } from 'node:http';
import { passesFilters } from './as-sqlite.ts';
import { type Behaviour, capture, type FakeBackend, sendJson, startFakeBackend } from './fake-backend.ts';
import { type Answer, sendRequest } from './send-request.ts';

/** An entry as Strapi 5 sends it to a request with the header `Strapi-Response-Format: v4`. */
export interface Row {
  id: number;
  documentId: string;
  attributes: Record<string, unknown>;
}

/**
 * Collections that tests can change, by the backend's model: the path below the backend, and the recorded
 * answers.
 */
const COLLECTIONS = {
  article: ['/api/articles', ['articles-page-1.json', 'articles-page-2.json', 'article-by-slug-deep.json']],
  category: ['/api/categories', ['categories.json']],
  'business-solution': ['/api/business-solutions', ['business-solutions.json']],
  commerce: ['/api/commerces', ['commerces.json']],
  page: ['/api/pages', ['pages.json']],
  redirect: ['/api/redirects', ['redirects.json']],
} as const;

export type Model = keyof typeof COLLECTIONS;

export interface EditableBackend extends FakeBackend {
  /** @returns the published rows of a model. Tests change the list and its rows in place. */
  rows(model: Model): Row[];
  /** @returns the row of a slug. */
  row(model: Model, slug: string): Row;
  /** @returns a copy of the current answer of a collection, for a test that sends it later. */
  answerNow(model: Model, search: string): object;
}

/**
 * Starts a backend with the recorded content. Tests change its rows while the site runs, as an editor would.
 */
export async function startEditableBackend(): Promise<EditableBackend> {
  const backend = await startFakeBackend();
  const stored = new Map<Model, Row[]>();
  const rows = (model: Model): Row[] => stored.get(model) ?? [];

  function answer(model: Model, query: URLSearchParams): object {
    const data = rows(model)
      .map(withCurrentCategory)
      .filter(({ attributes }) => passesFilters(query, 'slug', attributes.slug))
      .filter(({ attributes }) =>
        passesFilters(query, 'category][slug', categoryOf(attributes)?.attributes.slug),
      );
    const isPastEnd = Number(query.get('pagination[page]') ?? 1) > 1;
    const pagination = { page: 1, pageSize: 100, pageCount: 1, total: data.length };
    return { data: isPastEnd ? [] : data, meta: { pagination } };
  }

  /** Replaces an article's recorded copy of its category by the current category. */
  function withCurrentCategory(row: Row): Row {
    const copy = categoryOf(row.attributes);
    const data = copy && rows('category').find(({ documentId }) => documentId === copy.documentId);
    return data ? { ...row, attributes: { ...row.attributes, category: { data } } } : row;
  }

  function reset(): void {
    backend.reset();
    for (const [model, [address, files]] of Object.entries(COLLECTIONS) as [
      Model,
      (typeof COLLECTIONS)[Model],
    ][]) {
      stored.set(
        model,
        files.flatMap(file => capture('v5-as-v4', file).data as Row[]),
      );
      const behaviour: Behaviour = (req: IncomingMessage, res: ServerResponse) =>
        sendJson(res, 200, answer(model, new URL(req.url ?? '/', 'http://backend').searchParams));
      backend.on(address, behaviour);
    }
  }
  reset();

  return {
    ...backend,
    reset,
    rows,
    row(model, slug) {
      const found = rows(model).find(({ attributes }) => attributes.slug === slug);
      if (!found) throw new Error(`There is no ${model} '${slug}'`);
      return found;
    },
    answerNow: (model, search) => structuredClone(answer(model, new URLSearchParams(search))),
  };
}

function categoryOf({ category }: Record<string, unknown>): Row | null {
  return (category as { data: Row | null } | undefined)?.data ?? null;
}

/** Sends a webhook event as the backend does. */
export function sendWebhook(
  siteUrl: string,
  secret: string | null,
  event: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return sendRequest(siteUrl, '/webhooks/content', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      ...headers,
    },
    body: typeof event === 'string' ? event : JSON.stringify(event),
  });
}

/**
 * @returns a webhook event about a row. Strapi sends the attributes of the entry without the wrapper
 *   `attributes`.
 */
export function entryEvent(event: string, model: string, { id, documentId, attributes }: Row): object {
  const now = new Date().toISOString();
  return {
    event,
    createdAt: now,
    model,
    uid: `api::${model}.${model}`,
    entry: { publishedAt: now, ...attributes, id, documentId },
  };
}
