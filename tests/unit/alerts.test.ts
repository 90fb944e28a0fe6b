import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { alertRules } from '../../deploy/scripts/alert-files.ts';
import { ALERTS, MEMORY_LIMIT_BYTES } from '../../deploy/scripts/alerts.ts';
import { ROWS } from '../../deploy/scripts/dashboard.ts';
import { METRICS } from '../../server/ops/metrics/metric-table.ts';
import { read } from '../support/deployed-files.ts';
import { type Engine, engineFor } from '../support/engines.ts';

/** Series in promtool's notation, with one value per interval. */
type Series = Readonly<Record<string, string>>;

/** Series that make an alarm fire, and the time at which it fires. */
interface Provocation {
  readonly series: Series;
  /** Interval at which the alarm fires. At `silentAt`, by default one interval earlier, it is silent. */
  readonly firesAt: number;
  readonly silentAt?: number;
  /** Minutes between two values. The default is one. */
  readonly interval?: number;
}

/** A series that turns bad after twenty minutes. @param holds minutes from then until the alarm fires */
function condition(series: string, good: string, bad: string, holds: number): Provocation {
  return { series: { [series]: `${good}x19 ${bad}x200` }, firesAt: 20 + holds, silentAt: 19 + holds };
}

/** The first event of a counter that was 0, and of a counter whose series did not exist before. */
function firstEvents(counter: string): readonly Provocation[] {
  return [
    { series: { [counter]: '0x19 1x200' }, firesAt: 20 },
    { series: { [counter]: '_x20 1x200' }, firesAt: 20 },
  ];
}

const HITS = 'site_page_answers_total{outcome="hit"}';
const BUSY = 'site_unavailable_total{cause="busy"}';
const FAILED = 'http_server_request_duration_seconds_count{http_response_status_code="500"}';
const EVENTS = 'site_webhook_events_total{outcome="accepted"}';
const REPAIRS = 'site_sweep_repairs_total{type="articles"}';
const MIB = 1024 ** 2;

