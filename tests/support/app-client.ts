import supertest from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { startSampleBackend } from './sample-site.ts';
import { type AssembledSite, assembleSite, type StartSiteOptions } from './start-site.ts';

/** A site whose request listeners supertest calls, for tests without a port. */
export interface AppClient extends Pick<AssembledSite, 'site' | 'log' | 'rawLog' | 'requests' | 'close'> {
  /** Sends requests to the site, such as `await client.get('/about')`. */
  client: TestAgent;
  /** Sends requests to the endpoints of `ops-app.ts`. */
  ops: TestAgent;
}

/** Assembles a site that reads from a backend. */
export async function appClient(options: Omit<StartSiteOptions, 'port' | 'limits'>): Promise<AppClient> {
  const { listener, opsListener, begin, ...assembled } = await assembleSite(options);
  await begin();
  return { ...assembled, client: supertest(listener), ops: supertest(opsListener) };
}

/** Assembles a site that reads the sample content from the embedded backend. */
export async function sampleAppClient(
  options: Omit<StartSiteOptions, 'contentBaseUrl' | 'port' | 'limits'> = {},
): Promise<AppClient> {
  const backend = await startSampleBackend();
  const app = await appClient({ ...options, contentBaseUrl: backend.url });
  return {
    ...app,
    async close() {
      await app.close();
      await backend.close();
    },
  };
}
