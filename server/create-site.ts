import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PageComponents } from '../shared/app-routes.tsx';
import { RENDER_TIMEOUT_MS } from '../shared/constants.ts';
import type { Settings } from '../shared/content/settings.ts';
import { routeMiddleware } from '../shared/routing/middleware/registry.ts';
import { routeTable } from '../shared/routing/routes.ts';
import { openEarlierBuilds } from './assets/earlier-builds.ts';
import { createBackendClient } from './backend/backend-client.ts';
import { guardClient } from './backend/guarded-client.ts';
import { openBackendFolder } from './cache/backend-folder.ts';
import { createDiskHealth } from './cache/disk-health.ts';
import { createDiskTier, type DiskTierOptions } from './cache/disk-tier.ts';
import { createInvalidation } from './cache/invalidation.ts';
import { EVERYTHING } from './cache/invalidation-log.ts';
import { openKeptAbsences } from './cache/kept-absences.ts';
import { openInvalidationLog } from './cache/saved-invalidations.ts';
import { REWRITES_PER_LIFE } from './cache/stale-cache.ts';
import { openCdnPurger } from './cdn/open-cdn-purger.ts';
import type { Config } from './config.ts';
import type { ContentSource } from './content/collecting-reader.ts';
import { createContentApi } from './content/content-api.ts';
import { type ContentReadEvent, createContentCache } from './content/content-cache.ts';
import { ContentReader, startUpRequests } from './content/content-reader.ts';
import { CONTENT_FORMAT, contentRecordCodec } from './content/content-record.ts';
import { type BackendState, createContentStates } from './content/content-states.ts';
import { partNames } from './content/content-tags.ts';
import { countedCalls } from './content/counted-calls.ts';
import { createProblemLog } from './content/decode/problem-log.ts';
import { createLossCommands } from './content/losses/loss-commands.ts';
import { createLossGuard } from './content/losses/loss-guard.ts';
import { openTypeTotals } from './content/losses/type-totals.ts';
import { createCompilePool } from './content/rich-text/compile-pool.ts';
import { createMediaPolicy, EMBEDDED_ADDRESS } from './content/safe-address.ts';
import { createSharedContent } from './content/shared-content.ts';
import { createLanguages } from './content/site-language.ts';
import { createKnownSlugs } from './content/slugs/known-slugs.ts';
import { createStartUp, RELOAD_TIMEOUT_MS, reloadStartUp } from './content/start-up.ts';
import { createDoctor } from './doctor/doctor.ts';
import { SITEMAP_LIMITS } from './endpoints/sitemap-limits.ts';
import { createWebhookOutcomes } from './endpoints/webhook-outcomes.ts';
import { isLoggedOnce, SiteBusyError } from './errors.ts';
import { createCacheStatus } from './http/cache-status.ts';
import { REQUEST_DEADLINE_MS } from './http/limits.ts';
import { securityHeaders } from './http/security-headers.ts';
import { clientAddresses, servedHosts } from './http/served-hosts.ts';
import { createMedia } from './media/create-media.ts';
import { createPageCards } from './media/share-cards.ts';
import { eventLoopDelayMs } from './ops/event-loop.ts';
import type { ProcessLogger } from './ops/log.ts';
import { createMetrics } from './ops/metrics.ts';
import { processFacts } from './ops/process-facts.ts';
import { createReadiness } from './ops/readiness.ts';
import { createRequestLines } from './ops/request-lines.ts';
import { createSpareTime } from './ops/spare-time.ts';
import { steadyNow } from './ops/steady-clock.ts';
import { ownTurn } from './ops/turns.ts';
import type { QueueLink } from './outbox/queue/queue-link.ts';
import { createSiteOutbox } from './outbox/site-outbox.ts';
import { createNearestPages } from './page/nearest-pages.ts';
import { createPreview } from './page/preview.ts';
import { createRedirectLoader } from './page/redirect-table.ts';
import { createPageRefresher } from './page/refresh-read-pages.ts';
import { createRenderQueue } from './page/render-queue.ts';
import { createContentWarming } from './page/warm-content.ts';
import { createPageCache } from './page-cache/page-cache.ts';
import { keptPageVersions, pageVersion } from './page-cache/page-version.ts';
import { pageRecordCodec } from './page-cache/stored-page.ts';
import { openPurgeSharing } from './purges/open-purge-sharing.ts';
import { purgeEffects } from './purges/purge-effects.ts';
import { createSharedChanges } from './purges/shared-changes.ts';
import { readBuildManifest } from './render/asset-manifest.ts';
import { createErrorPages } from './render/error-pages.ts';
import { preloadLinks } from './render/page-html.ts';
import { createPageRenderer } from './render/render-page.tsx';
import { createSettingsInDocument } from './render/settings-in-document.ts';
import { createSearch, SEARCH_TAG } from './search/search.ts';
import { openSharedState } from './shared-state/open-shared-state.ts';
import { createReplicas } from './shared-state/replicas.ts';
import type { Site, SiteOverrides } from './site.ts';

