import { expect, test } from 'vitest';
import { cacheStatusOf, FRESH_HIT } from './cache-status.ts';
import { entryEvent, type Model, type Row, sendWebhook, startEditableBackend } from './editable-backend.ts';
import { eventually } from './eventually.ts';
import { parsePage } from './parse-page.ts';
import { type Answer, AS_BROWSER, sendRequest } from './send-request.ts';
import { startSite } from './start-site.ts';

export const SECRET = 'a-secret-of-the-backend';
export const TOKEN = 'a-token-of-the-operators';
/** An article of the recorded content. */
export const SPAIN = '/blog/guides/accepting-cards-in-spain';

/** Answer of `GET /cache` on the ops port. */
export interface CacheListing {
  pages: { bytes: number; entries: number };
  /** Negative entries. */
  negativePages: { bytes: number; entries: number };
  entries: { key: string; status: number; ageMs: number; fresh: boolean; bytes: number; tags: string[] }[];
}

export const h1Of = (answer: Answer): string | undefined => parsePage(answer.text).headings[0];

/** Sends a request to the ops port. */
export function askOps(opsUrl: string, method: string, path: string, token?: string): Promise<Answer> {
  return sendRequest(opsUrl, path, { method, headers: token ? { authorization: `Bearer ${token}` } : {} });
}

/**
 * Gives each test file a backend whose entries a test can edit, and a site. The site's content outlasts a
 * test, so only an invalidation changes a page. Each test begins with the recorded content.
 */
export const invalidationTest = test
  .extend('backend', { scope: 'file' }, async ({}, { onCleanup }) => {
    const backend = await startEditableBackend();
    onCleanup(() => backend.close());
    return backend;
  })
  .extend('site', { scope: 'file' }, async ({ backend }, { onCleanup }) => {
    const site = await startSite({
      contentBaseUrl: backend.url,
      env: { WEBHOOK_SECRET: SECRET, OPS_TOKEN: TOKEN, CONTENT_TTL_MS: '3600000' },
    });
    onCleanup(() => site.close());
    return site;
  })
  .extend('get', async ({ site }) => {
    return (path: string, headers: Record<string, string> = {}, base = site.url) =>
      sendRequest(base, path, { headers: { ...AS_BROWSER, ...headers } });
  })
  .extend('ops', async ({ site }) => (method: string, path: string, token?: string) => {
    return askOps(site.opsUrl, method, path, token);
  })
  .extend('listing', async ({ ops }) => async (query = ''): Promise<CacheListing> => {
    return (await ops('GET', `/cache${query}`, TOKEN)).json<CacheListing>();
  })
  /** @returns whether a page has a text, because an expectation on the page would print it when it fails. */
  .extend('shows', async ({ get }) => async (path: string, text: string): Promise<boolean> => {
    return (await get(path)).text.includes(text);
  })
  /** Requests a page until the answer is a fresh hit. */
  .extend('getStored', async ({ get }) => {
    return async (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
      await get(path, headers);
      const answer = await get(path, headers);
      expect(cacheStatusOf(answer)).toMatch(FRESH_HIT);
      return answer;
    };
  })
  /** Sends the event of an edit, as the backend does after it. */
  .extend('announce', async ({ site }) => {
    return async (event: string, model: Model | 'settings', row: Row): Promise<void> => {
      const answer = await sendWebhook(site.url, SECRET, entryEvent(event, model, row));
      expect(answer.status).toBe(200);
    };
  })
  .extend('resetContent', { auto: true }, async ({ backend, ops, shows, get }) => {
    backend.reset();
    await ops('DELETE', '/cache?tag=*', TOKEN);
    await eventually(async () => {
      await acceptLosses(ops);
      expect(await shows('/about', 'About us')).toBe(true);
      expect((await get(SPAIN)).status).toBe(200);
    });
  });

/**
 * Accepts the removal of earlier entries, as an operator does. Otherwise a type that lost half of its entries
 * counts as emptied.
 */
async function acceptLosses(ops: (method: string, path: string, token?: string) => Promise<Answer>) {
  const { contentTypes } = (await ops('GET', '/readyz')).json<{
    contentTypes: Record<string, { state: string }>;
  }>();
  for (const [type, { state }] of Object.entries(contentTypes))
    if (state === 'emptied') await ops('POST', `/cache?accept=${type}`, TOKEN);
}
