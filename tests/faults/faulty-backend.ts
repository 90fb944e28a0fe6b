import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** Fault of the backend. `null-entry` sends null in place of a list. */
export type Fault =
  | 'refuse'
  | 'hang'
  | 'drip'
  | 'error'
  | 'truncated'
  | 'html'
  | 'huge'
  | 'null-entry'
  | 'redirect-loop';

/** Faults with an invalid response. */
export const RUBBISH: readonly Fault[] = [
  'drip',
  'error',
  'truncated',
  'html',
  'huge',
  'null-entry',
  'redirect-loop',
];

/** Faults whose response has the status 200. */
const ANSWERS_200: ReadonlySet<Fault> = new Set(['drip', 'truncated', 'html', 'huge', 'null-entry']);

/** An article as the backend currently has it. */
export interface FaultyArticle {
  readonly number: number;
  readonly slug: string;
  readonly documentId: string;
  readonly category: Category;
  /** Address of the article's page. */
  readonly path: string;
  /** Version number, which the text of the article contains. */
  revision: number;
  isPublished: boolean;
}

export interface FaultyBackend {
  readonly url: string;
  readonly articles: readonly FaultyArticle[];
  /** Number of calls since `forgetCalls`, by address. */
  readonly calls: ReadonlyMap<string, number>;
  /**
   * How often each sender's message was answered with 200. The site ignores the body of that response, so a
   * fault with status 200 delivers the message.
   */
  readonly emails: ReadonlyMap<string, number>;
  /** Time before each response, in ms. */
  latencyMs: number;
  /** Greatest number of concurrent connections since `forgetCalls`. */
  readonly peakConnections: number;
  /** Sets the fault, or removes it with null. */
  fail(fault: Fault | null): Promise<void>;
  forgetCalls(): void;
  connections(): Promise<number>;
  close(): Promise<void>;
}

interface Category {
  id: number;
  documentId: string;
  name: string;
  slug: string;
}

const CAPTURES = path.resolve(import.meta.dirname, '../captures/v5-as-v4');
const FILES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'categories',
    'settings',
    'socials',
    'authors',
    'landing',
    'main-page',
    'redirects',
    'business-solutions',
    'commerces',
  ].map(name => [`/api/${name}`, read(`${name}.json`)]),
);
const SAMPLE = JSON.parse(read('article-by-slug-deep.json')).data[0];
const PARAGRAPH =
  'A payment is **authorised** first and captured later; between the two the money is held, and the shop may still [let go of it](/business-solutions/payouts). What the customer sees is one line on a statement.';
const HUGE_BYTES = 10 * 1024 * 1024;
const DRIP_EVERY_MS = 1_000;

/** @returns the revision that an article's page or payload shows, or null. */
export function revisionIn(text: string): number | null {
  const shown = /Revision (\d+)\./.exec(text)?.[1];
  return shown === undefined ? null : Number(shown);
}

/**
 * Starts a content backend on a real socket. A test can set each {@link Fault}.
 * @param count the number of articles
 * @param paragraphs the number of paragraphs in each body, which determines the size of its page
 */
