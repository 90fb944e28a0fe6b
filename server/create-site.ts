import path from 'node:path';
import { RENDER_TIMEOUT_MS } from '../shared/constants.ts';
import { routeMiddleware } from '../shared/route-middleware/registry.ts';
import { routeTable } from '../shared/routes.ts';
import type { Config } from './config.ts';
import { createBackendClient } from './content/backend-client.ts';
import { createContentApi } from './content/content-api.ts';
import { createContentCache } from './content/content-cache.ts';
import { ContentReader, type ContentSource } from './content/content-reader.ts';
import { createMediaStore } from './content/media-store.ts';
import { createProblemLog } from './content/problem-log.ts';
import { createRichTextCompiler } from './content/rich-text.ts';
import { createMediaPolicy } from './content/safe-address.ts';
import { createStartUp } from './content/start-up.ts';
import { createKeptAssets } from './kept-assets.ts';
import type { Logger } from './log.ts';
import { readBuildManifest } from './render/asset-manifest.ts';
import { pages } from './render/pages.ts';
import { createPageRenderer } from './render/render-page.tsx';
import type { Site, SiteOverrides } from './site.ts';

/** Decoded content may take this many bytes of memory. */
const CONTENT_CACHE_BYTES = 64 * 1024 * 1024;
/** Media kept on disk may take this many bytes. */
const MEDIA_STORE_BYTES = 1024 * 1024 * 1024;
/** How long an older content may stand in while the backend is out of reach. */
const STALE_IF_ERROR_MS = 10 * 24 * 3_600_000;

export interface SiteOptions {
  config: Config;
  log: Logger;
  /** The backend's address: the configured one, or the embedded backend's. */
  contentBaseUrl: string;
  /** The folder that the build has made. */
  distDir: string;
  overrides?: SiteOverrides;
}

/** Puts the process's parts together. Nothing is loaded yet: `site.startUp.begin()` does that. */
export function createSite({ config, log, contentBaseUrl, distDir, overrides = {} }: SiteOptions): Site {
  const backend = createBackendClient({
    baseUrl: contentBaseUrl,
    token: config.contentToken,
    headers: config.contentHeaders,
    timeoutMs: config.contentTimeoutMs,
  });
  const { mediaAddress } = createMediaPolicy({ contentBaseUrl, mediaOrigins: config.mediaOrigins });
  const problems = createProblemLog(log);
  const content: ContentSource = {
    api: createContentApi(backend, {
      mediaAddress,
      richText: createRichTextCompiler({ mediaAddress }, error =>
        log.warn({ err: error }, 'content: a rich text is shown as plain text'),
      ),
      report: problems.content,
    }),
    cache: createContentCache({
      maxBytes: CONTENT_CACHE_BYTES,
      ttlMs: config.contentTtlMs,
      staleIfErrorMs: STALE_IF_ERROR_MS,
    }),
    publicOrigin: config.publicOrigin,
    onRedirectProblems: problems.redirects,
  };
  return {
    config,
    log,
    distDir,
    manifest: readBuildManifest(distDir),
    keptAssets: createKeptAssets(config.assetsDir ?? path.join(config.dataDir, 'assets'), log),
    routes: overrides.routes ?? routeTable,
    middleware: overrides.middleware ?? routeMiddleware,
    backend,
    content,
    media: createMediaStore({
      dir: path.join(config.dataDir, 'media'),
      maxBytes: MEDIA_STORE_BYTES,
      backend,
      log,
    }),
    startUp: createStartUp(signal => new ContentReader(content, { signal, onEvent: () => {} }), log),
    renderPage: createPageRenderer(overrides.pages ?? pages),
    renderTimeoutMs: overrides.renderTimeoutMs ?? RENDER_TIMEOUT_MS,
  };
}
