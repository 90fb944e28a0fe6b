import { expect, test } from 'vitest';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import {
  type EditableBackend,
  entryEvent,
  type Row,
  sendWebhook,
  startEditableBackend,
} from './editable-backend.ts';
import { type Engine, type EngineName, engineFor } from './engines.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import type { FrontServer } from './front-server.ts';
import { decompressed } from './page-cache-test.ts';
import { parsePage } from './parse-page.ts';
import { type Answer, AS_BROWSER, sendRequest } from './send-request.ts';

export const SECRET = 'a-secret-of-the-backend';

/** A test's sites behind a cache. */
export interface FrontStage {
  backend: EditableBackend;
  front: FrontServer;
  sites: readonly BuiltSite[];
  /** Addresses of ten articles. */
  articles: readonly string[];
  /** Changes the title of an article, and sends the event to the first site. */
  publish(path: string, title: string): Promise<void>;
  /** Unpublishes an article. */
  unpublish(path: string): Promise<void>;
}

export interface FrontOptions {
  start: (engine: Engine, siteUrls: readonly string[]) => Promise<FrontServer>;
  /** Environment of each site. It may depend on the address of the cache. */
  env?: (frontUrl: string, index: number) => Record<string, string>;
  sites?: number;
  /** Changes the content before the sites start. */
  edit?: (backend: EditableBackend) => void;
}

/** A test with sites behind a cache of `deploy/`. Without the cache's program it is skipped. */
export function frontTest(
  name: EngineName,
  { start, env = () => ({}), sites: count = 1, edit = () => {} }: FrontOptions,
) {
  return test
    .extend('engine', async ({ skip }) => engineFor(name, { skip }))
    .extend('stage', async ({ engine }, { onCleanup }): Promise<FrontStage> => {
      const closing: (() => Promise<void>)[] = [];
      onCleanup(async () => {
        for (const close of closing.reverse()) await close();
      });
      const backend = await startEditableBackend();
      closing.push(() => backend.close());
      edit(backend);
      const ports = await Promise.all(Array.from({ length: count }, freePort));
      const front = await start(
        engine,
        ports.map(port => `http://127.0.0.1:${port}`),
      );
      closing.push(front.dispose);
      const sites: BuiltSite[] = [];
      for (const [index, port] of ports.entries()) {
        const own = {
          PORT: String(port),
          WEBHOOK_SECRET: SECRET,
          PUBLIC_URL: front.url,
          TRUST_PROXY: 'loopback',
        };
        const site = await startBuiltSite({
          contentBaseUrl: backend.url,
          env: { ...own, ...env(front.url, index) },
        });
        closing.push(site.dispose);
        sites.push(site);
      }
      const rows = backend.rows('article').filter(hasCategory).slice(0, 10);
      const paths = new Map(rows.map(row => [pathOf(row), row]));
      const tell = async (event: string, row: Row) => {
        const answer = await sendWebhook(sites[0]?.url ?? '', SECRET, entryEvent(event, 'article', row));
        expect(answer.status).toBe(200);
      };
      // The cache takes a moment to see that the sites answer.
      await eventually(async () => expect((await visit(front.url, '/about')).status).toBe(200));
      return {
        ...{ backend, front, sites, articles: [...paths.keys()] },
        async publish(path, title) {
          const row = paths.get(path) as Row;
          row.attributes.h1 = title;
          row.attributes.title = title;
          await tell('entry.update', row);
        },
        async unpublish(path) {
          const row = paths.get(path) as Row;
          backend.rows('article').splice(backend.rows('article').indexOf(row), 1);
          await tell('entry.unpublish', row);
        },
      };
    });
}

const hasCategory = ({ attributes }: Row) => (attributes.category as { data: Row | null }).data !== null;

function pathOf({ attributes }: Row): string {
  const category = (attributes.category as { data: Row }).data.attributes.slug;
  return `/blog/${category}/${attributes.slug}`;
}

/** Requests a page as one of many browsers does. */
export function visit(base: string, path: string, headers: Record<string, string> = {}) {
  return sendRequest(base, path, { headers: { ...AS_BROWSER, 'accept-encoding': 'identity', ...headers } });
}

/** A client that prefers Markdown gets the text of a stored page, and others still get the page. */
export async function expectTextOf(base: string, path: string): Promise<void> {
  const stored = { 'accept-encoding': 'gzip, br' };
  const sent = await visit(base, path, { ...stored, accept: 'text/markdown, text/html;q=0.9' });
  expect([sent.status, sent.headers.location, sent.headers['cache-control']]).toEqual([
    303,
    `${path}.md`,
    'no-store',
  ]);
  expect((await visit(base, `${path}.md`)).headers['content-type']).toBe('text/markdown; charset=utf-8');
  const page = await visit(base, path, stored);
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
}

/** @returns the number in a heading that `publish` has set, or -1 in another heading. */
export function numberIn(answer: Answer): number {
  return Number(/^Change (\d+)$/.exec(parsePage(decompressed(answer)).headings[0] ?? '')?.[1] ?? -1);
}

/**
 * Lets two visitors request a page constantly, each in a different encoding. @returns a function that stops
 * them, and returns what each has seen.
 */
export function watch(base: string, path: string): () => Promise<readonly (readonly number[])[]> {
  let isOver = false;
  const look = async (encoding: string) => {
    const seen: number[] = [];
    while (!isOver) {
      const answer = await visit(base, path, { 'accept-encoding': encoding });
      expect(answer.status).toBe(200);
      seen.push(numberIn(answer));
    }
    return seen;
  };
  const looking = Promise.allSettled([look('br, gzip'), look('identity')]);
  return async () => {
    isOver = true;
    return (await looking).map(outcome => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  };
}

/** Requests some pages as 200 different browsers, 10 at a time. @returns the share of hits of the CDN. */
export async function shareOfHits(base: string, paths: readonly string[], requests: number): Promise<number> {
  const counts = { hits: 0, all: 0 };
  const visitor = async (first: number) => {
    for (let index = first; index < requests; index += 10) {
      const agent = `Mozilla/5.0 (X11; Linux x86_64) Browser/${index % 200}`;
      const path = paths[index % paths.length] ?? '/';
      const { status, headers } = await visit(base, path, {
        'user-agent': agent,
        'accept-encoding': 'gzip, br',
      });
      expect([path, status]).toEqual([path, 200]);
      counts.all += 1;
      if (/(?:^|, )(?:varnish|nginx); hit/.test(String(headers['cache-status']))) counts.hits += 1;
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, index) => visitor(index)));
  return counts.hits / counts.all;
}
