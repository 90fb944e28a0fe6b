import type { PageComponents } from '../shared/app-routes.tsx';
import type { BuildManifest } from '../shared/build-manifest.ts';
import type { RouteMiddlewareRegistry } from '../shared/route-middleware/registry.ts';
import type { RouteDefinition } from '../shared/routes.ts';
import type { Config } from './config.ts';
import type { BackendClient } from './content/backend-client.ts';
import type { ContentSource } from './content/content-reader.ts';
import type { MediaStore } from './content/media-store.ts';
import type { StartUp } from './content/start-up.ts';
import type { KeptAssets } from './kept-assets.ts';
import type { Logger } from './log.ts';
import type { RenderPage } from './render/render-page.tsx';

/** What the steps of a request work with: one object a process, made by `create-site.ts`. */
export interface Site {
  readonly config: Config;
  readonly log: Logger;
  readonly distDir: string;
  readonly manifest: BuildManifest;
  readonly keptAssets: KeptAssets;
  readonly routes: readonly RouteDefinition[];
  readonly middleware: RouteMiddlewareRegistry;
  readonly backend: BackendClient;
  readonly content: ContentSource;
  readonly media: MediaStore;
  readonly startUp: StartUp;
  readonly renderPage: RenderPage;
  readonly renderTimeoutMs: number;
}

/** What a test may replace. */
export interface SiteOverrides {
  routes?: readonly RouteDefinition[];
  middleware?: RouteMiddlewareRegistry;
  pages?: PageComponents;
  renderTimeoutMs?: number;
}
