import { Counter, Histogram, Registry } from '@prometheus-io/client';
import { expect, it } from 'vitest';
import { BUCKETS } from '../../server/ops/metrics/counted.ts';
import { METRICS, PARTS, ZEROS } from '../../server/ops/metrics/metric-table.ts';
import { createMetrics } from '../../server/ops/metrics/metrics.ts';

const info = { build: 'build', replica: '' };

/** Sorts the lines of a scrape, because their order has no meaning. */
const sorted = (text: string) => text.split('\n').sort();

it('counters have the same text as those of prom-client, with a zero for each label value', async () => {
  const { count, add, registry } = createMetrics(info);
  const theirs = new Registry();
  const { help, labels } = METRICS.site_searches_total;
  const counter = new Counter({
    ...{ name: 'site_searches_total', help, labelNames: ['outcome'], registers: [theirs] },
  });
  for (const outcome of labels[0][1]) counter.inc({ outcome }, 0);
  const text = () => registry.getSingleMetricAsString('site_searches_total');
  expect(sorted(await text())).toEqual(sorted((await theirs.metrics()).trimEnd()));
  count('site_searches_total', 'answered');
  add('site_searches_total', 2, 'refused');
  counter.inc({ outcome: 'answered' });
  counter.inc({ outcome: 'refused' }, 2);
  for (let scrape = 0; scrape < 2; scrape += 1)
    expect(sorted(await text()), 'a scrape resets nothing').toEqual(
      sorted((await theirs.metrics()).trimEnd()),
    );
});

it('durations have the same text as those of prom-client', async () => {
  const { requestDone, note, registry } = createMetrics(info);
  const theirs = new Registry();
  const histogram = (name: keyof typeof METRICS, labelNames: string[]) =>
    new Histogram({ name, help: METRICS[name].help, labelNames, buckets: BUCKETS, registers: [theirs] });
  const [route, method, status] = METRICS.http_server_request_duration_seconds.labels.map(([label]) => label);
  const requests = histogram('http_server_request_duration_seconds', [
    route ?? '',
    method ?? '',
    status ?? '',
  ]);
  for (const [of, by, code] of ZEROS.http_server_request_duration_seconds ?? []) {
    requests.zero({
      http_route: of ?? '',
      http_request_method: by ?? '',
      http_response_status_code: code ?? '',
    });
  }
  const renders = histogram('site_render_duration_seconds', []);
  // Durations on a bound, between two bounds, and beyond the last one.
  for (const [of, by, code, ms] of [
    ['asset', 'GET', 200, 0.5],
    ['media', 'GET', 200, 3],
    ['media', 'POST', 404, 90_000],
  ] as const) {
    requestDone(of, by, code, ms);
    requests.observe(
      { http_route: of, http_request_method: by, http_response_status_code: String(code) },
      ms / 1_000,
    );
  }
  note('site_render_duration_seconds', 12);
  renders.observe(0.012);
  for (const name of ['http_server_request_duration_seconds', 'site_render_duration_seconds'])
    expect(sorted(await registry.getSingleMetricAsString(name))).toEqual(
      sorted(await theirs.getSingleMetricAsString(name)),
    );
});

it('an unknown method or route has the label value _OTHER', async () => {
  const { requestDone, registry } = createMetrics(info);
  requestDone('made-up', 'PROPFIND', 405, 1);
  requestDone(null, 'GET', 404, 1);
  const text = await registry.getSingleMetricAsString('http_server_request_duration_seconds');
  const counts = text.split('\n').filter(line => /_count\{.*\} 1$/.test(line));
  expect(counts.map(line => [...line.matchAll(/"([^"]*)"/g)].map(([, value]) => value))).toEqual([
    ['_OTHER', '_OTHER', '405'],
    ['unmatched', 'GET', '404'],
  ]);
});

it('the metrics of an optional feature exist only if its environment variable is set', async () => {
  const names = (uses: string[]) =>
    createMetrics(info, new Set(uses))
      .registry.getMetricsAsArray()
      .map(({ name }) => name);
  expect(names([])).not.toContain('site_shared_up');
  expect(names(['SHARED_URL'])).toContain('site_shared_up');
});

it('each combination of label values has a series before its first event', async () => {
  const { registry } = createMetrics(info, new Set(Object.keys(PARTS)));
  const text = await registry.metrics();
  for (const [name, { type, labels }] of Object.entries(METRICS)) {
    if (name in ZEROS || labels.length === 0 || labels.some(([, words]) => words === null)) continue;
    const series = text
      .split('\n')
      .filter(line => line.startsWith(`${name}${type === 'histogram' ? '_count' : ''}{`));
    const combinations = labels.reduce((product, [, words]) => product * (words?.length ?? 0), 1);
    expect([name, series.length]).toEqual([name, combinations]);
    if (type !== 'gauge' && name.startsWith('site_'))
      expect(series.filter(line => !line.endsWith(' 0'))).toEqual([]);
  }
});