/** The memory that decoded content may take, in bytes. */
const CONTENT_CACHE_BYTES = 96 * 1024 * 1024;
/** The memory for answers of the search, in bytes. */
const SEARCH_PAGES_BYTES = 16 * 1024 * 1024;
/** The space that each disk tier may take, in bytes: one keeps content, the other pages. */
const DISK_TIER_BYTES = 512 * 1024 * 1024;
/** The limit of pages in flight that answer form posts, besides `maxRenders`. Beyond it a form post is answered by a bare document. */
const FORM_RENDERS = 4;
/** The limit of stored pages that are generated anew at a time, as a share of `maxRenders`, besides those pages. */
const REVALIDATION_SHARE = 1 / 4;
/** How long a page that is not stored may wait for a place, in ms. */
const MAX_RENDER_WAIT_MS = 5_000;
/** How long the answer to an event waits for the disk, in ms. */
const SAVED_WITHIN_MS = 500;
/** While the event loop is later than this, in ms, no page is begun that is not stored. */
const MAX_LOOP_DELAY_MS = 200;

export interface SiteOptions {
  config: Config;
  log: ProcessLogger;
  /** The backend's address: the configured one, or the embedded backend's. */
  contentBaseUrl: string;
  /** The name of an embedded backend, whose address differs with each start. */
  backendName?: string | undefined;
  /** Names the file with the entry of an id, for an embedded backend. */
  fileOf?: ((id: string) => string | null) | undefined;
  /** The folder of the build. */
  distDir: string;
  pages: PageComponents;
  /** The queue that replicas share. Without it each process delivers the messages of its own folder. */
  queue?: QueueLink | null | undefined;
  overrides?: SiteOverrides;
}

