import { VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import { type Dashboard, DashboardBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { MEMORY_LIMIT_BYTES } from './alerts.ts';

/** The data source of `deploy/grafana/datasource.yml`. */
const SOURCE = { type: 'prometheus', uid: 'prometheus' };

interface Query {
  readonly expression: string;
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  /** Unit of Grafana, such as `s` or `bytes`. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** Whether one number is shown in place of a plot. */
  readonly isNumber?: boolean;
}

const query = (expression: string, legend: string): Query => ({ expression, legend });
function perSecond(counter: string, by: string): Query {
  return query(`sum by (${by}) (rate(${counter}[$__rate_interval]))`, `{{${by}}}`);
}
/** The time within which a share of the calls has ended. */
function quantile(share: number, histogram: string, where = ''): Query {
  const buckets = `sum by (le) (rate(${histogram}_bucket${where}[$__rate_interval]))`;
  return query(`histogram_quantile(${share}, ${buckets})`, `p${share * 100}`);
}
const age = (timestamp: string) => `time() - max(${timestamp} > 0)`;

export const ROWS: readonly { readonly title: string; readonly panels: readonly Panel[] }[] = [
  {
    title: 'Does it work?',
    panels: [
      {
        title: 'Replicas that are ready',
        unit: 'none',
        isNumber: true,
        queries: [query('sum(site_ready)', 'ready'), query('count(up{job="site"})', 'all')],
      },
      {
        title: 'Alarms',
        unit: 'none',
        isNumber: true,
        queries: [query('count(ALERTS{alertstate="firing"}) or vector(0)', 'firing')],
      },
      {
        title: 'Pages answered',
        unit: 'percentunit',
        isNumber: true,
        queries: [
          query(
            '1 - sum(rate(http_server_request_duration_seconds_count{http_response_status_code=~"5.."}[$__rate_interval])) / sum(rate(http_server_request_duration_seconds_count[$__rate_interval]))',
            'without 5xx',
          ),
        ],
      },
      {
        title: 'Oldest content shown',
        unit: 's',
        isNumber: true,
        queries: [query('max(site_oldest_content_seconds)', 'age')],
      },
      {
        title: 'Degraded, by reason',
        unit: 'none',
        queries: [query('max by (reason) (site_degraded)', '{{reason}}')],
      },
      {
        title: 'Builds that run',
        unit: 'none',
        queries: [query('count by (build) (site_build_info)', '{{build}}')],
      },
    ],
  },
  {
    title: 'Visitors',
    panels: [
      {
        title: 'Answers a second, by status',
        unit: 'reqps',
        queries: [perSecond('http_server_request_duration_seconds_count', 'http_response_status_code')],
      },
      {
        title: 'Answers a second, by route',
        unit: 'reqps',
        queries: [perSecond('http_server_request_duration_seconds_count', 'http_route')],
      },
      {
        title: 'Time to answer',
        unit: 's',
        queries: [0.5, 0.95, 0.99].map(share => quantile(share, 'http_server_request_duration_seconds')),
      },
      {
        title: 'Pages a second, by the page cache',
        unit: 'reqps',
        queries: [perSecond('site_page_answers_total', 'outcome')],
      },
      {
        title: '503 a second, by cause',
        unit: 'reqps',
        queries: [perSecond('site_unavailable_total', 'cause')],
      },
      {
        title: '429 a second, by limit',
        unit: 'reqps',
        queries: [perSecond('site_rate_limited_total', 'limit')],
      },
      { title: 'Searches a second', unit: 'reqps', queries: [perSecond('site_searches_total', 'outcome')] },
      {
        title: 'Errors in browsers',
        unit: 'reqps',
        queries: [
          perSecond('site_client_errors_total', 'where'),
          query('sum(rate(site_csp_reports_total[$__rate_interval]))', 'content security policy'),
        ],
      },
    ],
  },
  {
    title: 'CMS',
    panels: [
      {
        title: 'The CMS answers',
        unit: 'none',
        queries: [query('site_backend_up', '{{instance}}')],
      },
      {
        title: 'Calls a second, by outcome',
        unit: 'reqps',
        queries: [perSecond('site_backend_calls_total', 'outcome')],
      },
      {
        title: 'Time of a call',
        unit: 's',
        queries: [0.5, 0.99].map(share => quantile(share, 'http_client_request_duration_seconds')),
      },
      {
        title: 'Types, by state',
        unit: 'none',
        queries: [query('max by (state) (sum by (instance, state) (site_content_state))', '{{state}}')],
      },
      {
        title: 'Time since',
        unit: 's',
        queries: [
          query(age('site_last_event_timestamp_seconds'), 'the last event'),
          query(age('site_last_sweep_timestamp_seconds'), 'the last sweep'),
          query(age('site_backend_last_success_timestamp_seconds'), 'the last good call'),
        ],
      },
      {
        title: 'Events a second, by outcome',
        unit: 'reqps',
        queries: [
          perSecond('site_webhook_events_total', 'outcome'),
          query('sum(rate(site_sweep_repairs_total[$__rate_interval]))', 'found by the sweep'),
        ],
      },
      {
        title: 'Findings of the doctor',
        unit: 'none',
        queries: [query('max by (grade) (site_doctor_findings)', '{{grade}}')],
      },
      {
        title: 'Servers of media',
        unit: 'none',
        queries: [query('min by (server) (site_media_up)', '{{server}}')],
      },
    ],
  },
  {
    title: 'Messages',
    panels: [
      {
        title: 'Messages that wait, and dead ones',
        unit: 'none',
        queries: [
          query('sum(site_outbox_waiting)', 'waiting'),
          query('sum(site_outbox_dead)', 'dead'),
          query('max by (state) (site_queue_jobs)', 'queue: {{state}}'),
        ],
      },
      {
        title: 'Age of the oldest message',
        unit: 's',
        queries: [query('max(site_outbox_oldest_seconds)', 'age')],
      },
      {
        title: 'Posts a second, by outcome',
        unit: 'reqps',
        queries: [perSecond('site_forms_total', 'outcome')],
      },
      {
        title: 'Messages a second',
        unit: 'reqps',
        queries: [perSecond('site_messages_total', 'event')],
      },
    ],
  },
  {
    title: 'Process',
    panels: [
      {
        title: 'Processor',
        unit: 'percentunit',
        queries: [query('rate(process_cpu_seconds_total{job="site"}[$__rate_interval])', '{{instance}}')],
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: [
          query('process_resident_memory_bytes{job="site"}', '{{instance}}'),
          query('site_scaler_resident_memory_bytes', '{{instance}}, pictures'),
          query(`vector(${MEMORY_LIMIT_BYTES})`, 'limit'),
        ],
      },
      {
        title: 'Delay of the event loop, p99',
        unit: 's',
        queries: [query('nodejs_eventloop_delay_p99_seconds', '{{instance}}')],
      },
      {
        title: 'Work that waits',
        unit: 'none',
        queries: [
          query('sum(site_pages_waiting)', 'pages'),
          query('sum(site_renditions_waiting)', 'pictures'),
          query('sum(site_search_waiting)', 'searches'),
          query('sum by (work) (site_background_waiting)', '{{work}}'),
        ],
      },
      {
        title: 'Connections',
        unit: 'none',
        queries: [
          query('sum by (instance) (site_connections)', '{{instance}}'),
          query('sum(rate(site_connections_refused_total[$__rate_interval]))', 'refused a second'),
        ],
      },
      {
        title: 'Memory of the caches',
        unit: 'bytes',
        queries: [query('sum by (layer) (site_cache_bytes)', '{{layer}}')],
      },
      {
        title: 'Free where DATA_DIR is',
        unit: 'bytes',
        queries: [query('site_disk_free_bytes', '{{instance}}')],
      },
      {
        title: 'Folders of DATA_DIR',
        unit: 'bytes',
        queries: [query('sum by (folder) (site_disk_folder_bytes)', '{{folder}}')],
      },
    ],
  },
  {
    title: 'Replicas and CDN',
    panels: [
      {
        title: 'Replicas, as others see them',
        unit: 'none',
        queries: [query('max by (state) (site_replicas)', '{{state}}')],
      },
      {
        title: 'Shared store: commands a second',
        unit: 'reqps',
        queries: [perSecond('site_shared_calls_total', 'outcome')],
      },
      {
        title: 'Shared store: time of a command',
        unit: 's',
        queries: [0.5, 0.99].map(share => quantile(share, 'site_shared_duration_seconds')),
      },
      {
        title: 'Lag of the log of invalidations',
        unit: 's',
        queries: [query('site_purge_lag_seconds', '{{instance}}')],
      },
      {
        title: 'Words that wait for a CDN',
        unit: 'none',
        // Without CDN_PURGE there is no series.
        queries: [query('sum(site_cdn_purges_waiting) or vector(0)', 'waiting')],
      },
      {
        title: 'Pictures a second',
        unit: 'reqps',
        queries: [perSecond('site_rendition_answers_total', 'outcome')],
      },
    ],
  },
];

const COLUMNS = 24;

function panelOf({ title, unit, queries, isNumber = false }: Panel) {
  const panel = isNumber
    ? new StatBuilder().height(4).span(COLUMNS / 4)
    : new TimeseriesBuilder()
        .height(7)
        .span(COLUMNS / 4)
        .min(0)
        .legend(new VizLegendOptionsBuilder().showLegend(true));
  for (const { expression, legend } of queries)
    panel.withTarget(new DataqueryBuilder().expr(expression).legendFormat(legend).datasource(SOURCE));
  return panel.title(title).unit(unit).datasource(SOURCE);
}

export function dashboard(): Dashboard {
  const board = new DashboardBuilder('Website')
    .uid('site')
    .description('Written by `npm run deploy:files` from deploy/scripts/dashboard.ts')
    .refresh('30s')
    .time({ from: 'now-3h', to: 'now' });
  for (const { title, panels } of ROWS) {
    board.withRow(new RowBuilder(title));
    for (const panel of panels) board.withPanel(panelOf(panel));
  }
  return board.build();
}
