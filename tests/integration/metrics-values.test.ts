import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect } from 'vitest';
import { type BuiltSite, type BuiltSiteOptions, startBuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';
import { failing, recorded, sendJson } from '../support/fake-backend.ts';
import { PREVIEW_ENV, SECRET } from '../support/preview-test.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';

const OPS_TOKEN = 'a-token-of-the-operators';

/** Gives each test a built site, because only the process knows its connections. */
const it = backendTest.extend('startBuilt', async ({ backend }, { onCleanup }) => {
  const sites: BuiltSite[] = [];
  onCleanup(async () => {
    for (const site of sites) await site.dispose();
  });
  return async (env: BuiltSiteOptions['env'] = {}) => {
    const site = await startBuiltSite({ contentBaseUrl: backend.url, env });
    sites.push(site);
    return site;
  };
});

/** @returns the values of a metric by their labels. */
async function valuesOf({ opsUrl }: BuiltSite, name: string): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${OPS_TOKEN}` };
  const { text } = await sendRequest(opsUrl, '/metrics', { headers });
  const lines = text
    .split('\n')
    .filter(line => line.startsWith(name) && /^[{ ]/.test(line.slice(name.length)));
  return Object.fromEntries(
    lines.map(line => {
      const end = line.lastIndexOf(' ');
      const labels = [...line.slice(0, end).matchAll(/\w+="([^"]*)"/g)].map(([, value]) => value);
      return [labels.join(' '), Number(line.slice(end))];
    }),
  );
}

describe('the value of a metric', () => {
  it('open connections are counted by port, beside their bound', async ({ startBuilt }) => {
    const site = await startBuilt();
    const max = await valuesOf(site, 'site_connections_max');
    expect(max.site).toBeGreaterThan(max.ops ?? Number.POSITIVE_INFINITY);
    const before = (await valuesOf(site, 'site_connections')).site ?? 0;
    const sockets: Socket[] = [];
    for (let index = 0; index < 3; index += 1) {
      const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
      await once(socket, 'connect');
      sockets.push(socket);
    }
    const open = async () => (await valuesOf(site, 'site_connections')).site;
    await eventually(async () => expect(await open()).toBe(before + 3));
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect(await open()).toBe(before));
  });

  it('requests in flight are counted while the CMS has not answered', async ({ backend, startBuilt }) => {
    const site = await startBuilt();
    const inFlight = async () => (await valuesOf(site, 'http_server_active_requests'))[''];
    const release = Promise.withResolvers<void>();
    backend.on('/api/pages', async (_req, res) => {
      await release.promise;
      failing(500)(_req, res);
    });
    // The scrape itself is a request to the ops port, and is not counted here.
    expect(await inFlight()).toBe(0);
    const answers = ['/about', '/terms'].map(path => sendRequest(site.url, path, { headers: AS_BROWSER }));
    await eventually(async () => expect(await inFlight()).toBe(2));
    release.resolve();
    await Promise.all(answers);
    await eventually(async () => expect(await inFlight()).toBe(0));
  });

  it('previews are counted by outcome, and uses of PREVIEW_TOKEN', async ({ backend, startBuilt }) => {
    const site = await startBuilt({ ...PREVIEW_ENV, PUBLIC_URL: 'https://www.example.com', OPS_TOKEN });
    const begin = (secret: string) =>
      sendRequest(
        site.url,
        `/api/preview?${new URLSearchParams({ secret, status: 'draft', url: '/about' })}`,
        {
          headers: AS_BROWSER,
        },
      );
    const { status, headers } = await begin(SECRET);
    expect(status).toBe(307);
    expect((await begin('another-secret-of-more-than-32-characters')).status).not.toBe(307);
    expect(await valuesOf(site, 'site_previews_total')).toEqual({ opened: 1, refused: 1, failed: 0 });
    const [cookie = ''] = String(headers['set-cookie']).split(';', 1);
    const look = () => sendRequest(site.url, '/about', { headers: { ...AS_BROWSER, cookie } });
    const uses = async () => {
      const values = await valuesOf(site, 'site_secret_uses_total');
      return ['used', 'refused'].map(outcome => values[`PREVIEW_TOKEN ${outcome}`] ?? Number.NaN);
    };
    expect(await uses()).toEqual([0, 0]);
    expect((await look()).status).toBe(200);
    expect(await uses()).toEqual([expect.any(Number), 0]);
    expect((await uses())[0]).toBeGreaterThan(0);
    // The process itself reads pages, too, with another token.
    const refuse = failing(401, 'UnauthorizedError');
    backend.on('/api/pages', (req, res) => {
      if (req.headers.authorization === `Bearer ${PREVIEW_ENV.PREVIEW_TOKEN}`) refuse(req, res);
      else sendJson(res, 200, recorded('v5-as-v4', new URL(req.url ?? '/', backend.url)));
    });
    await look();
    expect((await uses())[1]).toBeGreaterThan(0);
    // A refused PREVIEW_TOKEN is no refusal of CONTENT_TOKEN.
    expect((await valuesOf(site, 'site_backend_calls_total'))['pages 401']).toBe(0);
  });

  it('the findings of the doctor are counted by grade', async ({ backend, startBuilt }) => {
    backend.on('/api/articles', failing(403, 'ForbiddenError'));
    const site = await startBuilt({ OPS_TOKEN });
    const headers = { authorization: `Bearer ${OPS_TOKEN}` };
    const fields = new URLSearchParams({ action: 'examine', target: '', confirmed: 'yes' });
    const pressed = await sendRequest(site.opsUrl, '/act', {
      method: 'POST',
      headers: { ...headers, origin: site.opsUrl, 'content-type': 'application/x-www-form-urlencoded' },
      body: fields.toString(),
    });
    expect(pressed.status).toBe(303);
    const { findings } = await eventually(async () => {
      const { status, text } = await sendRequest(site.opsUrl, '/doctor', { headers });
      expect(status).toBe(200);
      return JSON.parse(text) as { findings: { severity: string; mayStay?: boolean }[] };
    });
    const grades = Object.groupBy(findings, ({ severity, mayStay }) => (mayStay ? 'may-stay' : severity));
    expect(grades.error?.length).toBeGreaterThan(0);
    expect(await valuesOf(site, 'site_doctor_findings')).toEqual({
      error: grades.error?.length ?? 0,
      warning: grades.warning?.length ?? 0,
      'may-stay': grades['may-stay']?.length ?? 0,
    });
  });
});
