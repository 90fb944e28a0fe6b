import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { siteTest } from './site-test.ts';
import { type RunningSite, type StartSiteOptions, startSite } from './start-site.ts';

export const SEND = '/api/email/send';

/** @returns a new message for each call. The server treats equal texts from one address as one message. */
export const words = () => ({
  form: 'contact',
  name: 'Ada Byron',
  email: 'ada@example.com',
  message: `Two lines,\nof text ${randomUUID()}.`,
});

/**
 * Gives each test file a site with a high rate limit, and each test the messages that the backend received.
 */
export const formTest = siteTest
  // All tests post from one address, so the usual limit would refuse them.
  .extend('siteEnv', { scope: 'file' }, { FORM_RATE_LIMIT: '10000' })
  .extend(
    'received',
    async ({ backend }) =>
      () =>
        backend.callsTo(SEND),
  )
  .extend(
    'bodies',
    async ({ received }) =>
      () =>
        received().map(({ body }): unknown => JSON.parse(body)),
  )
  /** Resolves when no message waits for its delivery. */
  .extend('quiet', async ({ site }) => (of: RunningSite = site) => {
    return eventually(() => expect(of.site.outbox.state.waiting).toBe(0));
  })
  /** Starts another site, calls `use` with it and stops it. */
  .extend('withSite', async ({ backend }) => {
    return async (
      options: Omit<StartSiteOptions, 'contentBaseUrl'>,
      use: (site: RunningSite) => unknown,
    ): Promise<void> => {
      const other = await startSite({ contentBaseUrl: backend.url, ...options });
      try {
        await use(other);
      } finally {
        await other.close();
      }
    };
  });
