import { expect, test } from 'vitest';
import { entryEvent, sendWebhook, startEditableBackend } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const NEW = 'Only after the edit';

const it = test
  .extend('backend', async ({}, { onCleanup }) => {
    const backend = await startEditableBackend();
    onCleanup(() => backend.close());
    return backend;
  })
  /** A site whose content is stale at once, and whose calls may outlast a test. */
  .extend('site', async ({ backend }, { onCleanup }) => {
    const site = await startSite({
      contentBaseUrl: backend.url,
      env: { WEBHOOK_SECRET: SECRET, CONTENT_TTL_MS: '20', CONTENT_TIMEOUT_MS: '60000' },
    });
    onCleanup(() => site.close());
    return site;
  })
  .extend(
    'about',
    async ({ site }) =>
      () =>
        sendRequest(site.url, '/about', { headers: AS_BROWSER }),
  )
  /** Changes the page, and sends the event of its publication. */
  .extend('publish', async ({ backend, site }) => async () => {
    const row = backend.row('page', 'about');
    row.attributes = { ...row.attributes, h1: NEW };
    const answer = await sendWebhook(site.url, SECRET, entryEvent('entry.publish', 'page', row));
    expect(answer.status).toBe(200);
  });

it.for(['/api/pages', '/api/settings'])(
  'a published page does not wait for a call to %s that an outage left unanswered',
  async (api, { backend, about, publish }) => {
    await about();
    const held = heldAnswer(() => ({}));
    backend.on(api, held.behaviour);
    await eventually(async () => {
      await about();
      expect(held.waiting()).toBeGreaterThan(0);
    });
    backend.reset();
    await publish();
    await eventually(async () => expect((await about()).text.includes(NEW)).toBe(true));
    expect(held.waiting(), 'the old calls still have no answer').toBeGreaterThan(0);
  },
);
