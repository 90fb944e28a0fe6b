import { setTimeout as delay } from 'node:timers/promises';
import { patient } from '../support/patience.ts';
import { type BuiltSite, type BuiltSiteOptions, startBuiltSite } from './built-site.ts';
import { askAnyway, forEachAtOnce, keepAlive, type Reply } from './client.ts';
import { type FaultyBackend, startFaultyBackend } from './faulty-backend.ts';

export const WEBHOOK_SECRET = 'secret-of-the-fault-tests';

export interface StageSizes {
  /** Pages that visitors have seen. */
  pages: number;
  /** Pages that nobody has seen yet. */
  unseen?: number;
  ttlMs: number;
}

export interface Stage {
  readonly backend: FaultyBackend;
  /** The site as it runs now: a scenario may put another in its place. */
  site: BuiltSite;
  /** The pages' addresses. */
  readonly seen: readonly string[];
  readonly unseen: readonly string[];
}

const VISITS_AT_ONCE = 8;
/** A busy machine may be too slow for the backend's timeout: that is not what a scenario is about. */
const SEEN_WITHIN_MS = 60_000;

/** Starts a backend and the site, has all pages seen, and clears up after the scenario, however it ends. */
export async function onStage<T>(
  { pages, unseen = 0, ttlMs }: StageSizes,
  options: BuiltSiteOptions,
  play: (stage: Stage) => Promise<T>,
): Promise<T> {
  const backend = await startFaultyBackend(pages + unseen);
  try {
    const site = await startBuiltSite({
      contentBaseUrl: backend.url,
      ...options,
      env: { CONTENT_TTL_MS: String(ttlMs), WEBHOOK_SECRET, ...options.env },
    });
    const paths = backend.articles.map(article => article.path);
    const stage: Stage = { backend, site, seen: paths.slice(0, pages), unseen: paths.slice(pages) };
    try {
      await haveSeen(site.url, stage.seen);
      return await play(stage);
    } finally {
      await stage.site.dispose();
    }
  } finally {
    await backend.close();
  }
}

async function haveSeen(base: string, paths: readonly string[]): Promise<void> {
  let unseen = paths;
  const { left } = await untilNone(async () => {
    const replies = await askAll(base, unseen);
    unseen = unseen.filter((_, index) => replies[index]?.status !== 200);
    return unseen.length;
  }, SEEN_WITHIN_MS);
  if (left > 0) throw new Error(`${left} pages could not be seen, such as ${unseen[0]}`);
}

/** Asks for each page once, a few at a time. What cannot be had is an answer of status 0. */
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

/** Looks again and again until a figure is 0, for a limited time. @returns the last figure, and after how many ms. */
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
