import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  type EmbeddedBackend,
  startEmbeddedBackend,
} from '../../server/embedded-cms/start-embedded-backend.ts';
import { type RunningSite, type StartSiteOptions, startSite } from './start-site.ts';

export { CONTENT_PATHS, CONTENT_ROUTES, SAMPLE_PATHS, SAMPLE_ROUTES } from './sample-paths.ts';

import { FIXTURE_CONTENT } from './fixture.ts';

export interface SampleSite extends RunningSite {
  backend: EmbeddedBackend;
}

/** Starts the embedded backend with the sample content. `close` also removes its folder of messages. */
export async function startSampleBackend(): Promise<EmbeddedBackend> {
  const mailDir = await mkdtemp(path.join(os.tmpdir(), 'mail-'));
  const backend = await startEmbeddedBackend({ contentDir: FIXTURE_CONTENT, mailDir });
  return {
    ...backend,
    async close() {
      await backend.close();
      await rm(mailDir, { recursive: true, force: true });
    },
  };
}

/** Starts the site against the embedded backend and its sample content. */
export async function startSampleSite(
  options: Omit<StartSiteOptions, 'contentBaseUrl'> = {},
): Promise<SampleSite> {
  const backend = await startSampleBackend();
  const site = await startSite({ ...options, contentBaseUrl: backend.url });
  return {
    ...site,
    backend,
    async close() {
      await site.close();
      await backend.close();
    },
  };
}