export async function startFaultyBackend(count: number, paragraphs = 12): Promise<FaultyBackend> {
  const articles = makeArticles(count);
  const bySlug = new Map(articles.map(article => [article.slug, article]));
  const calls = new Map<string, number>();
  const emails = new Map<string, number>();
  let fault: Fault | null = null;
  let latencyMs = 0;
  const open = new Set<Socket>();
  let peak = 0;

  const server = createServer(async (req, res) => {
    const called = decodeURIComponent(req.url ?? '/');
    calls.set(called, (calls.get(called) ?? 0) + 1);
    if (req.method === 'POST' && (!fault || ANSWERS_200.has(fault))) {
      const { email } = (await json(req)) as { email: string };
      emails.set(email, (emails.get(email) ?? 0) + 1);
      if (!fault) return void res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    }
    if (fault) return misbehave(fault, req, res);
    if (latencyMs > 0) {
      const gone = new AbortController();
      res.once('close', () => gone.abort());
      try {
        await delay(latencyMs, undefined, { signal: gone.signal });
      } catch {
        return;
      }
    }
    const body = answerTo(new URL(req.url ?? '/', 'http://backend'));
    res.writeHead(body === null ? 404 : 200, { 'Content-Type': 'application/json' });
    res.end(body ?? '{"data":null,"error":{"status":404,"name":"NotFoundError","message":"Not Found"}}');
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', socket => {
    open.add(socket);
    const remove = () => open.delete(socket);
    socket.once('end', remove).once('error', remove).once('close', remove);
    // A busy process reads closed and new connections in one batch, in any order. The count waits for the
    // whole batch.
    setImmediate(() => {
      peak = Math.max(peak, open.size);
    });
  });

  function answerTo({ pathname, searchParams }: URL): string | null {
    if (pathname === '/api/pages') return listOf([], 0, 1);
    if (pathname !== '/api/articles') return FILES[pathname] ?? null;
    const slug = searchParams.get('filters[slug][$eq]') ?? searchParams.get('filters[slug][$eqi]');
    if (slug !== null) {
      const article = bySlug.get(slug);
      return article?.isPublished ? listOf([rowOf(article, paragraphs)], 1, 1) : listOf([], 0, 0);
    }
    const category = searchParams.get('filters[category][slug][$eq]');
    const size = Number(searchParams.get('pagination[pageSize]') ?? 25);
    const page = Number(searchParams.get('pagination[page]') ?? 1);
    const all = articles.filter(
      article => article.isPublished && (category === null || article.category.slug === category),
    );
    const rows = all.slice((page - 1) * size, page * size).map(article => rowOf(article, 0));
    return listOf(rows, all.length, Math.ceil(all.length / size), page);
  }

  async function listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', 4_096, resolve);
    });
    return (server.address() as AddressInfo).port;
  }
  async function stopListening(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise(resolve => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}`,
    articles,
    calls,
    emails,
    get latencyMs() {
      return latencyMs;
    },
    set latencyMs(ms) {
      latencyMs = ms;
    },
    get peakConnections() {
      return peak;
    },
    async fail(next) {
      const previous = fault;
      fault = next;
      if (next === 'refuse') await stopListening();
      else if (!server.listening) await listen(port);
      // Responses with these two faults never end by themselves.
      else if (previous === 'hang' || previous === 'drip') server.closeAllConnections();
    },
    forgetCalls() {
      calls.clear();
      peak = open.size;
    },
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, current) => (error ? reject(error) : resolve(current))),
      ),
    close: stopListening,
  };
}

function misbehave(fault: Fault, req: IncomingMessage, res: ServerResponse): void {
  const json = { 'Content-Type': 'application/json' };
  switch (fault) {
    case 'refuse':
      req.socket.destroy();
      return;
    case 'hang':
      return;
    case 'drip': {
      res.writeHead(200, json);
      const timer = setInterval(() => res.write(' '), DRIP_EVERY_MS);
      res.once('close', () => clearInterval(timer));
      return;
    }
    case 'error':
      res.writeHead(500, json).end('{"data":null,"error":{"status":500,"name":"InternalServerError"}}');
      return;
    case 'truncated':
      res.writeHead(200, json).end('{"data":[{"id":1,"attributes":{"title":"Half a ti');
      return;
    case 'html':
      res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><h1>Maintenance</h1>');
      return;
    case 'huge':
      res.writeHead(200, json).end(`{"data":"${'x'.repeat(HUGE_BYTES)}"}`);
      return;
    case 'null-entry':
      res.writeHead(200, json).end('{"data":null,"meta":{}}');
      return;
    case 'redirect-loop':
      res.writeHead(302, { Location: req.url ?? '/' }).end();
  }
}

function makeArticles(count: number): FaultyArticle[] {
  const rows: { id: number; documentId: string; attributes: { name: string; slug: string } }[] = JSON.parse(
    read('categories.json'),
  ).data;
  const categories = rows.map(({ id, documentId, attributes: { name, slug } }) => ({
    id,
    documentId,
    name,
    slug,
  }));
  return Array.from({ length: count }, (_, number) => {
    const category = categories[number % categories.length];
    if (!category) throw new Error('The captures hold no category');
    const slug = `article-${number}`;
    return {
      number,
      slug,
      documentId: `faulty${String(number).padStart(18, '0')}`,
      category,
      path: `/blog/${category.slug}/${slug}`,
      revision: 1,
      isPublished: true,
    };
  });
}

/** @param paragraphs 0 for a list row, which has no body */
function rowOf(article: FaultyArticle, paragraphs: number): object {
  const { number, slug, documentId, revision, category } = article;
  const date = new Date(Date.UTC(2026, 0, 1) - number * 3_600_000).toISOString();
  const { id, ...categoryRest } = category;
  const sections = Array.from(
    { length: paragraphs },
    (_, index) =>
      `${index % 3 === 0 ? `## Section ${index / 3 + 1} of article ${number}\n\n` : ''}${PARAGRAPH}`,
  );
  const body = `Revision ${revision}.\n\n${sections.join('\n\n')}\n\n${SAMPLE.attributes.body}`;
  return {
    ...SAMPLE,
    id: number + 1,
    documentId,
    attributes: {
      ...SAMPLE.attributes,
      title: `Article ${number}`,
      h1: `Article number ${number}`,
      description: `Revision ${revision}.`,
      slug,
      ...(paragraphs > 0 ? { body } : { body: undefined, questions: undefined }),
      publishedAt: date,
      createdAt: date,
      updatedAt: date,
      category: {
        data: {
          id,
          documentId: categoryRest.documentId,
          attributes: { name: category.name, slug: category.slug },
        },
      },
    },
  };
}

function listOf(data: readonly object[], total: number, pageCount: number, page = 1): string {
  return JSON.stringify({ data, meta: { pagination: { page, pageSize: 100, pageCount, total } } });
}

function read(file: string): string {
  return readFileSync(path.join(CAPTURES, file), 'utf8');
}
