import { contentTypes } from '../../../shared/content/content-types.ts';
import { routeTable } from '../../../shared/routing/routes.ts';

/** The values of a label: the words of the program, or null for values that are known only at run time. */
type Values = readonly string[] | null;

interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** The labels in the order of the values in calls. */
  readonly labels?: readonly (readonly [name: string, values: Values])[];
  /** The values that exist from the start, if not all words do. */
  readonly zeros?: readonly (readonly string[])[];
}

/** The label for a method, route or word that the table does not list. */
export const OTHER = '_OTHER';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', OTHER];
/** The routes besides pages. `unmatched`: no route has answered. */
const FIXED_ROUTES = [
  'asset',
  'media',
  'feed',
  'sitemap',
  'search',
  'form',
  'webhook',
  'preview',
  'report',
  'file',
  'ops',
  'unmatched',
] as const;
export type FixedRoute = (typeof FIXED_ROUTES)[number];
const PAGE_ROUTES: readonly string[] = routeTable.map(({ id }) => id);
const ROUTES: readonly string[] = [...new Set([...PAGE_ROUTES, ...FIXED_ROUTES, OTHER])];
const POSTED: readonly FixedRoute[] = ['form', 'webhook', 'report'];
const TYPES: readonly string[] = Object.values(contentTypes).flatMap(({ path }) => path ?? []);

/** The reasons why a replica is degraded, in the order of `/readyz`. */
export const DEGRADED = ['disk', 'cms', 'refused', 'emptied', 'store', 'log', 'queue', 'media'] as const;
export type DegradedReason = (typeof DEGRADED)[number];

/** The causes of a 503, in metrics and in the log entry of the request. */
export const UNAVAILABLE = [
  'busy',
  'cms',
  'loading',
  'late',
  'search',
  'outbox',
  'picture',
  'other',
] as const;
export type UnavailableCause = (typeof UNAVAILABLE)[number];

