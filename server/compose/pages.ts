import { RENDER_TIMEOUT_MS } from '../../shared/constants.ts';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import { routeTable } from '../../shared/routing/routes.ts';
import { routeMiddleware } from '../../site/middleware.ts';
import type { StaleCacheEvent } from '../cache/stale-cache.ts';
import { isLoggedOnce, SiteBusyError } from '../errors.ts';
import { createCacheStatus } from '../http/cache-status.ts';
import { securityHeaders } from '../http/security/security-headers.ts';
import { createPageCards } from '../media/renditions/share-cards.ts';
import { ownTick } from '../ops/slices.ts';
import { RedirectUses } from '../page/answer-redirect.ts';
import type { PageLookup } from '../page/page-request.ts';
import { createPreview } from '../page/preview/preview.ts';
import { revalidateInBackground } from '../page/produce/produce-page.ts';
import { createPageRefresher } from '../page/produce/refresh-read-pages.ts';
import { createNearestPages } from '../page/resolve/nearest-pages.ts';
import { createRedirectLoader } from '../page/resolve/redirect-table.ts';
import { createPageCache } from '../page-cache/page-cache.ts';
import { keptPageVersions, pageRecordCodec, pageVersion } from '../page-cache/stored-page.ts';
import { createErrorPages } from '../render/error-pages.ts';
import { preloadLinks } from '../render/page-html.ts';
import { createPageRenderer } from '../render/render-page.tsx';
import { createSettingsInDocument } from '../render/settings-in-document.ts';
import { createSearch } from '../search/search.ts';
import { SEARCH_TAG } from '../search/search-types.ts';
import type { Content, ContentFrom } from './content.ts';
import type { SiteOptions } from './options.ts';

const SEARCH_PAGES_BYTES = 16 * 1024 * 1024;

function openPageCaches(
  { config, log, distDir, overrides = {} }: SiteOptions,
  { storage, backend: { backend, decoding }, content: parts, metrics }: PagesFrom,
  manifest: BuildManifest,
) {
  const { lifetimes, spareTime, invalidationLog, backendFolder, disk } = storage;
  const { content, timeZone, sharedContent, mayAsk } = parts;
  const version = pageVersion(manifest.id, config);
  const pageDisk = storage.diskTier('pages', {
    version,
    keptVersions: others => keptPageVersions(version, others),
    codec: pageRecordCodec,
    listsRecords: true,
  });
  const common = {
    ...lifetimes,
    spareTime,
    commonHeaders: securityHeaders(config),
    cacheStatus: createCacheStatus(config.replicaId, manifest.id),
    isOverload: (error: unknown) => error instanceof SiteBusyError,
    compressing: <T>(work: () => Promise<T>) => metrics.timed('site_compress_duration_seconds', work),
  };
  const pages = createPageCache({
    ...common,
    maxBytes: config.pageCacheBytes,
    disk: pageDisk,
    isBackendUp: () => backend.breaker.isUp,
    onEvent(event: StaleCacheEvent) {
      metrics.count('site_page_cache_events_total', event.kind);
      if (event.kind === 'evicted') metrics.count('site_cache_evictions_total', 'pages');
      if (event.kind === 'negative-evicted') metrics.count('site_cache_evictions_total', 'negative-pages');
      if (event.kind === 'revalidation-failed')
        log[isLoggedOnce(event.error) ? 'debug' : 'warn'](
          { code: 'page-revalidation-failed', err: event.error, key: event.key },
          'a stored page could not be revalidated and is still served',
        );
    },
  });
  storage.diskHealth.onRecovery(pages.writeAll);
  const searchPages = createPageCache({
    ...common,
    maxBytes: Math.min(SEARCH_PAGES_BYTES, config.pageCacheBytes),
  });
  const search = createSearch({
    distDir,
    dir: backendFolder.dir,
    content,
    decoding,
    timeZone,
    lifetimes,
    spareTime,
    ...disk,
    retryMs: overrides.retryFailedMs,
    shared: sharedContent ?? undefined,
    mayAsk,
    onOutcome: outcome => metrics.count('site_searches_total', outcome),
    onChange() {
      invalidationLog.note([SEARCH_TAG], false);
      searchPages.invalidate([SEARCH_TAG]);
    },
  });
  return { pageDisk, pages, searchPages, search, pageCards: createPageCards(lifetimes) };
}

export type Pages = ReturnType<typeof openPages>;

export interface PagesFrom extends ContentFrom {
  readonly content: Content;
}

export function openPages(options: SiteOptions, from: PagesFrom, manifest: BuildManifest) {
  const { config, log, contentBaseUrl, overrides = {} } = options;
  const { backend, metrics } = from;
  const { content, problems, languageOf, startUp, timeZone } = from.content;
  const components = overrides.pages ?? options.pages;
  const caches = openPageCaches(options, from, manifest);
  const { decoding, addressing } = backend;
  const parts = {
    config,
    log,
    metrics,
    manifest,
    content,
    problems,
    languageOf,
    startUp,
    ...caches,
    ...from.queues,
    contents: options.contents,
    routes: overrides.routes ?? routeTable,
    middleware: overrides.middleware ?? routeMiddleware,
    loadRedirects: createRedirectLoader(),
    redirectUses: new RedirectUses(),
    nearestPages: createNearestPages(),
    renderPage: createPageRenderer(components),
    renderTick: ownTick,
    renderTimeoutMs: overrides.renderTimeoutMs ?? RENDER_TIMEOUT_MS,
    errorPages: createErrorPages(),
    settingsInDocument: createSettingsInDocument(config),
    preloadLinks: preloadLinks(manifest),
    preview: createPreview({
      config,
      contentBaseUrl,
      decoding,
      addressing,
      pages: components,
      timeZone,
      history: from.content.history,
      edit: options.edit,
      log,
      metrics,
    }),
    shownPreview: null,
  };
  return {
    ...parts,
    refresher: createPageRefresher(parts, overrides.eventLoopDelayMs),
    revalidateInBackground: (lookup: PageLookup) => revalidateInBackground(parts, lookup),
  };
}
