import { setTimeout as delay } from 'node:timers/promises';
import { passesFilters } from '../support/as-sqlite.ts';
import { capture, type FakeBackend, sendJson, startFakeBackend } from '../support/fake-backend.ts';

/** Numbers of entries of a generated CMS. */
export interface ContentSizes {
  articles: number;
  categories: number;
  redirects: number;
  pages: number;
  /** Number of tags. Each article has one of them. */
  tags: number;
}

interface Row {
  id: number;
  documentId: string;
  attributes: Record<string, unknown>;
}

/** Every 25th article is outside the first category, so that the first has lists of thousands of pages. */
const IN_OTHERS = 25;
const NEWEST_AT = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const PARAGRAPH =
  'A payment is **authorised** first and captured later; between the two the money is held, and the shop may still [let go of it](/business-solutions/payouts).';

const sampleOf = (file: string): Row => (capture('v5-as-v4', file).data as Row[])[0] as Row;

export interface GeneratedContent {
  readonly backend: FakeBackend;
  /** Time before each answer, in ms. */
  latencyMs: number;
  /** Number in every title. A page with a new number cannot come from content in memory. */
  revision: number;
  /** @returns the address of an article. Newer articles have lower numbers. */
  articlePath(number: number): string;
  /** @returns the event of an article published again with another title. */
  publish(number: number): object;
}

/** @returns the fields and relations that a query selects, as Strapi does, or null for all. */
function chosenFields(query: URLSearchParams): ReadonlySet<string> | null {
  if (!query.has('fields[0]')) return null;
  return new Set(
    [...query].flatMap(([name, value]) =>
      name.startsWith('fields[') ? [value] : (/^populate\[(\w+)\]/.exec(name)?.slice(1) ?? []),
    ),
  );
}

function withFields(row: Row, chosen: ReadonlySet<string> | null): Row {
  if (chosen === null) return row;
  const attributes = Object.entries(row.attributes).filter(([name]) => chosen.has(name));
  return { ...row, attributes: Object.fromEntries(attributes) };
}

