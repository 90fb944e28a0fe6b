import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { contentTypes } from '../../shared/content/content-types.ts';
import { passesFilters } from './as-sqlite.ts';
import { close, listen } from './listen.ts';

/** The backend's reaction to a call: a JSON body with status 200, or a function that answers. */
export type Behaviour = object | Answering;
type Answering = (req: IncomingMessage, res: ServerResponse) => void;

export interface ReceivedCall {
  method: string;
  /** Decoded path with its query. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Time of arrival by `performance.now()`. */
  at: number;
  /** Whether the site closed the connection before the answer was complete. */
  aborted: boolean;
}

export interface FakeBackend {
  url: string;
  calls: ReceivedCall[];
  /** @returns the calls of a path. */
  callsTo(path: string): ReceivedCall[];
  /** Replaces the answer of a path, such as `/api/settings`, until `reset`. */
  on(path: string, behaviour: Behaviour): void;
  reset(): void;
  /** @returns the number of open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export type CaptureSet = 'v4' | 'v5-as-v4' | 'v5-flat';

/** @returns a recorded answer. */
export function capture(set: CaptureSet, file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../captures', set, file), 'utf8'));
}

const FILES: Readonly<Record<string, string>> = {
  '/api/categories': 'categories.json',
  '/api/settings': 'settings.json',
  '/api/socials': 'socials.json',
  '/api/authors': 'authors.json',
  '/api/landing': 'landing.json',
  '/api/main-page': 'main-page.json',
  '/api/redirects': 'redirects.json',
};
const COLLECTIONS: Readonly<Record<string, string>> = {
  '/api/articles': 'articles-page-1.json',
  '/api/business-solutions': 'business-solutions.json',
  '/api/commerces': 'commerces.json',
  '/api/pages': 'pages.json',
};
const PATHS_OF_COLLECTIONS: ReadonlySet<string> = new Set(
  Object.values(contentTypes).flatMap(type => (type.storage === 'collection' ? `/api/${type.path}` : [])),
);

/**
 * Starts a content backend on a real socket. It answers with the recorded bodies, except for paths that a
 * test changes.
 */
export async function startFakeBackend(set: CaptureSet = 'v5-as-v4'): Promise<FakeBackend> {
  const behaviours = new Map<string, Behaviour>();
  const calls: ReceivedCall[] = [];
  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://backend');
    const call: ReceivedCall = {
      method: req.method ?? '',
      url: decodeURIComponent(req.url ?? ''),
      headers: req.headers,
      body: '',
      at: performance.now(),
      aborted: false,
    };
    calls.push(call);
    res.once('close', () => {
      call.aborted = !res.writableFinished;
    });
    for await (const chunk of req) call.body += chunk;
    const behaviour = behaviours.get(url.pathname) ?? recorded(set, url);
    if (typeof behaviour === 'function') behaviour(req, res);
    else sendJson(res, 200, behaviour);
  });
  const url = await listen(server);
  return {
    url,
    calls,
    callsTo: called => calls.filter(call => call.url.split('?', 1)[0] === called),
    on: (called, behaviour) => void behaviours.set(called, behaviour),
    reset() {
      behaviours.clear();
      calls.length = 0;
    },
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    close: () => close(server),
  };
}

/** Sends a JSON body. */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** @returns a behaviour that answers with a status and with Strapi's error body. */
export function failing(status: number, name = 'InternalServerError'): Answering {
  return (_req, res) =>
    sendJson(res, status, { data: null, error: { status, name, message: name, details: {} } });
}

/** @returns the recorded answer to a call. */
export function recorded(set: CaptureSet, url: URL): Behaviour {
  const file = FILES[url.pathname];
  if (file) return capture(set, file);
  const collection = COLLECTIONS[url.pathname];
  if (collection) return filtered(set, url, collection);
  // Collections that are younger than the recorded answers, such as tags, are empty.
  if (PATHS_OF_COLLECTIONS.has(url.pathname))
    return { data: [], meta: { pagination: { page: 1, pageSize: 100, pageCount: 0, total: 0 } } };
  if (url.pathname === '/api/email/send') return {};
  return (_req, res) => sendJson(res, 404, capture(set, 'errors/404-route.json'));
}

/** @returns a recorded list, filtered by the slug or the category's slug in the query. */
function filtered(set: CaptureSet, url: URL, file: string): object {
  const pages =
    file === 'articles-page-1.json' ? [file, 'articles-page-2.json', 'article-by-slug-deep.json'] : [file];
  const rows = pages.flatMap(name => capture(set, name).data as Record<string, unknown>[]);
  const unique = [...new Map(rows.map(row => [fieldsOf(row).slug, row])).values()];
  const data = unique.filter(
    row =>
      passesFilters(url.searchParams, 'slug', fieldsOf(row).slug) &&
      passesFilters(url.searchParams, 'category][slug', relatedSlug(fieldsOf(row).category)),
  );
  const pagination = { page: 1, pageSize: 100, pageCount: data.length > 0 ? 1 : 0, total: data.length };
  return {
    data: Number(url.searchParams.get('pagination[page]') ?? 1) > 1 ? [] : data,
    meta: { pagination },
  };
}

function fieldsOf(row: Record<string, unknown>): Record<string, unknown> {
  return (row.attributes as Record<string, unknown> | undefined) ?? row;
}

function relatedSlug(relation: unknown): unknown {
  const bare = (relation as { data?: unknown } | null)?.data ?? relation;
  return typeof bare === 'object' && bare !== null
    ? fieldsOf(bare as Record<string, unknown>).slug
    : undefined;
}
