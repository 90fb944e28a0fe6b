import { describe, expect } from 'vitest';
import { readsOf } from '../support/reads-of.ts';
import { AS_BROWSER, postForm, sendRequest } from '../support/send-request.ts';
import { siteTest } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

/** Starts a site whose content stays fresh: each read after the first is a hit. */
const it = siteTest.extend('siteEnv', { scope: 'file' }, async () => ({ CONTENT_TTL_MS: '3600000' }));

describe('site_content_reads_total counts the reads of', () => {
  const get = (site: RunningSite, path: string) => () => sendRequest(site.url, path, { headers: AS_BROWSER });

  it.for([
    ['a page', '/about', 200],
    ['the sitemap', '/sitemap.xml', 200],
    ['the feed', '/blog/feed.xml', 200],
    ['a page with thanks for a form post', '/contacts?sent=contact', 200],
    ['a page that does not exist', '/no-such-page', 404],
  ] as const)('site_content_reads_total counts the reads of %s', async ([, path, status], { sample }) => {
    const reads = await readsOf(sample, async () => {
      expect((await get(sample, path)()).status).toBe(status);
    });
    expect((reads.hit ?? 0) + (reads.miss ?? 0)).toBeGreaterThan(0);
  });

  it('site_content_reads_total counts the reads of a form shown again with its errors', async ({
    sample,
  }) => {
    const reads = await readsOf(sample, async () => {
      const answer = await postForm(sample.url, '/api/email/send', { form: 'contact', page: '/contacts' });
      expect(answer.status).toBe(422);
    });
    expect((reads.hit ?? 0) + (reads.miss ?? 0)).toBeGreaterThan(0);
  });

  it('site_content_reads_total counts the reads of an error page, which come from memory', async ({
    sample,
  }) => {
    const reads = await readsOf(sample, async () => {
      const answer = await sendRequest(sample.url, '/about', { method: 'DELETE', headers: AS_BROWSER });
      expect(answer.status).toBe(405);
    });
    expect(reads).toEqual({ peeked: expect.any(Number) });
  });

  it('site_content_reads_total counts nothing for a stored page', async ({ sample }) => {
    await get(sample, '/about')();
    expect(await readsOf(sample, get(sample, '/about'))).toEqual({});
  });
});
