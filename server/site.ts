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
import type { Config } from './config.ts';
import type { ContentApi } from './content/content-api.ts';
import type { ContentChanges } from './content/content-changes.ts';
import type { ContentSource } from './content/content-reader.ts';
import type { BackendState, ContentStates } from './content/content-states.ts';
import type { ProblemLog } from './content/decode/problem-log.ts';
import type { MediaPolicy } from './content/safe-address.ts';
import type { StartUp } from './content/start-up.ts';
import type { WebhookOutcomes } from './endpoints/webhook-outcomes.ts';
import type { ImageRenditions } from './media/image-renditions.ts';
import type { MediaStore } from './media/media-store.ts';
import type { ProcessLogger } from './ops/log.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { LoadRedirects } from './page/redirect-table.ts';
import type { RenderSlots } from './page/render-slots.ts';
import type { PageCache } from './page-cache/page-cache.ts';
import type { RenderPage } from './render/render-page.tsx';
import type { ReadSettingsInDocument } from './render/settings-in-document.ts';

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
  readonly contentChanges: ContentChanges;
  readonly pages: PageCache;
  readonly metrics: Metrics;
  readonly content: ContentSource;
  readonly webhookOutcomes: WebhookOutcomes;
  /** The problems of the content that is served now. */
  readonly problems: ProblemLog;
  readonly media: MediaStore;
  readonly mediaAddress: MediaPolicy['mediaAddress'];
  readonly images: ImageRenditions;
  readonly outbox: Outbox;
  readonly startUp: StartUp;
  readonly loadRedirects: LoadRedirects;
  readonly renderPage: RenderPage;
  readonly settingsInDocument: ReadSettingsInDocument;
  /** The `Link` header of every page. */
  readonly preloadLinks: string;
  readonly renderSlots: RenderSlots;
  /** Slots for pages that answer a form post. */
  readonly formSlots: RenderSlots;
  readonly renderTimeoutMs: number;
  readonly requestDeadlineMs: number;
  readonly servesHost: (host: string) => boolean;
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
  requestDeadlineMs?: number;
  /** Wraps the content API, for example with another decoder. */
  contentApi?: (api: ContentApi) => ContentApi;
  /** How long the compression of a page's second encoding may be put off, in ms. */
  maxEncodingWaitMs?: number;
}
