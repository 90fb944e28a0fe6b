import { spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { DEGRADED } from '../../server/ops/metrics/metric-table.ts';
import { engineFor } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { SEND } from '../support/form-test.ts';
import { AS_BROWSER, postForm, postJson, sendRequest } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

async function scrape({ opsUrl }: RunningSite): Promise<string> {
  return (await sendRequest(opsUrl, '/metrics')).text;
}

/** @returns the value of a series; undefined if it does not exist. */
async function sampleOf(site: RunningSite, series: string): Promise<number | undefined> {
  const line = (await scrape(site)).split('\n').find(found => found.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

describe('a scrape', () => {
  it('promtool finds nothing to complain about in a scrape', async ({ sample, skip }) => {
    const { command, env } = engineFor('promtool', { skip });
    await sendRequest(sample.url, '/about', { headers: AS_BROWSER });
    const input = await scrape(sample);
    const { status, stdout, stderr } = spawnSync(command, ['check', 'metrics'], {
      env,
      input,
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  it('a scrape resets nothing for the next one', async ({ sample }) => {
    await sendRequest(sample.url, '/about', { headers: AS_BROWSER });
    const stall = performance.now() + 120;
    while (performance.now() < stall);
    const peak = 'nodejs_eventloop_delay_max_seconds';
    const first = await sampleOf(sample, peak);
    expect(await sampleOf(sample, peak)).toBeGreaterThanOrEqual(first ?? Number.POSITIVE_INFINITY);
    const total = async () => (await sampleOf(sample, 'site_answers_total{way="express"}')) ?? Number.NaN;
    expect(await total()).toBeGreaterThan(0);
    expect(await total()).toBeGreaterThan(0);
  });

  it.for([
    'site_rate_limited_total{limit="forms"}',
    'site_unavailable_total{cause="cms"}',
    'site_webhook_events_total{outcome="wrong-secret"}',
    'site_messages_total{event="dead"}',
    'site_forms_total{form="contact",outcome="failed"}',
    'site_backend_calls_total{type="articles",outcome="timeout"}',
    'site_sweep_repairs_total{type="articles"}',
    'site_connections_refused_total',
    'http_server_request_duration_seconds_count{http_route="home",http_request_method="GET",http_response_status_code="503"}',
    'http_server_request_duration_seconds_bucket{le="30",http_route="ops",http_request_method="GET",http_response_status_code="500"}',
    'site_content_state{type="articles",state="down"}',
    ...DEGRADED.map(reason => `site_degraded{reason="${reason}"}`),
    'site_readiness{state="draining"}',
  ])(
    'a series whose labels are fixed in the code is 0 before its first event: %s',
    async (series, { sample }) => {
      expect(await sampleOf(sample, series)).toBe(0);
    },
  );

  it('requests are counted by their route, method and status, those of the ops port included', async ({
    sample,
  }) => {
    const count = (route: string, method = 'GET', status = 200) =>
      sampleOf(
        sample,
        `http_server_request_duration_seconds_count{http_route="${route}",http_request_method="${method}",http_response_status_code="${status}"}`,
      );
    const before = await count('feed');
    for (const path of [
      '/about',
      '/sitemap.xml',
      '/blog/feed.xml',
      '/favicon.svg',
      '/robots.txt',
      '/no/such',
      '/search?q=cloud',
      '/uploads/cover-andes.svg',
    ])
      await sendRequest(sample.url, path, { headers: AS_BROWSER });
    await sendRequest(sample.url, '/about', { method: 'DELETE', headers: AS_BROWSER });
    await postForm(sample.url, '/api/email/send', { form: 'contact', page: '/contacts' });
    expect(await count('page')).toBeGreaterThan(0);
    expect(await count('feed')).toBe((before ?? 0) + 1);
    for (const route of ['sitemap', 'asset', 'file', 'ops', 'media', 'search'])
      expect(await count(route), route).toBeGreaterThan(0);
    expect(await count('form', 'POST', 422)).toBe(1);
    expect(await count('unmatched', 'DELETE', 405)).toBe(1);
    expect(await sampleOf(sample, 'site_forms_total{form="contact",outcome="invalid"}')).toBe(1);
  });

  it('browser reports, searches, messages and sweeps are counted, and delivery and sweep have timestamps', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on(SEND, {});
    const site = await startOwnSite();
    await postJson(site.url, '/client-errors', { where: 'render', name: 'Error', message: 'no such thing' });
    await sendRequest(site.url, '/csp-reports', {
      method: 'POST',
      headers: { 'Content-Type': 'application/csp-report' },
      body: JSON.stringify({ 'csp-report': { 'effective-directive': 'img-src' } }),
    });
    await sendRequest(site.url, '/search?q=cloud', { headers: AS_BROWSER });
    await postJson(site.url, SEND, { form: 'subscribe', email: 'ada@example.com', elapsedMs: 60_000 });
    await site.site.contentSweep.sweep();
    for (const series of [
      'site_client_errors_total{where="render"}',
      'site_csp_reports_total',
      'site_searches_total{outcome="answered"}',
      'site_search_up',
      'site_messages_total{event="accepted"}',
      'site_messages_total{event="delivered"}',
    ])
      await eventually(async () => expect([series, await sampleOf(site, series)]).toEqual([series, 1]));
    for (const of of ['delivery', 'sweep']) {
      const time = await sampleOf(site, `site_last_${of}_timestamp_seconds`);
      expect(Math.abs(Date.now() / 1_000 - (time ?? 0)), of).toBeLessThan(600);
    }
  });

  it('the metrics have timestamps of calls and events, and exactly one readiness state is 1', async ({
    sample,
  }) => {
    await sendRequest(sample.url, '/about', { headers: AS_BROWSER });
    const now = Date.now() / 1_000;
    const asked = await sampleOf(sample, 'site_backend_last_success_timestamp_seconds');
    expect(Math.abs(now - (asked ?? 0))).toBeLessThan(600);
    expect(await sampleOf(sample, 'site_last_event_timestamp_seconds')).toBe(0);
    expect(await sampleOf(sample, 'site_disk_free_bytes')).toBeGreaterThan(0);
    const states = (await scrape(sample)).match(/^site_readiness\{.*\} 1$/gm);
    expect(states).toEqual(['site_readiness{state="ready"} 1']);
  });
});
