import { describe, expect } from 'vitest';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';
import { engineFor } from '../support/engines.ts';
import { withMiddleware } from '../support/error-page.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { SEND, words } from '../support/form-test.ts';
import { startRedis } from '../support/redis.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PROXIED = {
  'X-Request-Id': 'proxy-7.1',
  traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01`,
};
const behindProxy = { TRUST_PROXY: 'loopback', PUBLIC_URL: 'http://www.example.com' };

const it = backendTest.extend('collector', async ({}, { onCleanup }) => {
  const collector = await startCollector();
  onCleanup(() => collector.close());
  return collector;
});

const tracing = ({ url }: Collector) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/` });
const get = (site: RunningSite, path: string, headers = {}) =>
  sendRequest(site.url, path, { headers: { ...AS_BROWSER, ...headers } });

/** Stops the tracing of a site, which sends the waiting spans. @returns the spans by name. */
async function spansOf(site: RunningSite, { spans }: Collector): Promise<Map<string, CollectedSpan[]>> {
  await site.site.tracing?.stop();
  return Map.groupBy(spans, ({ name }) => name);
}

/** @returns the only span with this name. */
function one(spans: Map<string, CollectedSpan[]>, name: string): CollectedSpan {
  const [span, ...others] = spans.get(name) ?? [];
  expect([name, others]).toEqual([name, []]);
  if (!span) throw new Error(`No span ${name} among ${[...spans.keys()].join(', ')}`);
  return span;
}

describe('traces', () => {
  it('a miss is one trace with its calls of the CMS, and a hit has none', async ({
    backend,
    startOwnSite,
    collector,
  }) => {
    const site = await startOwnSite({ env: { ...tracing(collector), OTEL_SERVICE_NAME: 'shop' } });
    backend.calls.length = 0;
    // A page stored without Brotli is compressed again when the site has time, in a separate trace.
    const miss = await get(site, '/about', { 'accept-encoding': 'br' });
    const hit = await get(site, '/about');
    expect([miss, hit].map(({ headers }) => headers['cache-status'])).toEqual([
      expect.stringContaining('fwd='),
      expect.stringContaining('hit'),
    ]);
    const spans = await spansOf(site, collector);
    const request = one(spans, 'GET page');
    expect(request).toMatchObject({
      kind: 2,
      attributes: {
        'http.request.method': 'GET',
        'url.path': '/about',
        'http.route': 'page',
        'http.response.status_code': 200,
        'site.page_cache': 'miss',
        'site.request_id': miss.headers['x-request-id'],
      },
      resource: { 'service.name': 'shop' },
    });
    expect(request.parentSpanId).toBeUndefined();
    const call = one(spans, 'GET /api/pages');
    expect(call).toMatchObject({ kind: 3, traceId: request.traceId, parentSpanId: request.spanId });
    expect(Number(call.endTimeUnixNano)).toBeLessThanOrEqual(Number(request.endTimeUnixNano));
    for (const name of ['render', 'compress'])
      expect(one(spans, name)).toMatchObject({ kind: 1, traceId: request.traceId });
    const [received] = backend.callsTo('/api/pages');
    expect(received?.headers).toMatchObject({
      traceparent: `00-${request.traceId}-${call.spanId}-01`,
      'x-request-id': miss.headers['x-request-id'],
    });
    const [missLine, hitLine] = site.requests('/about');
    expect(missLine?.trace_id).toBe(request.traceId);
    expect(hitLine).not.toHaveProperty('trace_id');
  });

  it('a page that fails has the id of its trace, and so have its log entries', async ({
    startOwnSite,
    collector,
  }) => {
    const site = await startOwnSite({
      env: tracing(collector),
      overrides: withMiddleware({
        explode: () => {
          throw new Error('the reason');
        },
      }),
    });
    const { status, text, headers } = await get(site, '/about');
    expect(status).toBe(500);
    const request = one(await spansOf(site, collector), 'GET page');
    expect(request.status.code).toBe(2);
    expect(text).toContain(`${headers['x-request-id']} ${request.traceId}`);
    expect(site.log.find(({ code }) => code === 'http-request-failed')).toMatchObject({
      id: headers['x-request-id'],
      trace_id: request.traceId,
    });
  });

  it('a call that the CMS refuses has its status', async ({ backend, startOwnSite, collector }) => {
    const site = await startOwnSite({ env: tracing(collector) });
    backend.on('/api/pages', failing(500));
    expect((await get(site, '/about')).status).toBe(503);
    const call = one(await spansOf(site, collector), 'GET /api/pages');
    expect(call).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'status', 'http.response.status_code': 500 },
    });
  });

  it('the delivery of a message links to the trace of its form', async ({
    backend,
    startOwnSite,
    collector,
  }) => {
    backend.on(SEND, {});
    const site = await startOwnSite({ env: tracing(collector) });
    const { status } = await sendRequest(site.url, SEND, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...words(), elapsedMs: 60_000 }),
    });
    expect(status).toBe(202);
    await eventually(() => expect(site.site.outbox.state.waiting).toBe(0));
    const spans = await spansOf(site, collector);
    const accepted = one(spans, 'accept message');
    const delivered = one(spans, 'deliver message');
    expect(delivered.links).toEqual([accepted.traceId]);
    expect(delivered.traceId).not.toBe(accepted.traceId);
    expect(delivered.attributes).toEqual(accepted.attributes);
    expect(one(spans, `POST ${SEND}`)).toMatchObject({
      traceId: delivered.traceId,
      parentSpanId: delivered.spanId,
    });
    const [received] = backend.callsTo(SEND);
    expect(received?.headers.traceparent).toContain(delivered.traceId);
    expect(received?.headers).not.toHaveProperty('x-request-id');
  });

  it('a miss has the commands for the shared store', async ({ startOwnSite, collector, skip }) => {
    engineFor('redis-server', { skip });
    const redis = await startRedis();
    try {
      const site = await startOwnSite({
        env: { ...tracing(collector), SHARED_URL: redis.url, PUBLIC_URL: 'http://www.example.com' },
      });
      await get(site, '/about');
      const spans = await spansOf(site, collector);
      const { traceId } = one(spans, 'GET page');
      const commands = spans.get('store get')?.filter(span => span.traceId === traceId);
      expect(commands?.[0]).toMatchObject({ kind: 3, attributes: { 'site.outcome': 'answered' } });
      expect(spans.has('store probe')).toBe(false);
    } finally {
      await redis.dispose();
    }
  });

  it('a page that waits for a render slot keeps its own trace', async ({ startOwnSite, collector }) => {
    const site = await startOwnSite({ env: { ...tracing(collector), MAX_RENDERS: '1' } });
    const paths = ['/about', '/terms', '/cookies'];
    await Promise.all(paths.map(path => get(site, path)));
    const spans = await spansOf(site, collector);
    const tracesOf = (name: string) =>
      spans
        .get(name)
        ?.map(({ traceId }) => traceId)
        .sort();
    expect(tracesOf('GET page')).toHaveLength(paths.length);
    expect(tracesOf('render')).toEqual(tracesOf('GET page'));
  });

  it('a collector that is down is logged once, and pages are served', async ({ startOwnSite, collector }) => {
    collector.status = 400;
    const site = await startOwnSite({ env: tracing(collector) });
    expect((await get(site, '/about')).status).toBe(200);
    await spansOf(site, collector);
    expect(site.log.filter(({ code }) => code === 'traces-down')).toHaveLength(1);
  });
});

