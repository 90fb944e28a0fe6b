import type { PageComponents } from '../../shared/app-routes.tsx';
import type { RouteMiddlewareRegistry } from '../../shared/routing/route-middleware.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';
import type { WriteFileAtomically } from '../cache/disk/write-file-atomically.ts';
import type { Config } from '../config/config.ts';
import type { ContentApi } from '../content/requests/content-api.ts';
import type { EditFile } from '../embedded-cms/folder/edit-folder.ts';
import type { SitemapLimits } from '../endpoints/sitemap.ts';
import type { ExternalLinksOptions } from '../links/external-links.ts';
import type { RouteContents } from '../loading/loader.ts';
import type { ProcessLogger } from '../ops/log.ts';
import type { OutboxOptions } from '../outbox/outbox.ts';
import type { QueueLink } from '../outbox/queue/queue-link.ts';
import type { CompilePool } from '../rich-text/compiling/compile-pool.ts';
import type { OtelTracing } from '../tracing/otel-tracing.ts';

export interface SiteOptions {
  readonly config: Config;
  readonly log: ProcessLogger;
  readonly contentBaseUrl: string;
  /** The name of the embedded backend, whose address changes with each start. */
  readonly backendName?: string | undefined;
  readonly fileOf?: ((id: string) => string | null) | undefined;
  readonly edit?: EditFile | undefined;
  readonly distDir: string;
  readonly pages: PageComponents;
  readonly contents: RouteContents;
  /** The queue that replicas share. Without it each process delivers the messages of its own data folder. */
  readonly queue?: QueueLink | null | undefined;
  readonly tracing?: OtelTracing | null | undefined;
  readonly overrides?: SiteOverrides;
}

export interface SiteOverrides {
  routes?: readonly RouteDefinition[];
  middleware?: RouteMiddlewareRegistry;
  pages?: PageComponents;
  renderTimeoutMs?: number;
  /** Writes files. A test passes a function that fails as on a full disk. */
  writeFileAtomically?: WriteFileAtomically;
  retryFailedMs?: number;
  outbox?: Pick<OutboxOptions, 'pace' | 'maxWaiting'>;
  sitemapLimits?: SitemapLimits;
  requestDeadlineMs?: number;
  renditionWaitMs?: number;
  invalidatedWaitMs?: number;
  maxRenderWaitMs?: number;
  maxLoopDelayMs?: number;
  /** Replaces the network for links to other sites, and the pause between two visits, in ms. */
  externalLinks?: Pick<ExternalLinksOptions, 'network' | 'visitEveryMs'>;
  holdLinesMs?: number;
  eventLoopDelayMs?: () => number;
  /** The compile threads. All sites in a test process share them. */
  compilePool?: CompilePool;
  contentApi?: (api: ContentApi) => ContentApi;
  lossHoldMs?: number;
}
