import { describe, expect } from 'vitest';
import { entryEvent, sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { h1Of, invalidationTest as it, SECRET } from '../support/invalidation-test.ts';
import { sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const warnings = ({ log }: RunningSite) => log.filter(({ code }) => code === 'webhook-refused');

async function countOf({ opsUrl }: RunningSite, outcome: string): Promise<number> {
  const { text } = await sendRequest(opsUrl, '/metrics');
  return Number(
    new RegExp(`site_webhook_events_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0,
  );
}

const lastEventAt = async ({ opsUrl }: RunningSite) =>
  (await sendRequest(opsUrl, '/readyz')).json<{ webhook: { lastEventAt: string | null } }>().webhook
    .lastEventAt;

describe('the webhook of a site with a public address', () => {
  const event = { event: 'trigger-test' };
  const send = (site: RunningSite, path: string, headers: Record<string, string>) =>
    sendRequest(site.url, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(event),
    });

  it.for(['site.production.svc.cluster.local:3000', '10.0.0.7', 'not_a_host!', '[::1]:80'])(
    'the webhook of a site with PUBLIC_URL answers a call to the host %s',
    async (host, { backend, announce: _announce }) => {
      for (const publicUrl of ['https://www.example.com', undefined]) {
        const env = {
          WEBHOOK_SECRET: SECRET,
          ...(publicUrl ? { PUBLIC_URL: publicUrl, ALLOWED_HOSTS: 'www.example.org' } : {}),
        };
        const site = await startSite({ contentBaseUrl: backend.url, env });
        const bearer = { authorization: `Bearer ${SECRET}` };
        const answer = await send(site, '/webhooks/content', { host, ...bearer });
        expect([answer.status, answer.json()]).toEqual([200, { purged: [] }]);
        expect((await send(site, '/webhooks/content', { host })).status).toBe(401);
        if (publicUrl) {
          expect((await send(site, '/webhooks/content/more', { host, ...bearer })).status).toBe(421);
          expect((await sendRequest(site.url, '/webhooks/content', { headers: { host } })).status).toBe(421);
          expect((await sendRequest(site.url, '/about', { headers: { host } })).status).toBe(421);
        }
        await site.close();
      }
    },
  );
});

describe('an event of the webhook', () => {
  const send = (site: RunningSite, secret: string, event: unknown) => sendWebhook(site.url, secret, event);
  const unknown = (model: string) => ({ event: 'entry.publish', model, entry: { id: 1 } });

  it('a refused webhook event is counted each time, and logged once until an event is accepted', async ({
    backend,
  }) => {
    const site = await startSite({ contentBaseUrl: backend.url, env: { WEBHOOK_SECRET: SECRET } });
    for (let round = 1; round <= 2; round += 1) {
      for (let time = 0; time < 4; time += 1) {
        await send(site, 'wrong', {});
        await send(site, SECRET, 'no JSON');
      }
      expect(await countOf(site, 'wrong-secret')).toBe(4 * round);
      expect(await countOf(site, 'no-event')).toBe(4 * round);
      expect(warnings(site).map(({ level, reason }) => [level, reason])).toEqual(
        Array.from({ length: round }, () => [
          ['warn', 'wrong-secret'],
          ['warn', 'no-event'],
        ]).flat(),
      );
      for (const { remedy } of warnings(site)) expect(remedy).toMatch(/webhook/);
      await send(site, SECRET, { event: 'trigger-test' });
      expect(await countOf(site, 'accepted')).toBe(round);
    }
    expect(JSON.stringify(site.log)).not.toContain(SECRET);
    await site.close();
  });

  it('an event about an unknown model changes nothing, and is logged once for each model', async ({
    backend,
  }) => {
    const site = await startSite({ contentBaseUrl: backend.url, env: { WEBHOOK_SECRET: SECRET } });
    for (const model of ['user', 'user', 'campaign', 'user'])
      expect((await send(site, SECRET, unknown(model))).json()).toEqual({ purged: [] });
    expect(await countOf(site, 'nothing-to-do')).toBe(4);
    expect(
      site.log
        .filter(({ model }) => model !== undefined)
        .map(({ level, code, model }) => [level, code, model]),
    ).toEqual(['user', 'campaign'].map(model => ['info', 'webhook-nothing-to-do', model]));
    expect(warnings(site)).toEqual([]);
    // An event about an unknown model does not make the webhook count as broken.
    expect(await lastEventAt(site)).not.toBeNull();
    await site.close();
  });

  it('an event about a shown entry is applied under any model name, and the log says what to fix', async ({
    backend,
    get,
  }) => {
    const site = await startSite({
      contentBaseUrl: backend.url,
      env: { WEBHOOK_SECRET: SECRET, CONTENT_TTL_MS: '3600000' },
    });
    await get('/about', {}, site.url);
    const row = backend.row('page', 'about');
    row.attributes = { ...row.attributes, h1: 'Known by its entry' };
    for (let times = 0; times < 2; times += 1)
      await send(site, SECRET, { ...entryEvent('entry.publish', 'page', row), model: 'web-page' });
    await eventually(async () => expect(h1Of(await get('/about', {}, site.url))).toBe('Known by its entry'));
    expect(site.log.filter(({ model }) => model === 'web-page')).toMatchObject([
      {
        level: 'warn',
        type: 'pages',
        remedy: expect.stringContaining("API ID (singular) 'page'"),
      },
    ]);
    expect(await countOf(site, 'unknown-model')).toBe(2);
    await site.close();
  });

  it('/readyz shows the time of the last accepted webhook event', async ({ backend, get }) => {
    const site = await startSite({ contentBaseUrl: backend.url, env: { WEBHOOK_SECRET: SECRET } });
    expect(await lastEventAt(site)).toBeNull();
    await send(site, 'wrong', {});
    await send(site, SECRET, 'no JSON');
    expect(await lastEventAt(site)).toBeNull();
    const before = Date.now();
    const answer = await send(
      site,
      SECRET,
      entryEvent('entry.publish', 'page', backend.row('page', 'about')),
    );
    expect(answer.status).toBe(200);
    const at = Date.parse((await lastEventAt(site)) ?? '');
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
    expect(h1Of(await get('/about', {}, site.url))).toBeTruthy();
    await site.close();
  });
});