/** For each alarm by name, at least one provocation: series that make it fire. */
const PROVOKED: Readonly<Record<string, readonly Provocation[]>> = {
  CachedPagesBurn1H: [
    { series: { [HITS]: '0+600x90', [BUSY]: '0x30 20+20x60', [FAILED]: '0x90' }, firesAt: 80, silentAt: 30 },
  ],
  CachedPagesBurn6H: [
    {
      series: { [HITS]: '0+600x90', [BUSY]: '0x90', [FAILED]: '0+5x90' },
      firesAt: 80,
      silentAt: 2,
      interval: 5,
    },
  ],
  CachedPagesBurn3D: [
    {
      series: { [HITS]: '0+600x160', [BUSY]: '0+1x160', [FAILED]: '0x160' },
      firesAt: 150,
      silentAt: 1,
      interval: 30,
    },
  ],
  // No webhook event has arrived for one change, which the sweep repairs.
  PublishingBurn1H: [{ series: { [EVENTS]: '0x200', [REPAIRS]: '0x30 1x200' }, firesAt: 34, silentAt: 30 }],
  PublishingBurn6H: [
    {
      series: { [EVENTS]: '0+2x90', [REPAIRS]: '0+1x90' },
      firesAt: 80,
      silentAt: 2,
      interval: 5,
    },
  ],
  PublishingBurn3D: [
    {
      series: { [EVENTS]: '0+9x160', [REPAIRS]: '0+1x160' },
      firesAt: 150,
      silentAt: 1,
      interval: 30,
    },
  ],
  SiteUnwatched: [{ series: { 'up{job="site"}': '1x20 stale', [HITS]: '0x200' }, firesAt: 30, silentAt: 20 }],
  ReplicaSilent: [condition('up{job="site", instance="site-1:9464"}', '1', '0', 1)],
  ReplicaMissing: [condition('site_replicas{state="missing"}', '0', '1', 1)],
  MixedBuilds: [
    {
      series: {
        'site_build_info{build="old"}': '1x25 _ 1x200',
        'site_build_info{build="new"}': '_x20 1x200',
      },
      firesAt: 35,
      silentAt: 34,
    },
  ],
  SiteNotReady: [condition('site_ready', '1', '0', 1)],
  CmsDown: [
    condition('site_degraded{reason="cms"}', '0', '1', 5),
    // One scrape fails because of a restart. The next one finds a process that has not called the CMS yet.
    { series: { 'site_degraded{reason="cms"}': '0x7 1x9 _ 0 1x200' }, firesAt: 28, interval: 0.25 },
  ],
  CmsRefuses: [condition('site_degraded{reason="refused"}', '0', '1', 5)],
  MediaDown: [condition('site_media_up{server="backend"}', '1', '0', 5)],
  ContentTypeEmpty: [condition('site_content_state{type="tags", state="empty"}', '0', '1', 10)],
  ContentEmptied: [condition('site_content_state{type="tags", state="emptied"}', '0', '1', 0)],
  ContentOld: [condition('site_oldest_content_seconds', '60', '3601', 5)],
  CmsCallsFail: [
    ...firstEvents('site_backend_calls_total{type="articles", outcome="timeout"}'),
    // One alarm fires for all content types together.
    {
      series: Object.fromEntries(
        ['articles', 'pages', 'tags'].map(type => [
          `site_backend_calls_total{type="${type}", outcome="timeout"}`,
          '0x19 1x200',
        ]),
      ),
      firesAt: 20,
    },
  ],
  PagesExpireSoon: [condition('site_first_expiry_seconds', '800000', '86399', 15)],
  Answers503: firstEvents('site_unavailable_total{cause="cms"}'),
  Answers500: firstEvents('http_server_request_duration_seconds_count{http_response_status_code="500"}'),
  MessagesWait: [condition('site_outbox_oldest_seconds', '0', '3601', 5)],
  OutboxFull: [condition('site_degraded{reason="outbox"}', '0', '1', 1)],
  MessagesDead: [condition('site_outbox_dead', '0', '1', 0)],
  QueueDown: [condition('site_queue_up', '1', '0', 5)],
  QueueJobsFailed: [condition('site_queue_jobs{state="failed"}', '0', '1', 0)],
  DiskNotWritable: [condition('site_disk_writable', '1', '0', 1)],
  FilesDamaged: [condition('site_degraded{reason="damaged"}', '0', '1', 5)],
  DiskAlmostFull: [condition('site_disk_free_bytes', `${2_000 * MIB}`, `${1_000 * MIB}`, 5)],
  SharedStoreDown: [condition('site_degraded{reason="store"}', '0', '1', 5)],
  SharedStoreForged: [
    ...firstEvents('site_shared_calls_total{op="get", outcome="forged"}'),
    // One alarm fires for all operations of a replica together.
    {
      series: Object.fromEntries(
        ['content', 'asset', 'purges'].map(op => [
          `site_shared_calls_total{op="${op}", outcome="forged"}`,
          '0x19 1x200',
        ]),
      ),
      firesAt: 20,
    },
  ],
  CdnNotPurged: [condition('site_cdn_purges_waiting{target="varnish"}', '0', '1', 1)],
  InvalidationsLag: [condition('site_purge_lag_seconds', '1', '11', 1)],
  HostRefused: [
    {
      series: {
        'http_server_request_duration_seconds_count{http_response_status_code="200"}': '0+600x100',
        'http_server_request_duration_seconds_count{http_response_status_code="421"}': '0x19 0+600x100',
      },
      firesAt: 35,
      silentAt: 20,
    },
  ],
  ConnectionsRefused: firstEvents('site_connections_refused_total'),
  WebhookRefused: ['wrong-secret', 'too-many-guesses'].flatMap(outcome =>
    firstEvents(`site_webhook_events_total{outcome="${outcome}"}`),
  ),
  LogLinesDropped: firstEvents('site_log_lines_dropped_total'),
  MemoryHigh: [
    {
      series: {
        'process_resident_memory_bytes{job="site"}': `${500 * MIB}x200`,
        'site_scaler_resident_memory_bytes{job="site"}': `0x19 ${450 * MIB}x200`,
      },
      firesAt: 30,
      silentAt: 29,
    },
  ],
  SearchDown: [condition('site_search_up', '1', '0', 5)],
  CmsWronglySetUp: [
    condition('site_doctor_findings{grade="error"}', '0', '1', 15),
    // One alarm fires, however many replicas have examined the CMS.
    {
      series: {
        'site_doctor_findings{grade="error", instance="site-1:9464"}': '0x19 1x200',
        'site_doctor_findings{grade="error", instance="site-2:9464"}': '0x19 1x200',
      },
      firesAt: 35,
      silentAt: 34,
    },
  ],
};

/** Series at which an alarm stays silent, because another alarm reports them or they are normal. */
const SILENT: Readonly<Record<string, readonly Series[]>> = {
  CmsDown: [{ 'site_degraded{reason="refused"}': '0x19 1x200', site_backend_up: '1x19 0x200' }],
  CmsRefuses: [{ 'site_degraded{reason="cms"}': '0x19 1x200', site_backend_up: '1x19 0x200' }],
  // While the shared store is down, each replica seems missing to the others.
  ReplicaMissing: [
    {
      'site_replicas{state="missing", instance="site-1:9464"}': '0x19 2x200',
      'site_degraded{reason="store", instance="site-2:9464"}': '0x19 1x200',
    },
  ],
  // A deploy replaces one replica after the other.
  MixedBuilds: [
    {
      'site_build_info{build="old", instance="site-1:9464"}': '1x19 stale',
      'site_build_info{build="new", instance="site-1:9464"}': '_x20 1x200',
      'site_build_info{build="old", instance="site-2:9464"}': '1x30 stale',
      'site_build_info{build="new", instance="site-2:9464"}': '_x31 1x200',
    },
  ],
  CmsCallsFail: [
    Object.fromEntries(
      ['refused-by-breaker', 'aborted', '401', '403', '404'].map(outcome => [
        `site_backend_calls_total{type="articles", outcome="${outcome}"}`,
        '0x19 1+1x200',
      ]),
    ),
  ],
};

