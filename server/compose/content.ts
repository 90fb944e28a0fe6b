import path from 'node:path';
import type { Settings } from '../../shared/content/settings.ts';
import { siteTypes } from '../../site/types.ts';
import { openNegativeEntries } from '../cache/disk/negative-entries.ts';
import { REWRITES_PER_LIFE } from '../cache/stale-cache.ts';
import { LossGuard } from '../content/changes/loss-guard.ts';
import { openTypeTotals } from '../content/changes/type-totals.ts';
import { withReader } from '../content/reading/content-reader.ts';
import type { ContentReadEvent } from '../content/reading/read-values.ts';
import { createLanguages } from '../content/reading/site-language.ts';
import { RELOAD_TIMEOUT_MS, reloadStartUp, StartUp, startUpRequests } from '../content/reading/start-up.ts';
import { createContentApi } from '../content/requests/content-api.ts';
import { countedCalls } from '../content/requests/counted-calls.ts';
import { KnownSlugs } from '../content/slugs/known-slugs.ts';
import { createContentCache } from '../content/store/content-cache.ts';
import { CONTENT_FORMAT, contentRecordCodec } from '../content/store/content-record.ts';
import { type BackendState, ContentStates } from '../content/store/content-states.ts';
import { createProblemLog } from '../decode/problem-log.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { HISTORY_FOLDER, History } from '../previews/history.ts';
import { createSharedContent } from '../shared-store/shared-content.ts';
import type { Backend } from './backend.ts';
import type { SiteOptions } from './options.ts';
import type { Queues } from './queues.ts';
import type { Storage } from './storage.ts';

export type Content = ReturnType<typeof openContent>;

export interface ContentFrom {
  readonly metrics: Metrics;
  readonly queues: Queues;
  readonly storage: Storage;
  readonly backend: Backend;
}

const MIB = 1024 * 1024;

/** @returns the limit for decoded content, in bytes, derived from the limit for rendered pages. */
function contentCacheBytes(pageCacheBytes: number): number {
  return Math.min(Math.max((pageCacheBytes * 3) / 8, 24 * MIB), 96 * MIB);
}

function openContentCache(options: SiteOptions, { storage, backend, metrics }: ContentFrom) {
  const { config, log, overrides = {} } = options;
  const { backendFolder, disk, shared, purges, lifetimes } = storage;
  const inFolder = (name: string) => path.join(backendFolder.dir, name);
  const contentStates = new ContentStates(log, {
    hasToken: config.contentToken !== null,
    isKnownDown: () => !backend.backend.breaker.isUp,
    ...(overrides.holdLinesMs === undefined ? {} : { holdMs: overrides.holdLinesMs }),
  });
  const history =
    config.preview && config.historyBytes > 0
      ? new History({ dir: inFolder(HISTORY_FOLDER), maxBytes: config.historyBytes, ...disk })
      : null;
  const contentDisk = storage.diskTier('content', {
    version: CONTENT_FORMAT,
    // Keep the records of one other build, which may still run or be deployed again.
    keptVersions: others => others.slice(0, 1),
    codec: contentRecordCodec,
    keepsRemoved: true,
    onWritten: history?.note,
  });
  backendFolder.onUpkeep(pausedMs => contentDisk.sweep(pausedMs));
  if (history) backendFolder.onUpkeep(pausedMs => history.sweep(pausedMs));
  const negatives = openNegativeEntries({
    file: inFolder('absences.json'),
    rewriteAfterMs: config.staleIfErrorMs / REWRITES_PER_LIFE,
    ...disk,
  });
  const totals = openTypeTotals({
    file: inFolder('totals.json'),
    outliveProcess: !backend.isEmbedded,
    ...disk,
  });
  const losses = new LossGuard({
    totals,
    log,
    ...(overrides.lossHoldMs === undefined ? {} : { holdMs: overrides.lossHoldMs }),
  });
  const sharedContent = shared && createSharedContent(shared, () => purges.isCurrent, config, log);
  const cache = createContentCache({
    ...lifetimes,
    maxBytes: contentCacheBytes(config.pageCacheBytes),
    disk: contentDisk,
    ...(sharedContent ? { shared: sharedContent } : {}),
    negatives,
    losses,
    log,
    onLoaded: (request, failure) => contentStates.note(request, failure),
    onEvict: () => metrics.count('site_cache_evictions_total', 'content'),
  });
  return { contentStates, contentDisk, history, negatives, totals, losses, sharedContent, cache };
}

export function openContent(options: SiteOptions, from: ContentFrom) {
  const { config, log, overrides = {} } = options;
  const { storage, metrics } = from;
  const { backend, decoding, addressing } = from.backend;
  const kept = openContentCache(options, from);
  const { cache, contentStates, losses } = kept;
  const problems = createProblemLog(
    log,
    kind => metrics.count('site_content_problems_total', kind),
    undefined,
    options.fileOf,
  );
  const languageOf = createLanguages(config);
  const timeZone = () =>
    languageOf(cache.peek<Settings>(siteTypes.settings.path)?.value.value ?? null).page.timeZone;
  const ownApi = createContentApi({
    client: backend,
    decoding: { ...decoding, onProblems: problems.replace },
    ...addressing,
    onRedirectProblems: problems.redirects,
    publication: { now: Date.now, timeZone },
  });
  const api = overrides.contentApi?.(ownApi) ?? ownApi;
  const host = URL.parse(options.contentBaseUrl)?.hostname ?? '';
  const ask = losses.guarded(
    countedCalls(
      (call, signal) =>
        metrics.timed('http_client_request_duration_seconds', () => backend.getJson(call, signal), [
          host,
          'GET',
        ]),
      metrics,
    ),
  );
  const knownSlugs = new KnownSlugs({
    async read(type) {
      const signal = AbortSignal.timeout(RELOAD_TIMEOUT_MS);
      return (await ownApi.allNames(type, call => ask(call, signal)))?.slugs ?? null;
    },
    invalidations: storage.invalidationLog,
    ttlMs: config.contentTtlMs,
  });
  const content = withReader({ api, knownSlugs, cache, ask });
  const onEvent = (event: ContentReadEvent) => metrics.count('site_content_reads_total', event);
  async function retryFailed(signal: AbortSignal): Promise<void> {
    const read = { ask, signal, onEvent, evenIfFresh: true };
    await Promise.allSettled(contentStates.failed().map(request => cache.read(request, read)));
  }
  const startUp = new StartUp({
    openReader: signal => content.openReader({ signal, onEvent }),
    retryFailed,
    invalidate: cache.invalidate,
    states: contentStates,
    ...(overrides.retryFailedMs === undefined ? {} : { retryFailedMs: overrides.retryFailedMs }),
    loadFromDisk: () => cache.loadFromDisk(startUpRequests(api)),
    isFromOthers: () => cache.loadedFromOthers > 0,
    log,
  });
  backend.onRecovery(() => startUp.retryNow());
  storage.diskHealth.onRecovery(() => {
    cache.loadAgain();
    void reloadStartUp(content, onEvent);
  });
  const backendState = (): BackendState => (backend.breaker.isUp ? contentStates.backend : 'down');
  const mayAsk = () => startUp.ready && backend.breaker.isUp;
  return { ...kept, problems, languageOf, timeZone, content, startUp, retryFailed, backendState, mayAsk };
}
