import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { patient } from '../support/patience.ts';
import { type BuiltSite, type BuiltSiteOptions, startBuiltSite } from './built-site.ts';
import { askAnyway, forEachAtOnce, keepAlive, type Reply } from './client.ts';
import { type FaultyBackend, startFaultyBackend } from './faulty-backend.ts';

export const WEBHOOK_SECRET = 'secret-of-the-fault-tests';

export interface StageSizes {
  /** Pages that visitors have requested, and the site has stored. */
  pages: number;
  /** Further pages that are not stored. */
  unseen?: number;
  ttlMs: number;
}

export interface Stage {
  readonly backend: FaultyBackend;
  /** The running site. A scenario may replace it by another process. */
  site: BuiltSite;
  /** Addresses of stored pages. */
  readonly seen: readonly string[];
  /** Addresses of unstored pages. */
  readonly unseen: readonly string[];
  /** Time that this machine took to render and store all `seen` pages, in ms. */
  readonly filledMs: number;
}

const VISITS_AT_ONCE = 8;
/** Limit for storing all pages, in ms. Requests that time out on a busy machine are repeated. */
const SEEN_WITHIN_MS = 60_000;

/**
 * Starts a backend and the site, requests all `seen` pages and runs the scenario. Site and backend always
 * close.
 */
export async function onStage<T>(
  { pages, unseen = 0, ttlMs }: StageSizes,
  options: BuiltSiteOptions,
  run: (stage: Stage) => Promise<T>,
): Promise<T> {
  const backend = await startFaultyBackend(pages + unseen);
  try {
    const site = await startBuiltSite({
      contentBaseUrl: backend.url,
      ...options,
      env: { CONTENT_TTL_MS: String(ttlMs), WEBHOOK_SECRET, ...options.env },
    });
    const paths = backend.articles.map(article => article.path);
    const seen = paths.slice(0, pages);
    let stage: Stage | null = null;
    try {
      const filledMs = await requestAll(site.url, seen);
      stage = { backend, site, seen, unseen: paths.slice(pages), filledMs };
      return await run(stage);
    } finally {
      await (stage?.site ?? site).dispose();
    }
  } finally {
    await backend.close();
  }
}

/**
 * Requests pages until each is stored. On a busy machine a call may time out, and a page without its related
 * articles is not stored. @returns the time in ms.
 */
async function requestAll(base: string, paths: readonly string[]): Promise<number> {
  let unseen = paths;
  const { left, ms } = await untilNone(async () => {
    const replies = await askAll(base, unseen);
    unseen = unseen.filter((_, index) => !isStored(replies[index]));
    return unseen.length;
  }, SEEN_WITHIN_MS);
  if (left > 0) throw new Error(`${left} pages are not stored, such as ${unseen[0]}`);
  return ms;
}

function isStored(reply: Reply | undefined): boolean {
  return reply?.status === 200 && /^site; (?:hit|.*\bstored\b)/.test(String(reply.headers['cache-status']));
}

/** Requests each page once, a few at a time. A failed request becomes a response with status 0. */
export async function askAll(
  base: string,
  paths: readonly string[],
  atOnce = VISITS_AT_ONCE,
): Promise<Reply[]> {
  const agent = keepAlive(atOnce);
  try {
    return await forEachAtOnce(paths, atOnce, path => askAnyway(base, path, { agent }));
  } finally {
    agent.destroy();
  }
}

/** Requests each page until the response is not a 503, because a busy site refuses some visits. */
export async function askAllServed(base: string, paths: readonly string[]): Promise<Reply[]> {
  const replies = await askAll(base, paths);
  await untilNone(async () => {
    const refused = [...replies.keys()].filter(index => replies[index]?.status === 503);
    const again = await askAll(
      base,
      refused.map(index => paths[index] ?? '/'),
    );
    for (const [at, reply] of again.entries()) replies[refused[at] ?? 0] = reply;
    return again.filter(({ status }) => status === 503).length;
  }, SEEN_WITHIN_MS);
  return replies;
}

/**
 * Counts until the result is 0 or the time limit has passed.
 * @returns the last count, and the time that the counting took.
 */
export async function untilNone(
  count: () => Promise<number>,
  limitMs: number,
): Promise<{ left: number; ms: number }> {
  const from = performance.now();
  for (;;) {
    const left = await count();
    const ms = performance.now() - from;
    if (left === 0 || ms > patient(limitMs)) return { left, ms };
    await delay(50);
  }
}

/** Resolves when the number of files in the folder has not changed for half a second. */
export async function writtenToDisk(dataDir: string): Promise<void> {
  let known = -1;
  let unchanged = 0;
  await untilNone(async () => {
    const { length } = await readdir(dataDir, { recursive: true });
    unchanged = length === known ? unchanged + 1 : 0;
    known = length;
    return unchanged < 10 ? 1 : 0;
  }, 5_000);
}
