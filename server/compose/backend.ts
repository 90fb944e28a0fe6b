import path from 'node:path';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import { createMediaPolicy, EMBEDDED_ADDRESS } from '../addresses/safe-address.ts';
import { createBackendClient } from '../backend/backend-client.ts';
import { guardClient } from '../backend/guarded-client.ts';
import { requestHeaders } from '../http/request/request-scope.ts';
import { createMedia } from '../media/create-media.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { createCompilePool } from '../rich-text/compiling/compile-pool.ts';
import { tracedClient } from '../tracing/traced-parts.ts';
import type { SiteOptions } from './options.ts';
import type { Storage } from './storage.ts';

export type Backend = ReturnType<typeof openBackend>;

export function openBackend(
  options: SiteOptions,
  storage: Storage,
  metrics: Metrics,
  { palette }: Pick<BuildManifest, 'palette'>,
) {
  const { config, log, contentBaseUrl, distDir, tracing, overrides = {} } = options;
  const { contentTimeoutMs: timeoutMs, contentPublicUrl, mediaOrigins, embedProviders } = config;
  const plainClient = createBackendClient({
    baseUrl: contentBaseUrl,
    token: config.contentToken,
    headers: config.contentHeaders,
    headersOfCall: () => ({ ...requestHeaders(), ...tracing?.headers() }),
    timeoutMs,
  });
  const client = tracing ? tracedClient(plainClient, tracing) : plainClient;
  const isEmbedded = options.backendName !== undefined;
  const policy = {
    contentBaseUrl: isEmbedded ? EMBEDDED_ADDRESS : contentBaseUrl,
    contentPublicUrl,
    mediaOrigins,
  };
  const { mediaAddress } = createMediaPolicy(policy);
  const { backendFolder, disk, invalidationLog } = storage;
  const dir = backendFolder.dir;
  const media = createMedia({
    client,
    mediaOrigins,
    timeoutMs,
    dir,
    distDir,
    palette,
    metrics,
    log,
    disk,
    invalidationLog,
    renditionWaitMs: overrides.renditionWaitMs,
  });
  const backend = guardClient(client, timeoutMs, log);
  const compilePool =
    overrides.compilePool ?? createCompilePool({ file: path.join(distDir, 'server/compile-worker.js') });
  return {
    ...media,
    isEmbedded,
    backend,
    backendBreaker: backend.breaker,
    mediaAddress,
    compilePool,
    decoding: {
      mediaAddress,
      noteMedia: media.namedMedia.note,
      media: { ...policy, embedProviders },
      withVersion: media.fileVersions.withVersion,
      compileText: compilePool.compile,
      sizeOf: media.sizeOf,
    },
    addressing: {
      publicOrigin: config.publicOrigin,
      redirectHosts: config.redirectHosts,
      siteLocale: config.siteLocale,
    },
  };
}