/** Creates all parts of the site. `site.startUp.begin()` then loads the content. */
export function createSite(options: SiteOptions): Site {
  const { config, log, contentBaseUrl, backendName = contentBaseUrl, distDir, overrides = {} } = options;
  const pages = overrides.pages ?? options.pages;
  const manifest = readBuildManifest(distDir);
  const commonHeaders = securityHeaders(config);
  const metrics = createMetrics({ build: manifest.id, replica: config.replicaId ?? '' });
  const shared = openSharedState({ config, backend: backendName, metrics, log });
  const diskHealth = createDiskHealth({ dataDir: config.dataDir, log });
  const disk = { health: diskHealth, log };
  const backendFolder = openBackendFolder({
    dataDir: config.dataDir,
    backend: backendName,
    credentials: [config.contentToken, config.contentHeaders],
    lifeMs: config.contentTtlMs + config.staleIfErrorMs,
    onUpkeep: pausedMs => contentDisk.sweep(pausedMs),
    ...disk,
  });
  const invalidationsFile = path.join(backendFolder.dir, 'invalidations.json');
  const invalidationLog = openInvalidationLog(invalidationsFile, log, steadyNow, diskHealth);
  // Other credentials may be allowed to read other content, so everything on disk is stale.
  if (backendFolder.hasNewCredentials) invalidationLog.note([EVERYTHING], false);
  const purges = openPurgeSharing({
    ...{ config, shared, invalidations: invalidationLog, metrics, log },
    // Purges of caches in front wait for the replicas.
    onRead: () => config.cdnPurge && site.replicas?.tell(),
  });
  async function replicasHaveRead(): Promise<void> {
    await purges.settled();
    if (purges.isUp) await site.replicas?.haveRead(invalidationLog.position());
  }
  const { contentTimeoutMs: timeoutMs, contentPublicUrl, mediaOrigins, embedProviders } = config;
  const client = createBackendClient({
    ...{ baseUrl: contentBaseUrl, token: config.contentToken, headers: config.contentHeaders },
    timeoutMs,
  });
  const backend = guardClient(client, timeoutMs, log, () => startUp.retryNow());
  const isEmbedded = options.backendName !== undefined;
  const mediaOptions = {
    contentBaseUrl: isEmbedded ? EMBEDDED_ADDRESS : contentBaseUrl,
    ...{ contentPublicUrl, mediaOrigins },
  };
  const { mediaAddress } = createMediaPolicy(mediaOptions);
  const { origins, media, fileVersions, namedMedia, sizeOf, images, shareCards, scaler } = createMedia({
    ...{ client, mediaOrigins, timeoutMs, dir: backendFolder.dir, distDir, metrics, log, disk },
    invalidationLog,
    announce: tags => invalidation.invalidate(tags),
  });
  const problems = createProblemLog(log, metrics.contentProblemFound, undefined, options.fileOf);
  const contentStates = createContentStates(log, {
    hasToken: config.contentToken !== null,
    isKnownDown: () => !backend.breaker.isUp,
    ...(overrides.holdLinesMs === undefined ? {} : { holdMs: overrides.holdLinesMs }),
  });
  const lifetimes = {
    ttlMs: config.contentTtlMs,
    staleIfErrorMs: config.staleIfErrorMs,
    invalidations: invalidationLog,
  };
  const spareTime = createSpareTime();
  const diskTier = <R>(
    name: string,
    tier: Pick<DiskTierOptions<R>, 'version' | 'keptVersions' | 'codec' | 'keepsRemoved' | 'listsRecords'>,
  ) =>
    createDiskTier<R>({
      ...{ dir: path.join(backendFolder.dir, name), maxBytes: DISK_TIER_BYTES, ...disk },
      isBusy: () => renderQueue.work.waiting > 0,
      spareTime,
      ...tier,
    });
  const contentDisk = diskTier('content', {
    version: CONTENT_FORMAT,
    // A process of the build before may still run, or come back.
    keptVersions: others => others.slice(0, 1),
    codec: contentRecordCodec,
    keepsRemoved: true,
  });
  const version = pageVersion(manifest.id, config);
  const pageDisk = diskTier('pages', {
    version,
    keptVersions: others => keptPageVersions(version, others),
    codec: pageRecordCodec,
    listsRecords: true,
  });
  const absences = openKeptAbsences({
    file: path.join(backendFolder.dir, 'absences.json'),
    rewriteAfterMs: config.staleIfErrorMs / REWRITES_PER_LIFE,
    ...disk,
  });
  const totals = openTypeTotals({
    file: path.join(backendFolder.dir, 'totals.json'),
    outliveProcess: !isEmbedded,
    ...disk,
  });
  const losses = createLossGuard({
    totals,
    log,
    ...(overrides.lossHoldMs === undefined ? {} : { holdMs: overrides.lossHoldMs }),
  });
  const compilePool =
    overrides.compilePool ?? createCompilePool({ file: path.join(distDir, 'server/compile-worker.js') });
  const decoding = {
    ...{ mediaAddress, noteMedia: namedMedia.note, media: { ...mediaOptions, embedProviders } },
    withVersion: fileVersions.withVersion,
    compileText: compilePool.compile,
    sizeOf,
  };
  const redirecting = { publicOrigin: config.publicOrigin, redirectHosts: config.redirectHosts };
  const languageOf = createLanguages(config);
  const timeZone = () =>
    languageOf(content.cache.peek<Settings>('settings')?.value.value ?? null).page.timeZone;
  const contentApi = createContentApi({
    client: backend,
    decoding: { ...decoding, onProblems: problems.replace },
    ...redirecting,
    onRedirectProblems: problems.redirects,
    publication: { now: Date.now, timeZone },
  });
  const ask = losses.guarded(
    countedCalls(
      (call, signal) => metrics.fetching(() => backend.getJson(call, signal)),
      metrics.backendCall,
    ),
  );
  const sharedContent = shared && createSharedContent(shared, () => purges.isCurrent, config, log);
  const content: ContentSource = {
    api: overrides.contentApi?.(contentApi) ?? contentApi,
    knownSlugs: createKnownSlugs({
      read: async type => {
        const signal = AbortSignal.timeout(RELOAD_TIMEOUT_MS);
        return (await contentApi.allNames(type, call => ask(call, signal)))?.slugs ?? null;
      },
      invalidations: invalidationLog,
      ttlMs: config.contentTtlMs,
    }),
    cache: createContentCache({
      ...lifetimes,
      maxBytes: CONTENT_CACHE_BYTES,
      disk: contentDisk,
      ...(sharedContent ? { shared: sharedContent } : {}),
      absences,
      losses,
      log,
      onLoaded: contentStates.note,
      onEvict: metrics.contentEvicted,
    }),
    ask,
  };
  const pageCache = createPageCache({
    ...lifetimes,
    maxBytes: config.pageCacheBytes,
    disk: pageDisk,
    commonHeaders,
    cacheStatus: createCacheStatus(config.replicaId, manifest.id),
    mayRevalidate: () => backend.breaker.isUp,
    isBackendUp: () => backend.breaker.isUp,
    isOverload: error => error instanceof SiteBusyError,
    compressing: metrics.compressing,
    spareTime,
    onEvent(event) {
      metrics.pageCacheEvent(event.kind);
      if (event.kind === 'revalidation-failed')
        log[isLoggedOnce(event.error) ? 'debug' : 'warn'](
          { err: event.error, key: event.key },
          'a stored page could not be revalidated and is still served',
        );
    },
  });
  const searchPages = createPageCache({
    ...lifetimes,
    ...{ maxBytes: Math.min(SEARCH_PAGES_BYTES, config.pageCacheBytes), commonHeaders, spareTime },
    cacheStatus: pageCache.cacheStatus,
    isOverload: error => error instanceof SiteBusyError,
    compressing: metrics.compressing,
  });
  const search = createSearch({
    ...{ distDir, dir: backendFolder.dir, content, decoding, timeZone, lifetimes, spareTime, ...disk },
    retryMs: overrides.retryFailedMs,
    shared: sharedContent ?? undefined,
    mayAsk: () => startUp.ready && backend.breaker.isUp,
    onChange() {
      invalidationLog.note([SEARCH_TAG], false);
      searchPages.invalidate([SEARCH_TAG]);
    },
  });
  const pageCards = createPageCards(lifetimes);
  const layers = [content.cache, pageCache, pageCards, searchPages, search.layer] as const;
  const below = (name: string) => [...partNames(name), ...layers.flatMap(layer => layer.namesBelow(name))];
  const cdnPurger = openCdnPurger({ ...{ config, metrics, log, below }, whenShared: replicasHaveRead });
  const share = purges.isOn ? purges.shareOperation : null;
  const invalidation = createInvalidation(invalidationLog, layers, share, cdnPurger?.purge);
  const outbox = createSiteOutbox({
    ...{ config, shared, metrics, overrides, queue: options.queue, sendEmail: content.api.sendEmail },
    ...disk,
  });
  const { maxRenderWaitMs = MAX_RENDER_WAIT_MS, maxLoopDelayMs = MAX_LOOP_DELAY_MS } = overrides;
  const isLate = () => eventLoopDelayMs() > maxLoopDelayMs;
  const queueOf = (concurrency: number) =>
    createRenderQueue({ concurrency, maxWaitMs: maxRenderWaitMs }, isLate);
  const renderQueue = queueOf(config.maxRenders);
  const backendState = (): BackendState => (backend.breaker.isUp ? contentStates.backend : 'down');
  metrics.observe({
    layers: () => ({
      pages: pageCache.size.positive,
      'negative-pages': pageCache.size.negative,
      'decoded-pages': pageCache.decoded.size,
      cards: pageCards.size.positive,
      content: content.cache.size,
    }),
    pagesInFlight: () => pageCache.inFlight,
    pagesWaiting: () => renderQueue.work.waiting,
    contentInFlight: () => content.cache.loading,
    backgroundWaiting: () => ({
      encoding: pageCache.encodingsWaiting(),
      record: pageDisk.waiting() + contentDisk.waiting(),
    }),
    backendIsUp: () => backendState() === 'up',
    contentStates: contentStates.states,
    contentEntries: losses.totals,
    mediaStates: origins.states,
    diskIsWritable: () => diskHealth.state.isWritable,
    droppedLogLines: log.droppedLines,
    timeToFirstExpiryMs: () => pageCache.timeToFirstExpiryMs(),
    outbox: () => outbox.state,
    renditions: () => images.work,
  });
  const webhookOutcomes = createWebhookOutcomes(log, metrics);
  const { contentChanges, contentSweep } = createSharedChanges({
    ...{ content, invalidation, losses, purges },
    onChange: () => site.refreshPages(),
    onMissed: webhookOutcomes.missed,
    // The embedded backend watches its files.
    everyMs: options.backendName === undefined ? config.contentSweepMs : 0,
    mayAsk: () => startUp.ready && backend.breaker.isUp,
    file: path.join(backendFolder.dir, 'sweep.json'),
    invalidationsSaved: invalidationLog.settled,
    ...disk,
  });
  const onEvent = ({ kind }: ContentReadEvent) => metrics.contentEvent(kind);
  const openReader = (signal: AbortSignal) => new ContentReader(content, { signal, onEvent });
  async function retryFailed(signal: AbortSignal): Promise<void> {
    const { ask, cache } = content;
    const options = { ask, signal, onEvent, evenIfFresh: true };
    await Promise.allSettled(contentStates.failed().map(request => cache.read(request, options)));
  }
  const startUp = createStartUp({
    openReader,
    retryFailed,
    invalidate: content.cache.invalidate,
    states: contentStates,
    ...(overrides.retryFailedMs === undefined ? {} : { retryFailedMs: overrides.retryFailedMs }),
    loadFromDisk: () => content.cache.loadFromDisk(startUpRequests(content.api)),
    isFromOthers: () => content.cache.loadedFromOthers > 0,
    log,
  });
  diskHealth.onRecovery(() => {
    pageCache.writeAgain();
    content.cache.loadAgain();
    void reloadStartUp(content, onEvent);
  });
  const routes = overrides.routes ?? routeTable;
  const mayWarm = () => startUp.ready && backend.breaker.isUp && diskHealth.state.isWritable && purges.mayRun;
  const contentWarming = createContentWarming(
    { config, content, diskHealth, languageOf, log, manifest, problems, routes, search },
    // The embedded backend is in this process, and cannot fail alone.
    isEmbedded ? 0 : config.contentWarm,
    () => spareTime().then(mayWarm),
    path.join(backendFolder.dir, `warmed-${config.contentWarm}`),
  );
  /** Settles when the other replicas know that this one has ended. */
  let left: Promise<void> | null = null;
  const site: Site = {
    config,
    log,
    distDir,
    manifest,
    metrics,
    requestLines: createRequestLines(log, config.accessLogLines, clientAddresses(config)),
    content,
    compilePool,
    problems,
    preview: createPreview({ config, contentBaseUrl, decoding, redirecting, pages, log, metrics }),
    shownPreview: null,
    webhookOutcomes,
    cdnPurger,
    shared,
    pages: pageCache,
    searchPages,
    search,
    backendBreaker: backend.breaker,
    mediaOrigins: origins,
    backendFolder,
    diskHealth,
    contentStates,
    backendState,
    securityHeaders: commonHeaders,
    invalidation,
    // A disk that hangs must not hold up the backend.
    invalidationsSaved: () => Promise.race([invalidationLog.settled(), delay(SAVED_WITHIN_MS)]),
    contentChanges,
    contentSweep,
    contentWarming,
    refreshPages() {
      refresher.refresh();
      purges.share({ kind: 'refresh' });
    },
    purges,
    followPurges: () => purges.begin(purgeEffects({ site, losses, refresh: refresher.refresh })),
    lossCommands: createLossCommands({
      ...{ guard: losses, cache: content.cache, invalidation, retryFailed, log },
      onTaken: type => purges.share({ kind: 'loss-taken', type }),
      onRestore: type => purges.share({ kind: 'loss-restored', type }),
    }),
    // A script is served where it is proven to be of a replica.
    earlierBuilds: openEarlierBuilds(config, config.sharedSecret && shared, disk),
    replicas:
      shared &&
      createReplicas(shared, () => ({
        ...{ replica: config.replicaId, build: manifest.id, state: site.readiness.state, ...processFacts() },
        ...{ host: os.hostname(), ops: `${config.opsHost}:${config.opsPort}`, leads: purges.isLeading },
        ...{ backend: backendState(), logPosition: purges.position, pages: pageCache.size.positive },
      })),
    routes,
    middleware: overrides.middleware ?? routeMiddleware,
    media,
    fileVersions,
    mediaAddress,
    images,
    shareCards,
    pageCards,
    outbox,
    doctor: createDoctor({
      ...{ config, backend, content, spareTime, log, fileOf: options.fileOf },
      mayRun: () => purges.mayRun,
    }),
    startUp,
    readiness: createReadiness(startUp, () =>
      [shared, purges, outbox.queue].some(part => part?.isUp === false),
    ),
    loadRedirects: createRedirectLoader(),
    nearestPages: createNearestPages(),
    settingsInDocument: createSettingsInDocument(config),
    preloadLinks: preloadLinks(manifest),
    languageOf,
    renderPage: createPageRenderer(pages),
    errorPages: createErrorPages(),
    renderQueue,
    revalidationQueue: queueOf(Math.ceil(config.maxRenders * REVALIDATION_SHARE)),
    formQueue: createRenderQueue({ concurrency: FORM_RENDERS, maxWaiting: 0 }, isLate),
    renderTurn: ownTurn,
    isLate,
    renderTimeoutMs: overrides.renderTimeoutMs ?? RENDER_TIMEOUT_MS,
    requestDeadlineMs: overrides.requestDeadlineMs ?? REQUEST_DEADLINE_MS,
    sitemapLimits: overrides.sitemapLimits ?? SITEMAP_LIMITS,
    servesHost: servedHosts(config),
    stop() {
      contentSweep.stop();
      contentWarming.stop();
      search.stop();
      refresher.stop();
      backend.breaker.stop();
      origins.stop();
      scaler.stop();
      // The others learn over this connection that this replica is gone.
      left = (site.replicas?.stop() ?? Promise.resolve()).then(() => shared?.stop());
    },
    async settled() {
      const written = [contentDisk, pageDisk, invalidationLog, absences, totals, contentSweep];
      await Promise.all([...written, cdnPurger, search].map(part => part?.settled()));
      await left;
    },
  };
  const refresher = createPageRefresher(site, overrides.eventLoopDelayMs);
  return site;
}