const named = (expression: string) =>
  (expression.match(/\b(?:site|http|nodejs|process)_[a-z_\d]+/g) ?? [])
    .filter(name => !/^(?:http_(?:route|request_method|response_status_code))$/.test(name))
    .map(name => name.replace(/_(?:count|sum|bucket)$/, ''));
/** Metrics that the metrics package adds itself. */
const OF_PACKAGE = /^process_/;

describe('deploy/alerts.yml', () => {
  it('the alarms and the dashboard name existing metrics of the site', () => {
    const expressions = [
      ...ALERTS.map(({ expression }) => expression),
      ...ROWS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(one => one.expression))),
    ];
    const names = new Set(expressions.flatMap(named));
    expect(names.size).toBeGreaterThan(50);
    expect([...names].filter(name => !(name in METRICS) && !OF_PACKAGE.test(name))).toEqual([]);
  });

  it('the memory alarm uses the memory limit that the files in deploy/ set', () => {
    const limits = {
      'compose.yaml': /mem_limit: (1g)\n {2}# 10,000/,
      'kubernetes.yaml': /limits:\n +memory: (1Gi)\n/,
      'site.service': /^MemoryMax=(1G)$/m,
    };
    expect(MEMORY_LIMIT_BYTES).toBe(1024 * MIB);
    for (const [file, limit] of Object.entries(limits))
      expect([file, limit.exec(read(`deploy/${file}`))?.[1]]).toEqual([file, expect.any(String)]);
  });

  it('each alarm fires once its condition is met, even by a first event, and not earlier', ({ skip }) => {
    expect(Object.keys(PROVOKED).sort()).toEqual(ALERTS.map(({ name }) => name).sort());
    expectSuccess(
      engineFor('promtool', { skip }),
      [0.25, 1, 5, 30].map(interval => testsOf(PROVOKED, interval)),
    );
  });

  it('an alarm is silent about a problem that another alarm reports', ({ skip }) => {
    expectSuccess(engineFor('promtool', { skip }), [silentTests()]);
  });

  it('an alarm quotes the runbook: what visitors notice and what to do', () => {
    const rules = alertRules().groups.flatMap(group => group.rules);
    expect(rules.find(({ alert }) => alert === 'CmsDown')?.annotations.description).toMatch(
      /^Visitors notice: Pages that were stored .*\nIn short: Repair the CMS, .*\nLook at: a single type that fails is in contentTypes of \/readyz/,
    );
    expect(rules.find(({ alert }) => alert === 'CmsRefuses')?.annotations).toMatchObject({
      description: expect.stringContaining('\nIn short: Give the site a valid token'),
      runbook_url: expect.stringMatching(/#a-content-type-is-not-ok$/),
    });
  });
});

/** Runs `promtool test rules` on each file. */
function expectSuccess(promtool: Engine, contents: readonly object[]): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = contents.map((content, index) => {
    const file = path.join(folder, `${index}.yml`);
    writeFileSync(file, stringify(content, { aliasDuplicateObjects: false }));
    return file;
  });
  const { status, stdout, stderr } = spawnSync(promtool.command, ['test', 'rules', ...files], {
    env: promtool.env,
    encoding: 'utf8',
  });
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
}

/** @returns a file for `promtool test rules`, which expects each alarm of `SILENT` to stay silent. */
function silentTests(): object {
  return {
    rule_files: [path.resolve(import.meta.dirname, '../../deploy/alerts.yml')],
    evaluation_interval: '1m',
    tests: Object.entries(SILENT).flatMap(([name, situations]) =>
      situations.map(series => ({
        name,
        interval: '1m',
        input_series: inputOf(series),
        promql_expr_test: [20, 25, 30].map(minutes => firing(name, minutes, [])),
      })),
    ),
  };
}

function inputOf(series: Series): readonly object[] {
  return Object.entries(series).map(([one, values]) => ({ series: one, values }));
}

/** @returns a file for `promtool test rules` with the provocations that have this interval. */
function testsOf(provoked: typeof PROVOKED, interval: number): object {
  return {
    rule_files: [path.resolve(import.meta.dirname, '../../deploy/alerts.yml')],
    evaluation_interval: `${interval * 60}s`,
    tests: Object.entries(provoked).flatMap(([name, provocations]) =>
      provocations
        .filter(one => (one.interval ?? 1) === interval)
        .map(({ series, firesAt, silentAt = firesAt - 1 }) => ({
          name,
          interval: `${interval * 60}s`,
          input_series: inputOf(series),
          promql_expr_test: [
            firing(name, silentAt * interval, []),
            firing(name, firesAt * interval, [{ labels: '{}', value: 1 }]),
          ],
        })),
    ),
  };
}

function firing(name: string, minutes: number, samples: readonly object[]): object {
  return {
    expr: `count(ALERTS{alertname="${name}", alertstate="firing"})`,
    eval_time: `${minutes * 60}s`,
    exp_samples: samples,
  };
}
