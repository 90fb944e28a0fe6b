import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect } from 'vitest';
import { createHttpServer } from '../../server/http/http-server.ts';
import type { Readiness } from '../../server/ops/readiness.ts';
import { createOpsApp } from '../../server/ops-app.ts';
import { cacheStatusOf, FRESH_HIT } from '../support/cache-status.ts';
import { eventually } from '../support/eventually.ts';
import { askOps, h1Of, invalidationTest as it, SECRET, SPAIN, TOKEN } from '../support/invalidation-test.ts';
import { close, listen } from '../support/listen.ts';
import { sendRequest } from '../support/send-request.ts';
import { assembleSite, startSite } from '../support/start-site.ts';

describe('the operators’ port', () => {
  it('/cache on the ops port requires the token, and does not exist without a configured token', async ({
    backend,
    ops,
  }) => {
    for (const method of ['GET', 'DELETE']) {
      for (const token of [undefined, 'wrong', SECRET]) {
        const answer = await ops(method, '/cache?tag=*', token);
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      }
    }
    const bare = await startSite({ contentBaseUrl: backend.url });
    for (const method of ['GET', 'DELETE'])
      expect((await askOps(bare.opsUrl, method, '/cache?tag=*', TOKEN)).status).toBe(404);
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await askOps(bare.opsUrl, 'GET', path)).status).toBe(200);
    await bare.close();
  });

  it('the ops port shows metrics to this machine, and to other machines only with the token', async ({
    backend,
  }) => {
    const addresses = Object.values(networkInterfaces()).flatMap(found => found ?? []);
    const { address } = addresses.find(({ internal, family }) => !internal && family === 'IPv4') ?? {};
    if (address === undefined) throw new Error('This machine has no address of its own in a network');
    for (const env of [{}, { OPS_TOKEN: TOKEN }] as const) {
      const assembled = await assembleSite({ contentBaseUrl: backend.url, env: { ...env } });
      const server = createHttpServer(assembled.opsListener);
      await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve));
      const { port } = server.address() as AddressInfo;
      const statuses = async (host: string, path: string) => [
        (await askOps(`http://${host}:${port}`, 'GET', path)).status,
        (await askOps(`http://${host}:${port}`, 'GET', path, TOKEN)).status,
      ];
      expect(await statuses('127.0.0.1', '/metrics')).toEqual([200, 200]);
      expect(await statuses(address, '/metrics')).toEqual('OPS_TOKEN' in env ? [401, 200] : [403, 403]);
      // The doctor has not examined the CMS yet.
      expect(await statuses(address, '/doctor')).toEqual('OPS_TOKEN' in env ? [401, 503] : [403, 403]);
      expect(await statuses(address, '/healthz')).toEqual([200, 200]);
      await close(server);
      await assembled.close();
    }
  });

  it('the ops port refuses a host name outside OPS_HOSTS, except for probes and with the token', async ({
    backend,
  }) => {
    const site = await startSite({
      contentBaseUrl: backend.url,
      env: { OPS_TOKEN: TOKEN, OPS_HOSTS: 'site, ops.internal:9464' },
    });
    const ask = (host: string, path: string, token?: string) =>
      sendRequest(site.opsUrl, path, {
        headers: { host, ...(token && { authorization: `Bearer ${token}` }) },
      });
    const status = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status;
    for (const host of [
      'localhost:9464',
      'a.localhost',
      '127.0.0.1',
      '10.0.0.7:9464',
      '[::1]:9464',
      '[fe80::1]',
    ])
      expect([host, await status(host, '/metrics')]).toEqual([host, 200]);
    for (const host of ['site', 'SITE:1', 'ops.internal:9464'])
      expect([host, await status(host, '/metrics')]).toEqual([host, 200]);
    for (const host of [
      'rebound.example',
      'ops.internal',
      '127.0.0.1.example',
      'localhost.example:9464',
      'a@site',
    ])
      for (const path of ['/metrics', '/doctor', '/cache', '/redirects', '/unknown']) {
        const { status: refused, text } = await ask(host, path);
        expect([host, path, refused]).toEqual([host, path, 421]);
        expect(text.length).toBeLessThan(100);
        expect(await status(host, path, 'wrong')).toBe(421);
        expect(await status(host, path, TOKEN)).toBe(
          path === '/unknown' ? 404 : path === '/doctor' ? 503 : 200,
        );
      }
    for (const path of ['/livez', '/healthz', '/readyz'])
      expect([path, await status('rebound.example', path)]).toEqual([path, 200]);
    await site.close();
  });

  it('the ops endpoints are a 404 on the public port', async ({ get }) => {
    for (const path of ['/metrics', '/doctor', '/cache', '/redirects'])
      expect((await get(path, { authorization: `Bearer ${TOKEN}` })).status).toBe(404);
  });

  it('GET /cache lists the stored pages, most recently used first', async ({ getStored, listing, site }) => {
    await getStored('/terms');
    await getStored('/about');
    // Compressing a page in spare time counts as a use.
    await eventually(() => expect(site.site.pages.encodingsWaiting()).toBe(0));
    for (const path of ['/terms', '/about']) await getStored(path);
    const stored = await listing();
    expect(stored.pages.entries).toBe(stored.entries.length);
    expect(stored.negativePages).toEqual(site.site.pages.size.negative);
    const [first, second] = stored.entries;
    expect([first?.key, second?.key]).toEqual([
      expect.stringMatching(/\/about$/),
      expect.stringMatching(/\/terms$/),
    ]);
    expect(first).toMatchObject({ status: 200, fresh: true });
    expect(first?.tags).toEqual(
      expect.arrayContaining([expect.stringMatching(/^settings#/), expect.stringMatching(/^redirects#/)]),
    );
    expect(first?.bytes).toBeGreaterThan(1_000);
    const short = await listing('?limit=1');
    expect(short.entries.map(({ key }) => key)).toEqual([first?.key]);
  });

  it('DELETE /cache invalidates one tag, and refuses a request without exactly one tag', async ({
    backend,
    get,
    getStored,
    listing,
    ops,
  }) => {
    await getStored('/terms');
    await getStored(SPAIN);
    for (const path of ['/cache', '/cache?tag=', '/cache?tag=a&tag=b'])
      expect((await ops('DELETE', path, TOKEN)).status).toBe(400);
    const row = backend.row('page', 'terms');
    row.attributes.h1 = 'Seen by ops';
    const answer = await ops('DELETE', `/cache?tag=pages:${row.documentId}`, TOKEN);
    expect([answer.status, answer.json()]).toEqual([200, { purged: [`pages:${row.documentId}`] }]);
    const { entries } = await listing();
    expect(entries.find(({ key }) => key.endsWith('/terms'))).toMatchObject({ fresh: false });
    expect(h1Of(await get('/terms'))).toBe('Seen by ops');
    expect(cacheStatusOf(await get(SPAIN))).toMatch(FRESH_HIT);
  });

  it('DELETE /cache?tag=* makes each page stale and removes none', async ({
    get,
    getStored,
    listing,
    ops,
  }) => {
    await getStored('/terms');
    await ops('DELETE', '/cache?tag=*', TOKEN);
    const { entries } = await listing();
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ fresh }) => fresh)).toEqual([]);
    expect((await get('/terms')).status).toBe(200);
  });

  it('/readyz reports build, backend and pages, and is a 503 while the process drains', async ({
    ops,
    site,
  }) => {
    const answer = await ops('GET', '/readyz');
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({
      status: 'ready',
      build: site.site.manifest.id,
      backend: 'up',
      pages: { entries: expect.any(Number), bytes: expect.any(Number) },
    });
    const draining: Readiness = {
      ...{ state: 'draining', isReady: false, degraded: [] },
      ...{ drain() {}, begin() {}, stop() {} },
    };
    const server = createServer(createOpsApp({ ...site.site, readiness: draining }));
    const url = await listen(server);
    const drained = await askOps(url, 'GET', '/readyz');
    expect([drained.status, drained.json()]).toMatchObject([503, { status: 'draining' }]);
    for (const path of ['/healthz', '/livez']) expect((await askOps(url, 'GET', path)).status).toBe(200);
    await close(server);
  });

  it('/metrics has samples of cache, backend and requests in the Prometheus format', async ({
    getStored,
    ops,
    site,
  }) => {
    await getStored('/about');
    const answer = await ops('GET', '/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const samples = new Map<string, number>();
    for (const line of answer.text.split('\n')) {
      if (line === '' || line.startsWith('# HELP ') || line.startsWith('# TYPE ')) continue;
      const sample = /^([a-zA-Z_:][\w:]*(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})?) (\S+)$/.exec(line);
      expect(sample, line).not.toBeNull();
      expect(sample?.[2], line).toMatch(/^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/i);
      samples.set(sample?.[1] ?? '', Number(sample?.[2]));
    }
    for (const layer of ['pages', 'negative-pages', 'decoded-pages', 'content']) {
      expect(samples.get(`site_cache_entries{layer="${layer}"}`)).toBeGreaterThanOrEqual(0);
      expect(samples.get(`site_cache_bytes{layer="${layer}"}`)).toBeGreaterThanOrEqual(0);
    }
    const { positive } = site.site.pages.size;
    expect(samples.get('site_cache_bytes{layer="pages"}')).toBe(positive.bytes);
    expect(samples.get('site_page_answers_total{outcome="hit"}')).toBeGreaterThan(0);
    expect(samples.get('site_page_answers_total{outcome="miss"}')).toBeGreaterThan(0);
    expect(samples.get('site_page_cache_events_total{event="stored"}')).toBeGreaterThan(0);
    for (const timed of ['site_render', 'site_compress', 'http_client_request', 'http_server_request'])
      expect([...samples.keys()].some(key => key.startsWith(`${timed}_duration_seconds_count`))).toBe(true);
    expect(samples.get('site_page_renders_in_flight')).toBe(0);
    expect(samples.get('site_content_loads_in_flight')).toBe(0);
    expect(samples.get('site_backend_up')).toBe(1);
    expect(samples.get('nodejs_eventloop_delay_max_seconds')).toBeGreaterThanOrEqual(0);
    /** The TTL plus the time for which stale content may be shown. */
    const longest = (3_600_000 + 864_000_000) / 1_000;
    expect(samples.get('site_first_expiry_seconds')).toBeGreaterThan(longest - 120);
    expect(samples.get('site_first_expiry_seconds')).toBeLessThanOrEqual(longest);
  });
});
