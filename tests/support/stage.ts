import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import type { RouteMiddlewareResult, RouteOrigin } from '../../shared/routing/route-middleware.ts';
import { type RouteDefinition, routeTable } from '../../shared/routing/routes.ts';
import { FIXTURE_CONTENT } from './fixture.ts';
import { type LogLine, type RunningSite, type StartSiteOptions, startSite } from './start-site.ts';

/**
 * The sample site with additional pages. A test can hold each page, or change the result of its route
 * middleware.
 */
export interface Stage extends RunningSite {
  /** Holds the answers for a path, both page and payload, until `release`. */
  hold(path: string): void;
  release(path: string): void;
  releaseAll(): void;
  /** @returns the number of held requests for a path. */
  waiting(path: string): number;
  /**
   * @returns the log entries of payload requests for a page. An entry is written when the answer is sent or
   *   the browser disconnects.
   */
  payloads(path: string): LogLine[];
}

export interface StageOptions extends Pick<StartSiteOptions, 'env' | 'distDir' | 'port'> {
  /** Generic pages by slug, in Markdown. Without front matter the slug is the title. */
  pages?: Readonly<Record<string, string>>;
  /** Values that replace those of the sample's settings. */
  settings?: Readonly<Record<string, unknown>>;
  redirects?: readonly { from: string; to?: string; statusCode?: number }[];
  /** Results of the route middleware by path. All other paths get `true`. */
  middlewareResults?: Readonly<Record<string, RouteMiddlewareResult>>;
  /** Gets the origin of each navigation, as route middleware sees it. */
  onNavigation?: (path: string, from: RouteOrigin | null) => void;
  /** Changes the route table. */
  route?: (route: RouteDefinition) => RouteDefinition;
}

interface Hold {
  waiting: number;
  over: Promise<void>;
  end(): void;
}

export async function startStage({
  pages = {},
  settings = {},
  redirects = [],
  middlewareResults = {},
  onNavigation,
  route = same => same,
  ...options
}: StageOptions = {}): Promise<Stage> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'stage-'));
  const contentDir = path.join(folder, 'content');
  await cp(FIXTURE_CONTENT, contentDir, { recursive: true });
  for (const [slug, body] of Object.entries(pages)) {
    const text = body.startsWith('---\n') ? body : `---\ntitle: ${slug}\n---\n\n${body}\n`;
    await writeFile(path.join(contentDir, 'pages', `${slug}.md`), text);
  }
  const settingsFile = path.join(contentDir, 'settings.json');
  const sample = JSON.parse(await readFile(settingsFile, 'utf8'));
  await writeFile(settingsFile, JSON.stringify({ ...sample, ...settings }));
  await writeFile(path.join(contentDir, 'redirects.json'), JSON.stringify(redirects));
  const backend = await startEmbeddedBackend({ contentDir, mailDir: path.join(folder, 'mail') });

  const holds = new Map<string, Hold>();
  const site = await startSite({
    ...options,
    // The page cache is off, so that holds and results of the middleware affect every request.
    env: { PAGE_CACHE_BYTES: '0', ...options.env },
    contentBaseUrl: backend.url,
    overrides: {
      routes: routeTable.map(row => route({ ...row, middleware: ['stage'] })),
      middleware: {
        stage: async (to, from) => {
          onNavigation?.(to.path, from);
          const hold = holds.get(to.path);
          if (hold) {
            hold.waiting += 1;
            await hold.over;
            hold.waiting -= 1;
          }
          return Object.hasOwn(middlewareResults, to.path) ? middlewareResults[to.path] : true;
        },
      },
    },
  });
  return {
    ...site,
    hold(held) {
      const { promise, resolve } = Promise.withResolvers<void>();
      holds.set(held, { waiting: 0, over: promise, end: resolve });
    },
    release(held) {
      holds.get(held)?.end();
      holds.delete(held);
    },
    releaseAll() {
      for (const hold of holds.values()) hold.end();
      holds.clear();
    },
    waiting: held => holds.get(held)?.waiting ?? 0,
    payloads: page => site.requests((page === '/' ? '' : page) + PAYLOAD_SUFFIX),
    async close() {
      for (const hold of holds.values()) hold.end();
      await site.close();
      await backend.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
