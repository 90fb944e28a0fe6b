import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  type EmbeddedBackend,
  startEmbeddedBackend,
} from '../../server/embedded-backend/start-embedded-backend.ts';
import { pathTo, type RouteId } from '../../shared/routes.ts';
import { type RunningSite, type StartSiteOptions, startSite } from './start-site.ts';

/** A page of the sample content for each route. */
export const SAMPLE_PATHS: Readonly<Record<RouteId, string>> = {
  home: pathTo('home', {}),
  page: pathTo('page', { slug: 'about' }),
  blog: pathTo('blog', {}),
  'blog-category': pathTo('blog-category', { category: 'guides' }),
  'blog-article': pathTo('blog-article', { category: 'guides', slug: 'reading-a-fee-statement' }),
  'business-solution': pathTo('business-solution', { slug: 'payouts' }),
  commerce: pathTo('commerce', { slug: 'marketplaces' }),
};

export interface SampleSite extends RunningSite {
  backend: EmbeddedBackend;
}

/** Starts the site against the embedded backend and its sample content. */
export async function startSampleSite(
  options: Omit<StartSiteOptions, 'contentBaseUrl'> = {},
): Promise<SampleSite> {
  const mailDir = await mkdtemp(path.join(os.tmpdir(), 'mail-'));
  const contentDir = path.resolve(import.meta.dirname, '../../content');
  const backend = await startEmbeddedBackend({ contentDir, mailDir });
  const site = await startSite({ ...options, contentBaseUrl: backend.url });
  return {
    ...site,
    backend,
    async close() {
      await site.close();
      await backend.close();
      await rm(mailDir, { recursive: true, force: true });
    },
  };
}
