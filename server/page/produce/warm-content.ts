import { readFile, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { matchRoute } from '../../../shared/routing/match-route.ts';
import type { RouteDefinition } from '../../../shared/routing/routes.ts';
import type { DiskHealth } from '../../cache/disk/disk-health.ts';
import { unlessMissing } from '../../cache/disk/missing-file.ts';
import type { ContentSource } from '../../content/reading/collecting-reader.ts';
import { ContentReader } from '../../content/reading/content-reader.ts';
import type { ContentCache } from '../../content/store/content-cache.ts';
import { newestPaths } from '../../loading/loader.ts';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import { pageRequestOf } from '../page-request.ts';
import { type LoadParts, loadPage } from '../resolve/load-page.ts';

/** The pause between two calls, in ms. The backend gets fewer than six a second, even after delays. */
const CALL_EVERY_MS = 240;
/** The pause between two addresses, in ms, because decoding takes processor time. */
const ADDRESS_EVERY_MS = 50;
/** The pause while the backend is down, in ms: long enough for the breaker to find the cause. */
const LOOK_EVERY_MS = 1_000;
const ROUND_EVERY_MS = 3_600_000;

interface WarmingParts extends LoadParts {
  readonly content: ContentSource;
  readonly diskHealth: Pick<DiskHealth, 'onRecovery'>;
  readonly routes: readonly RouteDefinition[];
  readonly log: Logger;
}

export type ContentWarming = ReturnType<typeof createContentWarming>;

/**
 * Loads the content of the sitemap's addresses, so that it is in the cache during an outage (decision 109).
 * @param most how many of the newest addresses to load.
 * @param mayGoOn resolves in spare time; false while the backend is down or another replica warms.
 * @param file stores the progress for the next process.
 */
export function createContentWarming(
  parts: WarmingParts,
  most: number,
  mayGoOn: () => Promise<boolean>,
  file: string,
) {
  const { content, config, log } = parts;
  const maxAgeMs = config.staleIfErrorMs / 2;
  const stopped = new AbortController();
  const { signal } = stopped;
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false });
  const calls = new PQueue({ interval: CALL_EVERY_MS, intervalCap: 1, strict: true });
  const loadedAt = new Map<string, number>();
  parts.diskHealth.onRecovery(() => loadedAt.clear());
  let progress = most === 0 ? 'off' : 'waiting';

  const ask: ContentSource['ask'] = (call, own) => calls.add(() => content.ask(call, own), { signal: own });
  const read: ContentCache['read'] = async (request, options) => {
    await content.cache.loadFromDisk([request]);
    const cached = content.cache.peek<never>(request.key);
    if (cached && steadyNow() - cached.generatedAt < maxAgeMs) return cached;
    // Wait before the read, not before its first call: a visitor may join the read and would wait, too.
    await calls.add(async () => {}, { signal });
    const first = [content.ask];
    const askFirst: typeof ask = (call, own) => (first.pop() ?? ask)(call, own);
    return content.cache.read(request, { ...options, ask: askFirst });
  };
  const source = { api: content.api, cache: { ...content.cache, read }, ask };

  /** Repeats the work until it succeeds. @returns null after two failures while the backend is up. */
  async function tried<T>(work: (reader: ContentReader) => Promise<T>): Promise<T | null> {
    for (let failures = 0; ; failures += 1) {
      for (; !(await mayGoOn()); failures = 0) await pause(LOOK_EVERY_MS);
      const reader = new ContentReader(source, { signal });
      const result = await work(reader).catch(() => pause(LOOK_EVERY_MS).then(() => null));
      if (result !== null || failures > 0) return result;
    }
  }

  async function round(): Promise<void> {
    const paths = await tried(reader => newestPaths(parts.contents, reader, most));
    if (!paths) throw new Error('The addresses of the sitemap cannot be read');
    let loaded = 0;
    for (const path of paths) {
      const match = matchRoute(parts.routes, path);
      const job = { origin: config.publicOrigin, request: pageRequestOf(path) };
      if (steadyNow() - (loadedAt.get(path) ?? 0) > maxAgeMs && match) {
        await pause(ADDRESS_EVERY_MS);
        if (await tried(reader => loadPage(parts, { ...job, reader }, match)))
          loadedAt.set(path, steadyNow());
      }
      if (loadedAt.has(path)) loaded += 1;
      progress = `${loaded} of ${paths.length}`;
    }
    progress = `${loaded} of ${paths.length}, done`;
    await writeFile(file, progress);
  }

  async function run(): Promise<void> {
    const before = await unlessMissing(stat(file));
    if (before) progress = await readFile(file, 'utf8');
    const ageMs = Date.now() - (before?.mtimeMs ?? 0);
    for (let waitMs = ROUND_EVERY_MS - ageMs; ; waitMs = ROUND_EVERY_MS) {
      await pause(Math.min(Math.max(waitMs, 0), ROUND_EVERY_MS));
      await round().catch(
        err =>
          signal.aborted ||
          log.warn(
            { code: 'page-warming-failed', err },
            'content warming: a round has failed; a retry follows in an hour',
          ),
      );
    }
  }

  return {
    get progress() {
      return progress;
    },
    begin() {
      if (most > 0) run().catch(() => {});
    },
    stop: () => stopped.abort(),
  };
}
