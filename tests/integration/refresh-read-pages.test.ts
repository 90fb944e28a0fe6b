import { expect, test } from 'vitest';
import { entryEvent, sendWebhook, startEditableBackend } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { askOps, type CacheListing, SECRET, TOKEN } from '../support/invalidation-test.ts';
import { payloadPath } from '../support/payload-path.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

const ORIGIN = 'https://www.example.com';

/** Starts a site whose content stays fresh for longer than a test takes, and which makes stale pages again whatever its event loop does. */
const it = test.extend('stage', async ({}, { onCleanup }) => {
  const backend = await startEditableBackend();
  const site = await startSite({
    contentBaseUrl: backend.url,
    env: { PUBLIC_URL: ORIGIN, WEBHOOK_SECRET: SECRET, OPS_TOKEN: TOKEN, CONTENT_TTL_MS: '3600000' },
    overrides: { maxRefreshDelayMs: Number.POSITIVE_INFINITY },
  });
  onCleanup(async () => {
    await site.close();
    await backend.close();
  });
  const get = (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });
  return {
    backend,
    get,
    publish: (slug: string) =>
      sendWebhook(site.url, SECRET, entryEvent('entry.publish', 'page', backend.row('page', slug))),
    /** Whether the stored pages of some addresses are fresh. */
    async areFresh(keys: readonly string[]) {
      const { entries } = (await askOps(site.opsUrl, 'GET', '/cache', TOKEN)).json<CacheListing>();
      return keys.map(key => entries.find(entry => entry.key === key)?.fresh);
    },
  };
});

it('pages that an event has made stale are made again without a request', async ({ stage }) => {
  const { backend, get, publish, areFresh } = stage;
  const addresses = ['/about', payloadPath('/about')];
  for (const address of addresses) {
    await get(address);
    await get(address);
  }
  const row = backend.row('page', 'about');
  row.attributes = { ...row.attributes, h1: 'Only after the edit' };
  expect((await publish('about')).status).toBe(200);
  await eventually(async () =>
    expect(await areFresh([`page ${ORIGIN}/about`, `payload ${ORIGIN}/about`])).toEqual([true, true]),
  );
  const calls = backend.calls.length;
  for (const address of addresses) expect((await get(address)).text).toContain('Only after the edit');
  expect(backend.calls).toHaveLength(calls);
});
