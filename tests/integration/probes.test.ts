import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBE_PATHS } from '../../server/request-listener.ts';
import { eventually } from '../support/eventually.ts';
import { failing, startFakeBackend } from '../support/fake-backend.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

let site: SampleSite;
beforeAll(async () => {
  site = await startSampleSite({ env: { PUBLIC_URL: 'https://www.example.com', TRUST_PROXY: 'loopback' } });
});
afterAll(() => site.close());

describe('a probe on the site’s port', () => {
  it.each([
    ['/livez', 'ok'],
    ['/healthz', 'ok'],
    ['/readyz', 'ready'],
  ])('the probe %s answers "%s" for any host, without a redirect to HTTPS', async (path, word) => {
    for (const headers of [
      { host: 'www.example.com' },
      { host: '10.1.2.3:8080' },
      { host: 'unknown.example' },
      { host: 'www.example.com', 'x-forwarded-proto': 'http' },
    ]) {
      const answer = await sendRequest(site.url, path, { headers });
      expect([headers, answer.status, answer.text]).toEqual([headers, 200, word]);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    }
    const host = 'www.example.com';
    const head = await sendRequest(site.url, path, { method: 'HEAD', headers: { host } });
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(word.length), '']);
    expect((await sendRequest(site.url, path, { method: 'POST', headers: { host } })).status).toBe(405);
  });

  it('a probe is not logged', async () => {
    for (const path of PROBE_PATHS) await sendRequest(site.url, path);
    expect(
      PROBE_PATHS.flatMap(path => site.requests(path)).filter(({ method }) => method !== 'POST'),
    ).toEqual([]);
  });

  it('a probe is a 503 while the process drains, and pages are still answered', async () => {
    const draining = await startSampleSite();
    draining.site.readiness.drain();
    const answer = await sendRequest(draining.url, '/readyz');
    expect([answer.status, answer.text]).toEqual([503, 'draining']);
    for (const path of ['/livez', '/healthz', '/about'])
      expect((await sendRequest(draining.url, path)).status).toBe(200);
    await draining.close();
  });

  it('a probe is a 503 until the start-up has loaded its content', async () => {
    const backend = await startFakeBackend();
    backend.on('/api/settings', failing(500));
    const starting = await startSite({ contentBaseUrl: backend.url, overrides: { retryFailedMs: 20 } });
    const readyz = async () => {
      const { status, text } = await sendRequest(starting.url, '/readyz');
      return [status, text];
    };
    expect(await readyz()).toEqual([503, 'loading']);
    expect((await sendRequest(starting.url, '/livez')).status).toBe(200);
    backend.reset();
    await eventually(async () => expect(await readyz()).toEqual([200, 'ready']));
    await starting.close();
    await backend.close();
  });
});