describe('ids from other servers', () => {
  it('a trusted proxy’s ids go into the log and the response, and on to the CMS', async ({
    backend,
    startOwnSite,
    collector,
  }) => {
    const site = await startOwnSite({ env: { ...tracing(collector), ...behindProxy } });
    backend.calls.length = 0;
    const miss = await get(site, '/about', PROXIED);
    const hit = await get(site, '/about', PROXIED);
    expect([miss, hit].map(({ headers }) => headers['x-request-id'])).toEqual(['proxy-7.1', 'proxy-7.1']);
    expect(site.requests('/about')).toMatchObject([
      { id: 'proxy-7.1', trace_id: TRACE_ID },
      { id: 'proxy-7.1' },
    ]);
    expect(backend.callsTo('/api/pages')[0]?.headers).toMatchObject({
      'x-request-id': 'proxy-7.1',
      traceparent: expect.stringMatching(`^00-${TRACE_ID}-`),
    });
    expect(one(await spansOf(site, collector), 'GET page')).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: 'b7ad6b7169203331',
    });
  });

  it('ids from visitors are ignored', async ({ backend, startOwnSite, collector }) => {
    const site = await startOwnSite({ env: tracing(collector) });
    backend.calls.length = 0;
    const { headers } = await get(site, '/about', PROXIED);
    expect(headers['x-request-id']).toMatch(/^[\w-]{12}-\d+$/);
    expect(backend.callsTo('/api/pages')[0]?.headers['x-request-id']).toBe(headers['x-request-id']);
    expect(one(await spansOf(site, collector), 'GET page').traceId).not.toBe(TRACE_ID);
  });

  it.for(['', 'a'.repeat(129), 'two words', '"},{"', 'é'])(
    'the id %j from a trusted proxy is replaced',
    async (id, { startOwnSite }) => {
      const site = await startOwnSite({ env: behindProxy });
      const { headers } = await get(site, '/about', { 'X-Request-Id': id });
      expect(headers['x-request-id']).toMatch(/^[\w-]{12}-\d+$/);
    },
  );

  it('without traces the CMS gets the id of the request, and no trace', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite();
    backend.calls.length = 0;
    const { headers } = await get(site, '/about');
    const [received] = backend.callsTo('/api/pages');
    expect(received?.headers['x-request-id']).toBe(headers['x-request-id']);
    expect(received?.headers).not.toHaveProperty('traceparent');
    expect(site.requests('/about')[0]).not.toHaveProperty('trace_id');
  });
});
