import type { PageComponents } from '../../shared/app-routes.tsx';
import type { RouteMiddlewareRegistry } from '../../shared/routing/route-middleware.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';
import type { WriteFileAtomically } from '../cache/disk/write-file-atomically.ts';
import type { Config } from '../config/config.ts';
import type { ContentApi } from '../content/requests/content-api.ts';
import type { SitemapLimits } from '../endpoints/sitemap-limits.ts';
import type { RouteContents } from '../loading/loader.ts';
import type { ProcessLogger } from '../ops/log.ts';
import type { OutboxOptions } from '../outbox/outbox.ts';
import type { QueueLink } from '../outbox/queue/queue-link.ts';
import type { CompilePool } from '../rich-text/compiling/compile-pool.ts';

export interface SiteOptions {
  readonly config: Config;
  readonly log: ProcessLogger;
  /** The configured address, or the embedded backend's. */
  readonly contentBaseUrl: string;
  /** The embedded backend's name: its address differs with each start. */
  readonly backendName?: string | undefined;
  /** Names the file of an entry's id, for an embedded backend. */
  readonly fileOf?: ((id: string) => string | null) | undefined;
  readonly distDir: string;
  readonly pages: PageComponents;
  readonly contents: RouteContents;
  /** Without it each process delivers the messages of its own folder. */
  readonly queue?: QueueLink | null | undefined;
  readonly overrides?: SiteOverrides;
}

export interface SiteOverrides {
  routes?: readonly RouteDefinition[];
  middleware?: RouteMiddlewareRegistry;
  pages?: PageComponents;
  renderTimeoutMs?: number;
  /** A test makes it fail as a full disk does. */
  writeFileAtomically?: WriteFileAtomically;
  /** For content that failed after the start-up, and for the search index, in ms. */
  retryFailedMs?: number;
  outbox?: Pick<OutboxOptions, 'pace' | 'maxWaiting'>;
  sitemapLimits?: SitemapLimits;
  requestDeadlineMs?: number;
  /** ms. */
  maxRenderWaitMs?: number;
  /** ms. */
  maxLoopDelayMs?: number;
  /** ms. */
  holdLinesMs?: number;
  /** For pages that a change has made stale, in ms. */
  eventLoopDelayMs?: () => number;
  /** All sites of a test's process share them. */
  compilePool?: CompilePool;
  /** Wraps the content API, for example with another decoder. */
  contentApi?: (api: ContentApi) => ContentApi;
  /** How long a type's loss of entries is not accepted, in ms. */
  lossHoldMs?: number;
}