/** Starts a CMS with many entries. Each row is made on request, so that its process has time for the site. */
export async function startGeneratedContent(sizes: ContentSizes): Promise<GeneratedContent> {
  const backend = await startFakeBackend();
  const article = sampleOf('article-by-slug-deep.json');
  const category = sampleOf('categories.json');
  const page = sampleOf('pages.json');
  const redirect = sampleOf('redirects.json');
  const titles = new Map<number, string>();
  const state = { latencyMs: 0, revision: 1 };
  const titled = (title: string) => `${title}, revision ${state.revision}`;
  const all = Array.from({ length: sizes.articles }, (_, number) => number);
  const categoryOf = (number: number) =>
    number % IN_OTHERS === 0 ? 1 + ((number / IN_OTHERS) % (sizes.categories - 1)) : 0;
  const byCategory = Map.groupBy(all, categoryOf);

  const categoryRow = (number: number): Row => ({
    id: number + 1,
    documentId: `category${number}`,
    attributes: {
      ...category.attributes,
      name: titled(`Category ${number}`),
      slug: `category-${number}`,
    },
  });
  const tagRow = (number: number): Row => ({
    id: number + 1,
    documentId: `tag${number}`,
    attributes: { name: `Tag ${number}`, createdAt: new Date(NEWEST_AT).toISOString() },
  });
  /** @param isFull whether the row is that of the article's page */
  function articleRow(number: number, isFull: boolean): Row {
    const { id, documentId, attributes } = categoryRow(categoryOf(number));
    const at = new Date(NEWEST_AT - number * HOUR_MS).toISOString();
    const { body: _body, questions, ...fields } = article.attributes;
    return {
      id: number + 1,
      documentId: `article${number}`,
      attributes: {
        ...fields,
        ...{ title: titled(titles.get(number) ?? `Article ${number}`), slug: `article-${number}`, date: at },
        ...{ publishedAt: at, createdAt: at, updatedAt: at },
        ...(isFull ? { questions, body: `## Article ${number}\n\n${`${PARAGRAPH}\n\n`.repeat(12)}` } : {}),
        ...(sizes.tags > 0 ? { tags: { data: [tagRow(number % sizes.tags)] } } : {}),
        category: { data: { id, documentId, attributes: { name: attributes.name, slug: attributes.slug } } },
      },
    };
  }
  const pageRow = (number: number): Row => ({
    id: number + 1,
    documentId: `page${number}`,
    attributes: {
      ...page.attributes,
      title: titled(`Page ${number}`),
      slug: `page-${number}`,
    },
  });
  const redirectRow = (number: number): Row => ({
    id: number + 1,
    documentId: `redirect${number}`,
    attributes: {
      ...redirect.attributes,
      ...{ from: `/old/page-${number}`, to: `/page-${number % sizes.pages}` },
    },
  });

  /** Serves a list by the numbers of its rows, in the order that the site requests. */
  function serve(
    path: string,
    numbersOf: (query: URLSearchParams) => readonly number[],
    rowOf: (number: number, isFull: boolean) => Row,
  ): void {
    backend.on(path, async (req, res) => {
      if (state.latencyMs > 0) await delay(state.latencyMs);
      const query = new URL(req.url ?? '/', 'http://backend').searchParams;
      // No row has a date of publication in the future.
      const isPlanned = [...query.keys()].some(name =>
        /^filters\[\$or\]\[\d\]\[(?:un)?publishAt\]\[\$gt\]$/.test(name),
      );
      const numbers = isPlanned ? [] : numbersOf(query);
      const page = Number(query.get('pagination[page]') ?? 1);
      const pageSize = Math.min(100, Number(query.get('pagination[pageSize]') ?? 25));
      const isFull = !query.has('fields[0]');
      const shown = numbers.slice((page - 1) * pageSize, page * pageSize);
      const chosen = chosenFields(query);
      sendJson(res, 200, {
        data: shown.map(number => withFields(rowOf(number, isFull), chosen)),
        meta: {
          pagination: {
            page,
            pageSize,
            pageCount: Math.ceil(numbers.length / pageSize),
            total: numbers.length,
          },
        },
      });
    });
  }
  const range = (count: number) => Array.from({ length: count }, (_, number) => number);
  /** @returns the numbers that a filter by slug selects. A slug ends with its number. */
  function bySlug(query: URLSearchParams, name: string, numbers: readonly number[]): readonly number[] {
    const slug = query.get('filters[slug][$eq]') ?? query.get('filters[slug][$eqi]');
    if (slug === null) return numbers;
    const number = slug.startsWith(`${name}-`) ? Number(slug.slice(name.length + 1)) : Number.NaN;
    return number < numbers.length ? [number] : [];
  }

  const byTag = Map.groupBy(all, number => (sizes.tags > 0 ? number % sizes.tags : -1));
  /**
   * @returns the articles between two moments, in the order of the query. The number of an article determines
   *   its moment.
   */
  function inPeriod(query: URLSearchParams): readonly number[] {
    const before = (name: string) => {
      const time = query.get(`filters[date][${name}]`);
      return time === null ? null : Math.floor((NEWEST_AT - Date.parse(time)) / HOUR_MS) + 1;
    };
    const found = all.slice(Math.max(0, before('$lt') ?? 0), Math.max(0, before('$gte') ?? sizes.articles));
    return query.get('sort[0]') === 'date:asc' ? found.toReversed() : found;
  }

  serve(
    '/api/articles',
    query => {
      if (query.has('filters[date][$null]')) return [];
      const tag = query.get('filters[tags][documentId][$eq]');
      if (tag !== null) return byTag.get(Number(tag.slice('tag'.length))) ?? [];
      if (query.has('filters[date][$gte]') || query.get('sort[0]') === 'date:asc') return inPeriod(query);
      const isFiltered = [...query.keys()].some(name => name.startsWith('filters[category][slug]'));
      if (!isFiltered) return bySlug(query, 'article', all);
      const isOf = (category: number) => passesFilters(query, 'category][slug', `category-${category}`);
      const chosen = [...byCategory].filter(([category]) => isOf(category)).map(([, numbers]) => numbers);
      return chosen.length === 1 ? (chosen[0] ?? []) : chosen.flat().sort((a, b) => a - b);
    },
    articleRow,
  );
  const categories = range(sizes.categories);
  serve('/api/categories', () => categories, categoryRow);
  const tags = range(sizes.tags);
  serve('/api/tags', () => tags, tagRow);
  const pages = range(sizes.pages);
  serve('/api/pages', query => bySlug(query, 'page', pages), pageRow);
  const redirects = range(sizes.redirects);
  serve('/api/redirects', () => redirects, redirectRow);

  for (const name of ['landing', 'main-page', 'settings']) {
    const answer = capture('v5-as-v4', `${name}.json`) as { data: Row };
    const { title } = answer.data.attributes;
    backend.on(`/api/${name}`, async (_req, res) => {
      if (state.latencyMs > 0) await delay(state.latencyMs);
      const attributes = { ...answer.data.attributes, title: titled(String(title)) };
      sendJson(res, 200, { ...answer, data: { ...answer.data, attributes } });
    });
  }

  return Object.assign(state, {
    backend,
    articlePath: (number: number) => `/blog/category-${categoryOf(number)}/article-${number}`,
    publish(number: number) {
      titles.set(number, `Article ${number}, published again`);
      const { id, documentId, attributes } = articleRow(number, true);
      return { event: 'entry.publish', model: 'article', entry: { id, documentId, ...attributes } };
    },
  });
}
