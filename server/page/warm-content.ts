import { readFile, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { unlessMissing } from '../cache/missing-file.ts';
import type { ContentSource } from '../content/collecting-reader.ts';
import type { ContentCache } from '../content/content-cache.ts';
import { ContentReader } from '../content/content-reader.ts';
import { newestPaths } from '../loaders/loaders.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import type { Site } from '../site.ts';
import { loadPage } from './load-page.ts';
import { pageRequestOf } from './page-request.ts';

/** The pause between two calls, in ms. Even where some of them are late, less than six come within a second. */
const CALL_EVERY_MS = 240;
/** The pause between two addresses, in ms. Decoding takes time of the processor even where nothing is asked. */
const ADDRESS_EVERY_MS = 50;
/** The pause while the work may not go on, in ms. By then the breaker knows whether a call has failed because the backend is down. */
const LOOK_EVERY_MS = 1_000;
/** The pause after which new addresses are looked for, in ms. */
const ROUND_EVERY_MS = 3_600_000;

/**
 * @param most how many of the newest addresses; 0 for none.
 * @param mayGoOn resolves in spare time; with false while the backend cannot be asked, or another replica does this.
 * @param file keeps the progress, and the time of it, for the next process.
 * @returns a loading of the content of the sitemap's addresses, so that an outage finds it on disk or in the shared store (decision 109).
 */
export function createContentWarming(
  site: Pick<
    Site,
    'config' | 'content' | 'diskHealth' | 'languageOf' | 'log' | 'manifest' | 'problems' | 'routes' | 'search'
  >,
  most: number,
  mayGoOn: () => Promise<boolean>,
  file: string,
): Site['contentWarming'] {
  const { content, config, log } = site;
  /** Older content is loaded again, because it would soon be too old for an outage. */
  const maxAgeMs = config.staleIfErrorMs / 2;
  const stopped = new AbortController();
  const { signal } = stopped;
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false });
  const turns = new PQueue({ interval: CALL_EVERY_MS, intervalCap: 1, strict: true });
  const loadedAt = new Map<string, number>();
  site.diskHealth.onRecovery(() => loadedAt.clear());
  let progress = most === 0 ? 'off' : 'waiting';

  const ask: ContentSource['ask'] = (call, own) => turns.add(() => content.ask(call, own), { signal: own });
  const read: ContentCache['read'] = async (request, options) => {
    await content.cache.loadFromDisk([request]);
    const kept = content.cache.peek<never>(request.key);
    if (kept && steadyNow() - kept.generatedAt < maxAgeMs) return kept;
    // A visitor may want the same content, and must not wait for a turn: the load begins with its first call.
    await turns.add(async () => {}, { signal });
    const first = [content.ask];
    const askInTurn: typeof ask = (call, own) => (first.pop() ?? ask)(call, own);
    return content.cache.read(request, { ...options, ask: askInTurn });
  };
  const source = { api: content.api, cache: { ...content.cache, read }, ask };

  /** Repeats a work until it succeeds, or fails twice while it may go on. @returns its result; null after the failures. */
  async function tried<T>(work: (reader: ContentReader) => Promise<T>): Promise<T | null> {
    for (let failures = 0; ; failures += 1) {
      for (; !(await mayGoOn()); failures = 0) await pause(LOOK_EVERY_MS);
      const reader = new ContentReader(source, { signal, onEvent: () => {} });
      const result = await work(reader).catch(() => pause(LOOK_EVERY_MS).then(() => null));
      if (result !== null || failures > 0) return result;
    }
  }

  async function round(): Promise<void> {
    const paths = await tried(reader => newestPaths(reader, most));
    if (!paths) throw new Error('The addresses of the sitemap cannot be read');
    let loaded = 0;
    for (const path of paths) {
      const match = matchRoute(site.routes, path);
      const job = { origin: config.publicOrigin, request: pageRequestOf(path) };
      if (steadyNow() - (loadedAt.get(path) ?? 0) > maxAgeMs && match) {
        await pause(ADDRESS_EVERY_MS);
        if (await tried(reader => loadPage(site, { ...job, reader }, match))) loadedAt.set(path, steadyNow());
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
        err => signal.aborted || log.warn({ err }, 'content warming: it is tried again later'),
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
