import type { PageComponents } from '../shared/app-routes.tsx';
import type { BuildManifest } from '../shared/payload/build-manifest.ts';
import type { RouteMiddlewareRegistry } from '../shared/routing/middleware/route-middleware.ts';
import type { RouteDefinition } from '../shared/routing/routes.ts';
import type { EarlierBuilds } from './assets/earlier-builds.ts';
import type { Breaker } from './backend/breaker.ts';
import type { BackendFolder } from './cache/backend-folder.ts';
import type { DiskHealth } from './cache/disk-health.ts';
import type { Invalidation } from './cache/invalidation.ts';
import type { WriteFileAtomically } from './cache/write-file-atomically.ts';
import type { CdnPurger } from './cdn/cdn-purger.ts';
import type { Config } from './config.ts';
import type { ContentSource } from './content/collecting-reader.ts';
import type { ContentApi } from './content/content-api.ts';
import type { ContentChanges } from './content/content-changes.ts';
import type { BackendState, ContentStates } from './content/content-states.ts';
import type { ProblemLog } from './content/decode/problem-log.ts';
import type { LossCommands } from './content/losses/loss-commands.ts';
import type { CompilePool } from './content/rich-text/compile-pool.ts';
import type { MediaPolicy } from './content/safe-address.ts';
import type { LanguageOf } from './content/site-language.ts';
import type { StartUp } from './content/start-up.ts';
import type { ContentSweep } from './content/sweep/content-sweep.ts';
import type { Doctor } from './doctor/doctor.ts';
import type { SitemapLimits } from './endpoints/sitemap-limits.ts';
import type { WebhookOutcomes } from './endpoints/webhook-outcomes.ts';
import type { FileVersions } from './media/file-versions.ts';
import type { ImageRenditions } from './media/image-renditions.ts';
import type { MediaOrigins } from './media/media-origins.ts';
import type { MediaStore } from './media/media-store.ts';
import type { PageCards, ShareCards } from './media/share-cards.ts';
import type { ProcessLogger } from './ops/log.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Readiness } from './ops/readiness.ts';
import type { RequestLines } from './ops/request-lines.ts';
import type { Turn } from './ops/turns.ts';
import type { Outbox, OutboxOptions } from './outbox/outbox.ts';
import type { FindNearestPages } from './page/nearest-pages.ts';
import type { Preview } from './page/preview.ts';
import type { LoadRedirects } from './page/redirect-table.ts';
import type { RenderQueue } from './page/render-queue.ts';
import type { PageCache } from './page-cache/page-cache.ts';
import type { PurgeSharing } from './purges/purge-sharing.ts';
import type { ErrorPages } from './render/error-pages.ts';
import type { ShownPreview } from './render/preview-bar.ts';
import type { RenderPage } from './render/render-page.tsx';
import type { ReadSettingsInDocument } from './render/settings-in-document.ts';
import type { Search } from './search/search.ts';
import type { Replicas } from './shared-state/replicas.ts';
import type { SharedStore } from './shared-state/shared-store.ts';