/** The metrics of the site. Names of OpenTelemetry where it has one. `docs/metrics.md` is written from it. */
export const METRICS = {
  http_server_request_duration_seconds: {
    type: 'histogram',
    help: 'Requests that were answered, by route, method and status; 499 if the client disconnected first',
    labels: [
      ['http_route', ROUTES],
      ['http_request_method', METHODS],
      ['http_response_status_code', null],
    ],
    zeros: ROUTES.flatMap(route =>
      ['200', '500', '503'].map(status => [
        route,
        POSTED.some(posted => posted === route) ? 'POST' : 'GET',
        status,
      ]),
    ),
  },
  http_server_active_requests: {
    type: 'gauge',
    help: 'Requests in flight, without assets and cache hits, which are answered at once',
  },
  site_connections: { type: 'gauge', help: 'Open connections, by port', labels: [['port', ['site', 'ops']]] },
  site_connections_max: {
    type: 'gauge',
    help: 'The most open connections, by port; further ones are refused',
    labels: [['port', ['site', 'ops']]],
  },
  site_connections_refused_total: {
    type: 'counter',
    help: 'Connections that were closed at once, because too many were open',
  },
  site_answers_total: {
    type: 'counter',
    help: 'Requests, by the way of the answer: fast (a file of the build or a stored page, by the listener), express, or refused because no stored page exists (not-stored)',
    labels: [['way', ['fast', 'express', 'not-stored']]],
  },
  site_rate_limited_total: {
    type: 'counter',
    help: 'Requests answered with 429, by the limit',
    labels: [
      ['limit', ['forms', 'subscribe', 'search', 'client-errors', 'csp-reports', 'webhook', 'vitals']],
    ],
  },
  site_unavailable_total: {
    type: 'counter',
    help: 'Requests answered with 503, by cause: busy (no place or a late event loop), cms (no content), loading (the start), late (30 s are over), search, outbox (a message was not stored), picture (it cannot be made), other',
    labels: [['cause', UNAVAILABLE]],
  },
  site_page_answers_total: {
    type: 'counter',
    help: 'Pages and payloads answered, by what the page cache did',
    labels: [['outcome', ['hit', 'stale', 'miss', 'bypass']]],
  },
  site_page_cache_events_total: {
    type: 'counter',
    help: 'Events of the page cache, by kind',
    labels: [
      [
        'event',
        [
          'stored',
          'evicted',
          'negative-evicted',
          'loaded-from-disk',
          'loaded-from-others',
          'removed',
          'outdated',
          'revalidation-failed',
        ],
      ],
    ],
  },
  site_cache_evictions_total: {
    type: 'counter',
    help: 'Entries evicted to make room, by layer',
    labels: [['layer', ['pages', 'negative-pages', 'content']]],
  },
  site_cache_bytes: {
    type: 'gauge',
    help: 'Stored bytes, by layer',
    labels: [['layer', ['pages', 'negative-pages', 'decoded-pages', 'cards', 'content']]],
  },
  site_cache_entries: {
    type: 'gauge',
    help: 'Stored entries, by layer',
    labels: [['layer', ['pages', 'negative-pages', 'decoded-pages', 'cards', 'content']]],
  },
  site_oldest_content_seconds: {
    type: 'gauge',
    help: 'Age of the oldest content in the pages that were answered in the last minute or two; NaN with no answer',
  },
  site_first_expiry_seconds: {
    type: 'gauge',
    help: 'Time until the first stored page may not be served any more; NaN with none stored',
  },
  site_page_renders_in_flight: { type: 'gauge', help: 'Renders in flight, or waiting for a place' },
  site_pages_waiting: { type: 'gauge', help: 'Pages that wait for a place to be rendered' },
  site_content_loads_in_flight: { type: 'gauge', help: 'Loads of content in flight' },
  site_background_waiting: {
    type: 'gauge',
    help: 'Work that waits until visitors leave room: the compression of uncompressed pages, and records for the disk',
    labels: [['work', ['encoding', 'record']]],
  },
  site_render_duration_seconds: { type: 'histogram', help: 'Rendering a page' },
  site_compress_duration_seconds: { type: 'histogram', help: 'Compressing a page' },
  site_scale_duration_seconds: { type: 'histogram', help: 'Scaling a picture' },
  http_client_request_duration_seconds: {
    type: 'histogram',
    help: 'Calls of the content backend for content, by its host',
    labels: [
      ['server_address', null],
      ['http_request_method', ['GET']],
    ],
  },
  site_backend_up: {
    type: 'gauge',
    help: '1 while the content backend answers and no known content type is refused, emptied or down; else 0',
  },
  site_backend_calls_total: {
    type: 'counter',
    help: 'Calls for content, by content type and outcome: ok, a status, the kind of failure, or aborted',
    labels: [
      ['type', [...TYPES, 'other']],
      [
        'outcome',
        [
          'ok',
          '400',
          '401',
          '403',
          '404',
          '429',
          '3xx',
          '4xx',
          '5xx',
          'unreachable',
          'timeout',
          'malformed',
          'too-large',
          'refused-by-breaker',
          'aborted',
          'failed',
        ],
      ],
    ],
  },
  site_backend_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last call for content that succeeded; 0 for none since the start',
  },
  site_backend_last_failure_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last call for content that failed; 0 for none since the start',
  },
  site_content_state: {
    type: 'gauge',
    help: '1 for the state of a content type, 0 for the other states; all are 0 before the type was asked for',
    labels: [
      ['type', TYPES],
      ['state', ['ok', 'empty', 'emptied', 'refused', 'down']],
    ],
  },
  site_content_entries: {
    type: 'gauge',
    help: 'Entries of each content type, as they were believed last: a loss that is not believed does not lower it',
    labels: [['type', null]],
  },
  site_content_reads_total: {
    type: 'counter',
    help: 'Reads of content, by what the content cache did',
    labels: [['outcome', ['hit', 'miss', 'peeked', 'joined', 'stale', 'failed']]],
  },
  site_content_problems_total: {
    type: 'counter',
    help: 'Problems found in the content, by kind, each once until the content changes',
    labels: [
      [
        'kind',
        [
          'row-left-out',
          'row-kept',
          'address-clash',
          'address-reserved',
          'value-left-out',
          'shown-as-text',
          'element-left-out',
          'address-refused',
          'broken-json',
          'relation-absent',
          'field-absent',
          'undated-articles',
          'list-incomplete',
          'redirect-left-out',
          'not-listed',
        ],
      ],
    ],
  },
  site_webhook_events_total: {
    type: 'counter',
    help: 'Events of the content webhook, by outcome: accepted, or the reason of the refusal',
    labels: [
      [
        'outcome',
        ['accepted', 'unknown-model', 'nothing-to-do', 'wrong-secret', 'too-many-guesses', 'no-event'],
      ],
    ],
  },
  site_last_event_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last event of the CMS that a replica has accepted; 0 for none since the start',
  },
  site_last_sweep_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last complete sweep for lost events by this replica; 0 for none since the start',
  },
  site_sweep_repairs_total: {
    type: 'counter',
    help: 'Sweeps of a content type that have found changes of which no event has told, by type',
    labels: [['type', TYPES]],
  },
  site_doctor_findings: {
    type: 'gauge',
    help: 'Findings of the last examination of the CMS, by grade; 0 before the first',
    labels: [['grade', ['error', 'warning', 'may-stay']]],
  },
  site_doctor_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last examination of the CMS; 0 for none since the start',
  },
  site_media_up: {
    type: 'gauge',
    help: '1 while a server of media answers, else 0: the backend, or an origin of MEDIA_ORIGINS',
    labels: [['server', null]],
  },
  site_rendition_answers_total: {
    type: 'counter',
    help: 'Requests for renditions of pictures, by outcome',
    labels: [['outcome', ['hit', 'made', 'refused', 'busy', 'absent', 'unavailable', 'failed', 'given-up']]],
  },
  site_share_card_answers_total: {
    type: 'counter',
    help: 'Requests for the cards of shared links, by outcome',
    labels: [['outcome', ['hit', 'made', 'failed']]],
  },
  site_renditions_in_flight: { type: 'gauge', help: 'Pictures that are being scaled' },
  site_renditions_waiting: { type: 'gauge', help: 'Pictures that wait for their turn to be scaled' },
  site_scaler_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory of the process that scales pictures; 0 while it does not run',
  },
  site_search_up: { type: 'gauge', help: '1 while the index of the search answers, else 0' },
  site_search_waiting: { type: 'gauge', help: 'Searches that wait for the index, or are being answered' },
  site_searches_total: {
    type: 'counter',
    help: 'Searches, by outcome: stored (the answer was in memory), answered by the index, refused because too many wait, or failed',
    labels: [['outcome', ['stored', 'answered', 'refused', 'failed']]],
  },
  site_forms_total: {
    type: 'counter',
    help: 'Posts of the forms, by form and outcome: sent, invalid, trapped, too-soon, limited, or failed',
    labels: [
      ['form', ['contact', 'subscribe', 'confirm', 'leave']],
      ['outcome', ['sent', 'invalid', 'trapped', 'too-soon', 'limited', 'failed']],
    ],
  },
  site_messages_total: {
    type: 'counter',
    help: 'Messages of the forms by what happened in this process: accepted (safe on disk), delivered to the CMS, tries that failed, and dead letters',
    labels: [['event', ['accepted', 'delivered', 'failed', 'dead']]],
  },
  site_last_delivery_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last delivery of a message by this process; 0 for none since the start',
  },
  site_outbox_waiting: { type: 'gauge', help: 'Messages that wait for their delivery' },
  site_outbox_oldest_seconds: { type: 'gauge', help: 'Age of the oldest message that waits; 0 for none' },
  site_outbox_oldest_timestamp_seconds: {
    type: 'gauge',
    help: 'Time since when the oldest message waits; 0 for none',
  },
  site_outbox_dead: { type: 'gauge', help: 'Messages that could not be delivered' },
  site_queue_up: {
    type: 'gauge',
    help: '1 while the queue of the outbox (OUTBOX_URL) can be used, else 0',
  },
  site_queue_jobs: {
    type: 'gauge',
    help: 'Messages in the queue of the outbox, by state; none while site_queue_up is 0',
    labels: [['state', null]],
  },
  site_client_errors_total: {
    type: 'counter',
    help: 'Errors that browsers have reported, by where they happened',
    labels: [['where', ['render', 'uncaught', 'hydration']]],
  },
  site_csp_reports_total: {
    type: 'counter',
    help: 'Violations of the content security policy that browsers have reported',
  },
  site_previews_total: {
    type: 'counter',
    help: 'Previews that editors have opened, by outcome',
    labels: [['outcome', ['opened', 'refused', 'failed']]],
  },
  site_disk_writable: { type: 'gauge', help: 'Whether the data folder could be written at the last try' },
  site_disk_free_bytes: { type: 'gauge', help: 'Free bytes where DATA_DIR is, for the user of the process' },
  site_disk_folder_bytes: {
    type: 'gauge',
    help: 'Bytes in a folder of DATA_DIR, counted every ten minutes',
    labels: [['folder', null]],
  },
  site_log_lines_dropped_total: {
    type: 'counter',
    help: 'Lines of the log that were dropped, because the reader of the log had stopped',
  },
  site_shared_up: {
    type: 'gauge',
    help: '1 while the shared store (SHARED_URL) answers and takes what is written, else 0',
  },
  site_shared_calls_total: {
    type: 'counter',
    help: 'Commands for the shared store, by purpose and outcome: answered, refused, late, unreachable, skipped because it has just failed, or forged: a value that no replica with this SHARED_SECRET has written, by the first word of its key',
    labels: [
      ['op', ['asset', 'beat', 'put', 'get', 'extend', 'remove', 'lock', 'release', 'limit', 'probe', OTHER]],
      ['outcome', ['answered', 'refused', 'late', 'unreachable', 'skipped', 'forged']],
    ],
  },
  site_shared_duration_seconds: {
    type: 'histogram',
    help: 'Time until the shared store has answered, by purpose',
    labels: [
      ['op', ['asset', 'beat', 'put', 'get', 'extend', 'remove', 'lock', 'release', 'limit', 'probe', OTHER]],
    ],
  },
  site_purge_lag_seconds: {
    type: 'gauge',
    help: 'How long ago the log of invalidations that replicas share was known to be read to its end: at most 2 while it works',
  },
  site_replicas: {
    type: 'gauge',
    help: 'Replicas that this one sees in the shared store, by state; missing ones have been silent for 15 s',
    labels: [['state', ['present', 'missing']]],
  },
  site_cdn_purges_total: {
    type: 'counter',
    help: 'Words purged in CDNs (purged), sent once more 5 s later (again), and calls that have failed (failed)',
    labels: [
      ['target', null],
      ['outcome', ['purged', 'again', 'failed']],
    ],
  },
  site_cdn_purges_waiting: {
    type: 'gauge',
    help: 'Words that wait to be purged in a CDN: more than a few for longer than a second says that the CDN cannot be purged',
    labels: [['target', null]],
  },
  site_ready: { type: 'gauge', help: '1 while load balancers may send requests, else 0' },
  site_readiness: {
    type: 'gauge',
    help: '1 for the state of /readyz, 0 for the others',
    labels: [['state', ['ready', 'degraded', 'loading', 'draining']]],
  },
  site_degraded: {
    type: 'gauge',
    help: '1 while a reason holds for which /readyz says degraded, else 0',
    labels: [['reason', DEGRADED]],
  },
  site_build_info: {
    type: 'gauge',
    help: 'Always 1; the labels name the running build and the replica (REPLICA_ID)',
    labels: [
      ['build', null],
      ['replica', null],
    ],
  },
  nodejs_eventloop_time_seconds_total: {
    type: 'counter',
    help: 'Time that the event loop was active, and idle',
    labels: [['nodejs_eventloop_state', ['active', 'idle']]],
  },
  nodejs_eventloop_delay_p50_seconds: {
    type: 'gauge',
    help: 'Median delay of the event loop, last minute or two',
  },
  nodejs_eventloop_delay_p99_seconds: {
    type: 'gauge',
    help: 'The delay of the event loop that 1 % exceed, last minute or two',
  },
  nodejs_eventloop_delay_max_seconds: {
    type: 'gauge',
    help: 'The longest delay of the event loop, last minute or two',
  },
} as const satisfies Readonly<Record<string, Metric>>;
