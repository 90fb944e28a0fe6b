import { contentTypes } from '../../../shared/content/content-types.ts';
import { routeTable } from '../../../shared/routing/routes.ts';
import { PROBLEM_KINDS } from '../log-codes.ts';

/** A label and its values, or null if the values are known only at run time. */
type Label = readonly [name: string, words: readonly string[] | null];

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** The labels in the order of the values in calls. */
  readonly labels: readonly Label[];
}

const counter = <const L extends readonly Label[]>(help: string, ...labels: L) =>
  ({ type: 'counter', help, labels }) as const;
const gauge = <const L extends readonly Label[]>(help: string, ...labels: L) =>
  ({ type: 'gauge', help, labels }) as const;
const histogram = <const L extends readonly Label[]>(help: string, ...labels: L) =>
  ({ type: 'histogram', help, labels }) as const;

/** The value of a label for a method, route or word that the table does not list. */
export const OTHER = '_OTHER';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', OTHER];
/** The routes besides pages. `unmatched`: no route has answered. */
const FIXED_ROUTES = [
  'asset',
  'media',
  'feed',
  'sitemap',
  'markdown',
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
/** The routes of page views. `_OTHER`: an address that is no page. */
const VIEWED: readonly string[] = [...PAGE_ROUTES, OTHER];
const DEVICES = ['desktop', 'tablet', 'mobile'] as const;
const POSTED: readonly FixedRoute[] = ['form', 'webhook', 'report'];
const TYPES: readonly string[] = Object.values(contentTypes).flatMap(({ path }) => path ?? []);

/**
 * Series with these outcomes, or with SHARED_OPS, exist from the start. Others begin at their first event.
 */
const CALL_OUTCOMES: readonly string[] = [
  ...['ok', '400', '401', '403', '404', '429', '3xx', '4xx', '5xx', 'unreachable', 'timeout', 'malformed'],
  ...['too-large', 'refused-by-breaker', 'aborted', 'failed'],
];
const SHARED_OPS: readonly string[] = [
  ...['asset', 'beat', 'put', 'get', 'extend', 'remove', 'lock', 'release', 'limit', 'probe'],
];

export const DEGRADED = [
  'disk',
  'damaged',
  'cms',
  'refused',
  'emptied',
  'store',
  'log',
  'queue',
  'outbox',
  'media',
] as const;
export type DegradedReason = (typeof DEGRADED)[number];

/** The causes of a 503, in metrics and in the log entry of the request. */
const UNAVAILABLE = ['busy', 'cms', 'loading', 'late', 'search', 'outbox', 'picture', 'other'] as const;
export type UnavailableCause = (typeof UNAVAILABLE)[number];

export const LIMITS = [
  'forms',
  'subscribe',
  'searches',
  'client-errors',
  'csp-reports',
  'webhook',
  'vitals',
] as const;
export type LimitName = (typeof LIMITS)[number];

/** Secrets whose uses no other metric counts. */
const SECRETS = [
  ...(['WEBHOOK_SECRET_OLD', 'PREVIEW_SECRET_OLD', 'SUBSCRIBE_SECRET_OLD', 'SHARED_SECRET_OLD'] as const),
  ...(['OPS_TOKEN', 'PREVIEW_TOKEN', 'SUBSCRIBE_SECRET', 'FORM_WEBHOOK_SECRET'] as const),
] as const;
export type CountedSecret = (typeof SECRETS)[number];

const CALL_TYPES = [...TYPES, 'other'];
const LAYERS = ['pages', 'negative-pages', 'decoded-pages', 'cards', 'content'] as const;
const PAGE_EVENTS = [
  ...(['stored', 'evicted', 'negative-evicted', 'loaded-from-disk', 'loaded-from-others'] as const),
  ...(['removed', 'outdated', 'revalidation-failed'] as const),
] as const;

/** The metrics, named as in OpenTelemetry where possible. `docs/metrics.md` is generated from the table. */
// biome-ignore format: a table has one row a line.
export const METRICS = {
  http_server_request_duration_seconds: histogram('Requests that were answered, by route, method and status; 499 if the client disconnected first', ['http_route', ROUTES], ['http_request_method', METHODS], ['http_response_status_code', null]),
  http_server_active_requests: gauge('Requests in flight, without assets and cache hits, which are answered at once'),
  site_connections: gauge('Open connections, by port', ['port', ['site', 'ops']]),
  site_connections_max: gauge('The most open connections, by port; further ones are refused', ['port', ['site', 'ops']]),
  site_connections_refused_total: counter('Connections that were closed at once, because too many were open'),
  site_answers_total: counter('Requests, by the way of the answer: fast (a file of the build or a stored page, by the listener), express, refused for its host, address or secret of a preview (refused), or for a proxy because no stored page exists (not-stored)', ['way', ['fast', 'express', 'refused', 'not-stored']]),
  site_rate_limited_total: counter('Requests answered with 429, by the limit', ['limit', LIMITS]),
  site_unavailable_total: counter('Requests answered with 503, by cause: busy (no place or a late event loop), cms (no content), loading (the start), late (30 s are over), search, outbox (a message was not stored), picture (it cannot be made), other', ['cause', UNAVAILABLE]),
  site_page_answers_total: counter('Pages and payloads answered, by what the page cache did', ['outcome', ['hit', 'stale', 'miss', 'bypass']]),
  site_page_cache_events_total: counter('Events of the page cache, by kind', ['event', PAGE_EVENTS]),
  site_cache_evictions_total: counter('Entries evicted to make room, by layer', ['layer', ['pages', 'negative-pages', 'content']]),
  site_cache_bytes: gauge('Stored bytes, by layer', ['layer', LAYERS]),
  site_cache_entries: gauge('Stored entries, by layer', ['layer', LAYERS]),
  site_oldest_content_seconds: gauge('Age of the oldest content in the pages that were answered in the last minute or two; NaN with no answer'),
  site_first_expiry_seconds: gauge('Time until the first stored page may not be served any more; NaN with none stored'),
  site_page_renders_in_flight: gauge('Renders in flight, or waiting for a place'),
  site_pages_waiting: gauge('Pages that wait for a place to be rendered'),
  site_content_loads_in_flight: gauge('Loads of content in flight'),
  site_background_waiting: gauge('Work that waits until visitors leave room: the compression of uncompressed pages, and records for the disk', ['work', ['encoding', 'record']]),
  site_render_duration_seconds: histogram('Rendering a page'),
  site_compress_duration_seconds: histogram('Compressing a page'),
  site_scale_duration_seconds: histogram('Scaling a picture'),
  http_client_request_duration_seconds: histogram('Calls of the content backend for content, by its host', ['server_address', null], ['http_request_method', ['GET']]),
  site_backend_up: gauge('1 while the content backend answers and no known content type is refused, emptied or down; else 0'),
  site_backend_calls_total: counter('Calls for content, by content type and outcome: ok, a status, the kind of failure, or aborted', ['type', CALL_TYPES], ['outcome', CALL_OUTCOMES]),
  site_backend_last_success_timestamp_seconds: gauge('Time of the last call for content that succeeded; 0 for none since the start'),
  site_backend_last_failure_timestamp_seconds: gauge('Time of the last call for content that failed; 0 for none since the start'),
  site_content_state: gauge('1 for the state of a content type, 0 for the other states; all are 0 before the type was asked for', ['type', TYPES], ['state', ['ok', 'empty', 'emptied', 'refused', 'down']]),
  site_content_entries: gauge('Entries of each content type, as last accepted: a loss that is not accepted does not lower it', ['type', null]),
  site_content_reads_total: counter('Reads of content, by what the content cache did', ['outcome', ['hit', 'miss', 'peeked', 'joined', 'stale', 'failed']]),
  site_content_problems_total: counter('Problems found in the content, by kind, each once until the content changes', ['kind', PROBLEM_KINDS]),
  site_webhook_events_total: counter('Events of the content webhook, by outcome: accepted, or the reason of the refusal', ['outcome', ['accepted', 'unknown-model', 'nothing-to-do', 'wrong-secret', 'too-many-guesses', 'no-event']]),
  site_last_event_timestamp_seconds: gauge('Time of the last event of the CMS that a replica has accepted; 0 for none since the start'),
  site_last_sweep_timestamp_seconds: gauge('Time of the last complete sweep for lost events by this replica; 0 for none since the start'),
  site_sweep_repairs_total: counter('Sweeps of a content type that have found changes of which no event has told, by type', ['type', TYPES]),
  site_doctor_findings: gauge('Findings of the last examination of the CMS, by grade; 0 before the first', ['grade', ['error', 'warning', 'may-stay']]),
  site_doctor_timestamp_seconds: gauge('Time of the last examination of the CMS; 0 for none since the start'),
  site_media_up: gauge('1 while a server of media answers, else 0: the backend, or an origin of MEDIA_ORIGINS', ['server', null]),
  site_rendition_answers_total: counter('Requests for renditions of pictures, by outcome', ['outcome', ['hit', 'made', 'refused', 'busy', 'absent', 'unavailable', 'failed', 'given-up']]),
  site_share_card_answers_total: counter('Requests for the cards of shared links, by outcome', ['outcome', ['hit', 'made', 'failed', 'given-up']]),
  site_renditions_in_flight: gauge('Pictures that are being scaled'),
  site_renditions_waiting: gauge('Pictures that wait for their turn to be scaled'),
  site_scaler_resident_memory_bytes: gauge('Resident memory of the process that scales pictures; 0 while it does not run'),
  site_search_up: gauge('1 while the index of the search answers, else 0'),
  site_search_waiting: gauge('Searches that wait for the index, or are being answered'),
  site_searches_total: counter('Searches, by outcome: stored (the answer was in memory), answered by the index, refused because too many wait, or failed', ['outcome', ['stored', 'answered', 'refused', 'failed']]),
  site_forms_total: counter('Posts of the forms, by form and outcome: sent, invalid, trapped, too-soon, limited, or failed', ['form', ['contact', 'subscribe', 'page-form', 'confirm', 'leave']], ['outcome', ['sent', 'invalid', 'trapped', 'too-soon', 'limited', 'failed']]),
  site_messages_total: counter('Messages of the forms by what happened in this process: accepted (safe on disk), delivered to the CMS, tries that failed, and dead letters', ['event', ['accepted', 'delivered', 'failed', 'dead']]),
  site_last_delivery_timestamp_seconds: gauge('Time of the last delivery of a message by this process; 0 for none since the start'),
  site_outbox_waiting: gauge('Messages that wait for their delivery'),
  site_outbox_oldest_seconds: gauge('Age of the oldest message that waits; 0 for none'),
  site_outbox_oldest_timestamp_seconds: gauge('Time since when the oldest message waits; 0 for none'),
  site_outbox_dead: gauge('Messages that could not be delivered'),
  site_queue_up: gauge('1 while the queue of the outbox (OUTBOX_URL) can be used, else 0'),
  site_queue_jobs: gauge('Messages in the queue of the outbox, by state; none while site_queue_up is 0', ['state', null]),
  site_queue_calls_total: counter('Calls of the queue, by outcome: answered, refused for the password of OUTBOX_URL, or failed', ['outcome', ['answered', 'refused', 'failed']]),
  site_client_errors_total: counter('Errors that browsers have reported, by where they happened', ['where', ['render', 'uncaught', 'hydration']]),
  site_csp_reports_total: counter('Violations of the content security policy that browsers have reported'),
  site_previews_total: counter('Previews that editors have opened, by outcome', ['outcome', ['opened', 'refused', 'failed']]),
  site_page_views_total: counter('Views of pages that browsers report, by route and class of the device', ['http_route', VIEWED], ['device', DEVICES]),
  site_web_vitals_lcp_seconds: histogram('Largest Contentful Paint that browsers report, by route and class of the device', ['http_route', VIEWED], ['device', DEVICES]),
  site_web_vitals_inp_seconds: histogram('Interaction to Next Paint that browsers report, by route and class of the device', ['http_route', VIEWED], ['device', DEVICES]),
  site_web_vitals_ttfb_seconds: histogram('Time to First Byte that browsers report, by route and class of the device', ['http_route', VIEWED], ['device', DEVICES]),
  site_web_vitals_cls: histogram('Cumulative Layout Shift that browsers report, by route and class of the device', ['http_route', VIEWED], ['device', DEVICES]),
  site_disk_writable: gauge('Whether the data folder could be written at the last try'),
  site_disk_free_bytes: gauge('Free bytes where DATA_DIR is, for the user of the process'),
  site_disk_folder_bytes: gauge('Bytes in a folder of DATA_DIR, counted every ten minutes', ['folder', null]),
  site_log_lines_dropped_total: counter('Lines of the log that were dropped, because the reader of the log had stopped'),
  site_shared_up: gauge('1 while the shared store (SHARED_URL) answers and takes what is written, else 0'),
  site_shared_calls_total: counter('Commands for the shared store, by purpose and outcome: answered, refused, late, unreachable, skipped because it has just failed, or forged: a value that no replica with this SHARED_SECRET has written, by the first word of its key', ['op', SHARED_OPS], ['outcome', ['answered', 'refused', 'late', 'unreachable', 'skipped', 'forged']]),
  site_shared_duration_seconds: histogram('Time until the shared store has answered, by purpose', ['op', SHARED_OPS]),
  site_secret_uses_total: counter('Uses of secrets, by outcome: used, or refused by the side that checks them; former secrets (…_OLD) are never refused', ['secret', SECRETS], ['outcome', ['used', 'refused']]),
  site_purge_lag_seconds: gauge('How long ago the log of invalidations that replicas share was known to be read to its end: at most 2 while it works'),
  site_replicas: gauge('Replicas that this one sees in the shared store, by state; missing ones have been silent for 15 s', ['state', ['present', 'missing']]),
  site_cdn_purges_total: counter('Words purged in CDNs (purged), sent once more 5 s later (again), and calls that have failed (failed)', ['target', null], ['outcome', ['purged', 'again', 'failed']]),
  site_cdn_purges_waiting: gauge('Words that wait to be purged in a CDN: more than a few for longer than a second says that the CDN cannot be purged', ['target', null]),
  site_ready: gauge('1 while load balancers may send requests, else 0'),
  site_readiness: gauge('1 for the state of /readyz, 0 for the others', ['state', ['ready', 'degraded', 'loading', 'draining']]),
  site_degraded: gauge('1 while a reason holds for which /readyz says degraded, else 0', ['reason', DEGRADED]),
  site_build_info: gauge('Always 1; the labels name the running build and the replica (REPLICA_ID)', ['build', null], ['replica', null]),
  nodejs_eventloop_time_seconds_total: counter('Time that the event loop was active, and idle', ['nodejs_eventloop_state', ['active', 'idle']]),
  nodejs_eventloop_delay_p50_seconds: gauge('Median delay of the event loop, last minute or two'),
  nodejs_eventloop_delay_p99_seconds: gauge('The delay of the event loop that 1 % exceed, last minute or two'),
  nodejs_eventloop_delay_max_seconds: gauge('The longest delay of the event loop, last minute or two'),
} as const satisfies Readonly<Record<string, Metric>>;

/** For a metric with too many combinations of label values: the series that exist from the start. */
export const ZEROS: Readonly<Partial<Record<keyof typeof METRICS, readonly (readonly string[])[]>>> = {
  http_server_request_duration_seconds: ROUTES.flatMap(route => {
    const method = POSTED.some(posted => posted === route) ? 'POST' : 'GET';
    return ['200', '500', '503'].map(status => [route, method, status]);
  }),
};

/** Environment variables that enable a feature, each with prefixes of the metrics that only then exist. */
export const PARTS = {
  SHARED_URL: ['site_shared_', 'site_purge_lag_', 'site_replicas'],
  OUTBOX_URL: ['site_queue_'],
  CDN_PURGE: ['site_cdn_'],
  PREVIEW_SECRET: ['site_previews_'],
  RUM: ['site_page_views_', 'site_web_vitals_'],
} as const;
