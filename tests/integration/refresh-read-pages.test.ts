import { expect, test } from 'vitest';
import { eventLoopDelayMs } from '../../server/ops/process/process-facts.ts';
import { entryEvent, sendWebhook, startEditableBackend } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { askOps, type CacheListing, SECRET, TOKEN } from '../support/invalidation-test.ts';
import { payloadPath } from '../support/payload-path.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

const ORIGIN = 'https://www.example.com';

/** Starts a site whose content outlasts a test, and whose event loop is as late as `stage.delayMs` says. */
async function startStage() {
  const backend = await startEditableBackend();
  const loop = { delayMs: 0 };
  const site = await startSite({
    contentBaseUrl: backend.url,
    env: { PUBLIC_URL: ORIGIN, WEBHOOK_SECRET: SECRET, OPS_TOKEN: TOKEN, CONTENT_TTL_MS: '3600000' },
    overrides: { eventLoopDelayMs: () => loop.delayMs },
  });
  const get = (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });
  return {
    backend,
    get,
    loop,
    /** Changes a page, and sends its event. */
    async publish(slug: string) {
      const row = backend.row('page', slug);
      row.attributes = { ...row.attributes, h1: 'Only after the edit' };
      const { status } = await sendWebhook(site.url, SECRET, entryEvent('entry.publish', 'page', row));
      expect(status).toBe(200);
    },
    /** @returns whether each of the stored pages is fresh. */
    async areFresh(keys: readonly string[]) {
      const { entries } = (await askOps(site.opsUrl, 'GET', '/cache', TOKEN)).json<CacheListing>();
      return keys.map(key => entries.find(entry => entry.key === key)?.fresh);
    },
    async close() {
      await site.close();
      await backend.close();
    },
  };
}

const it = test.extend('stage', async ({}, { onCleanup }) => {
  const stage = await startStage();
  onCleanup(stage.close);
  return stage;
});

it('pages made stale by an event are revalidated without a request', async ({ stage }) => {
  const { backend, get, publish, areFresh } = stage;
  const addresses = ['/about', payloadPath('/about')];
  for (const address of addresses) {
    await get(address);
    await get(address);
  }
  await publish('about');
  await eventually(async () =>
    expect(await areFresh([`page ${ORIGIN}/about`, `payload ${ORIGIN}/about`])).toEqual([true, true]),
  );
  const calls = backend.calls.length;
  for (const address of addresses) expect((await get(address)).text).toContain('Only after the edit');
  expect(backend.calls).toHaveLength(calls);
});

it('pages made stale by an event are not revalidated while the event loop is over 20 ms late', async ({
  stage,
}) => {
  const { get, publish, areFresh, loop } = stage;
  for (const address of ['/about', '/terms'])
    await eventually(async () => expect((await get(address)).status).toBe(200));
  loop.delayMs = 20.1;
  await publish('about');
  await publish('terms');
  // A page that a visitor requests is revalidated nevertheless.
  await eventually(async () => expect((await get('/terms')).text).toContain('Only after the edit'));
  expect(await areFresh([`page ${ORIGIN}/about`, `page ${ORIGIN}/terms`])).toEqual([false, true]);
  loop.delayMs = 20;
  await eventually(async () => expect(await areFresh([`page ${ORIGIN}/about`])).toEqual([true]));
});

/** Delay of the event loop in ms that a busy machine does not reach. */
const LATE_MS = 60;

it('a blocked event loop is measured as a delay of its timers', async () => {
  let timer = setTimeout(function block() {
    const until = performance.now() + 2 * LATE_MS;
    while (performance.now() < until);
    // The loop can measure during a short break.
    timer = setTimeout(block, 20);
  });
  await eventually(() => expect(eventLoopDelayMs()).toBeGreaterThan(LATE_MS));
  clearTimeout(timer);
  await eventually(() => expect(eventLoopDelayMs()).toBeLessThan(LATE_MS));
});