/** The parts of the site, created by `create-site.ts`. A function declares the parts that it uses by `Pick`. */
export interface Site {
  readonly config: Config;
  readonly log: ProcessLogger;
  readonly distDir: string;
  readonly manifest: BuildManifest;
  readonly earlierBuilds: EarlierBuilds;
  readonly routes: readonly RouteDefinition[];
  readonly middleware: RouteMiddlewareRegistry;
  readonly securityHeaders: readonly (readonly [name: string, value: string])[];
  readonly backendBreaker: Breaker;
  /** The servers that media come from. */
  readonly mediaOrigins: MediaOrigins;
  /** The folder of the content backend in the data folder. */
  readonly backendFolder: BackendFolder;
  /** Whether the data folder can be written. */
  readonly diskHealth: DiskHealth;
  readonly contentStates: ContentStates;
  /** The state of the backend: `down` while it gives no answers, else the worst state of its content. */
  readonly backendState: () => BackendState;
  /** Invalidates tags in all caches, or removes their entries. */
  readonly invalidation: Invalidation;
  /** Applies the backend's events. */
  /** Resolves when the invalidations so far are on disk, or after half a second. */
  invalidationsSaved(): Promise<void>;
  readonly contentChanges: ContentChanges;
  /** Makes the pages that a change has made stale, those that were read most first, in each replica. */
  readonly refreshPages: () => void;
  /** Tells other replicas of changes. */
  readonly purges: PurgeSharing;
  /** Begins to do what other replicas tell. Resolves when what they have told so far is done; the content of the disk must not be loaded before. */
  readonly followPurges: () => Promise<void>;
  /** Finds changes of which no event has told. */
  readonly contentSweep: ContentSweep;
  /** Loads the content of the sitemap's addresses. `progress`: how many have it, such as `12 of 60`, or `60 of 60, done`. */
  readonly contentWarming: { readonly progress: string; begin(): void; stop(): void };
  /** The commands of operators for a content type that was emptied. */
  readonly lossCommands: LossCommands;
  /** The replicas that share the store; null without SHARED_URL. */
  readonly replicas: Replicas | null;
  /** The store that replicas share; null without SHARED_URL. */
  readonly shared: SharedStore | null;
  readonly pages: PageCache;
  /** The answers of the search, as pages. Visitors may ask for any number of them, so they have a bound of their own. */
  readonly searchPages: PageCache;
  readonly search: Search;
  readonly metrics: Metrics;
  readonly requestLines: RequestLines;
  readonly content: ContentSource;
  /** The threads that compile rich text. */
  readonly compilePool: CompilePool;
  /** The preview of drafts; null where it is not configured. */
  readonly preview: Preview | null;
  /** The preview that pages show as such; null for public pages (`server/page/preview-site.ts`). */
  readonly shownPreview: ShownPreview | null;
  readonly webhookOutcomes: WebhookOutcomes;
  /** Purges the caches in front; null without CDN_PURGE. */
  readonly cdnPurger: CdnPurger | null;
  /** The problems of the content that is served now. */
  readonly problems: ProblemLog;
  readonly media: MediaStore;
  readonly fileVersions: FileVersions;
  readonly mediaAddress: MediaPolicy['mediaAddress'];
  readonly images: ImageRenditions;
  /** The pictures of shared links that the site draws. */
  readonly shareCards: ShareCards;
  readonly pageCards: PageCards;
  readonly outbox: Outbox;
  /** Examines the backend behind the start. */
  readonly doctor: Doctor;
  readonly startUp: StartUp;
  readonly readiness: Readiness;
  readonly loadRedirects: LoadRedirects;
  readonly nearestPages: FindNearestPages;
  readonly languageOf: LanguageOf;
  readonly renderPage: RenderPage;
  readonly errorPages: ErrorPages;
  readonly settingsInDocument: ReadSettingsInDocument;
  /** The `Link` header of every page. */
  readonly preloadLinks: string;
  /** The queue of pages that are not stored. */
  readonly renderQueue: RenderQueue;
  /** The queue of stored pages that are generated anew. It is a queue of its own, so that neither of the two holds up the other. */
  readonly revalidationQueue: RenderQueue;
  /** The queue of pages that answer a form post. */
  readonly formQueue: RenderQueue;
  /** Divides the renders among the turns of the event loop. */
  readonly renderTurn: Turn;
  /** Whether the event loop is so late that no page is begun that is not stored. */
  readonly isLate: () => boolean;
  readonly renderTimeoutMs: number;
  readonly requestDeadlineMs: number;
  readonly sitemapLimits: SitemapLimits;
  readonly servesHost: (host: string) => boolean;
  /** Ends what goes on without a request. */
  stop(): void;
  /** Resolves when all pages, content and invalidations are written to the disk. */
  settled(): Promise<void>;
}

/** The parts that a test may replace. */
export interface SiteOverrides {
  routes?: readonly RouteDefinition[];
  middleware?: RouteMiddlewareRegistry;
  pages?: PageComponents;
  renderTimeoutMs?: number;
  /** Writes the messages of the outbox. A test makes it fail as a full disk does. */
  writeFileAtomically?: WriteFileAtomically;
  /** The pause between two attempts to load content that failed after the start-up, or to use the index of the search, in ms. */
  retryFailedMs?: number;
  outbox?: Pick<OutboxOptions, 'pace' | 'maxWaiting'>;
  sitemapLimits?: SitemapLimits;
  requestDeadlineMs?: number;
  /** How long a page that is not stored may wait for a place, in ms. */
  maxRenderWaitMs?: number;
  /** How late the event loop may be while pages that are not stored are begun, in ms. */
  maxLoopDelayMs?: number;
  /** How long the line about a content type waits for the failures of others, in ms. */
  holdLinesMs?: number;
  /** How late the event loop is, in ms, for the pages that a change has made stale. The rule for them has a bound of its own. */
  eventLoopDelayMs?: () => number;
  /** The threads that compile rich text. All sites of a test's process share them. */
  compilePool?: CompilePool;
  /** Wraps the content API, for example with another decoder. */
  contentApi?: (api: ContentApi) => ContentApi;
  /** How long the loss of a type's entries is not believed, in ms. */
  lossHoldMs?: number;
}
