import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { EVERYTHING } from '../../server/cache/tags/invalidation-log.ts';
import { currentAnswer } from '../support/current-answer.ts';
import {
  type EditableBackend,
  entryEvent,
  type Model,
  sendWebhook,
  startEditableBackend,
} from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { payloadPath } from '../support/payload-path.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const NEW = 'Only after the edit';

const it = test
  .extend('backend', { scope: 'file' }, async ({}, { onCleanup }) => {
    const backend = await startEditableBackend();
    onCleanup(() => backend.close());
    return backend;
  })
  .extend('dataDir', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'race-'));
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return folder;
  })
  /** Starts a process on the test's data folder. Its content outlasts the test. */
  .extend('startProcess', async ({ backend, dataDir }, { onCleanup }) => {
    const ends: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      for (const end of ends) await end();
    });
    return async () => {
      const site = await startSite({
        ...{ contentBaseUrl: backend.url, dataDir },
        env: { PUBLIC_URL: 'https://www.example.com', WEBHOOK_SECRET: SECRET, CONTENT_TTL_MS: '3600000' },
      });
      let isRunning = true;
      const close = async () => {
        if (isRunning) await site.close();
        isRunning = false;
      };
      ends.push(close);
      return { ...site, close };
    };
  })
  .extend('resetBackend', { auto: true }, async ({ backend }) => backend.reset());

/** Makes the backend respond with the rows at the time of the call. */
const rowsOf = (backend: EditableBackend, model: Model) => (req: { url?: string }) =>
  backend.answerNow(model, new URL(req.url ?? '/', 'http://backend').search);

it.for<[name: string, model: Model, api: string, slug: string, field: string, address: string]>([
  [
    'article',
    'article',
    '/api/articles',
    'accepting-cards-in-spain',
    'title',
    '/blog/guides/accepting-cards-in-spain',
  ],
  [
    'category that lists an article',
    'article',
    '/api/articles',
    'accepting-cards-in-spain',
    'title',
    '/blog/guides',
  ],
  ['blog that lists an article', 'article', '/api/articles', 'accepting-cards-in-spain', 'title', '/blog'],
  ['category', 'category', '/api/categories', 'guides', 'h1', '/blog/guides'],
  ['generic page', 'page', '/api/pages', 'about', 'h1', '/about'],
  [
    'solution',
    'business-solution',
    '/api/business-solutions',
    'payouts',
    'title',
    '/business-solutions/payouts',
  ],
])(
  'an event during a render from old content leaves no outdated page: %s',
  async ([, model, api, slug, field, address], { backend, startProcess }) => {
    for (const form of [address, payloadPath(address)]) {
      backend.reset();
      const site = await startProcess();
      await currentAnswer(site.url, form);
      // The content is in memory, and is loading again when the edit arrives.
      site.site.invalidation.invalidate([EVERYTHING]);
      const held = heldAnswer(rowsOf(backend, model));
      backend.on(api, held.behaviour);
      const early = sendRequest(site.url, form, { headers: AS_BROWSER });
      await eventually(() => expect(held.waiting()).toBeGreaterThan(0));
      const row = backend.row(model, slug);
      row.attributes = { ...row.attributes, [field]: NEW };
      const live = heldAnswer(rowsOf(backend, model));
      live.release();
      backend.on(api, live.behaviour);
      const invalidate = vi.spyOn(site.site.invalidation, 'invalidate');
      const announced = sendWebhook(site.url, SECRET, entryEvent('entry.publish', model, row));
      await eventually(() => expect(invalidate).toHaveBeenCalled());
      held.release();
      expect((await early).text.includes(NEW)).toBe(false);
      expect((await announced).status).toBe(200);
      expect((await currentAnswer(site.url, form)).text.includes(NEW)).toBe(true);
      await site.close();
      const next = await startProcess();
      expect((await currentAnswer(next.url, form)).text.includes(NEW), 'from disk').toBe(true);
      await next.close();
    }
  },
);
