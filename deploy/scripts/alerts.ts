import type { DegradedReason } from '../../server/ops/metrics/metric-table.ts';
import { burnRates } from './objectives.ts';

/** The memory that a site gets in `deploy/`: `mem_limit`, `limits.memory`, `MemoryMax`. */
export const MEMORY_LIMIT_BYTES = 1024 ** 3;

/**
 * Makes a rule of `deploy/alerts.yml` and a row of the runbook's table. `page` wakes somebody. `ticket` waits
 * for the morning.
 */
export interface Alert {
  readonly name: string;
  readonly severity: 'page' | 'ticket';
  readonly expression: string;
  /** How long the expression must hold. Without it one evaluation is enough. */
  readonly for?: string;
  readonly when: string;
  readonly look: string;
  /** Anchor of the runbook's section. */
  readonly page: string;
}

/**
 * A counter that has grown within the window. A new series counts with its value, because it may begin with
 * its first event.
 */
function grows(counter: string, window = '15m'): string {
  return `increase(${counter}[${window}]) > 0 or (${counter} > 0 unless ${counter} offset ${window})`;
}

/** A reason of `degraded`. The window covers a scrape that meets a restart. */
function degraded(reason: DegradedReason): string {
  return `max_over_time(site_degraded{reason="${reason}"}[1m]) == 1`;
}

const SHARED_STORE_DOWN = degraded('store');

export const ALERTS: readonly Alert[] = [
  ...burnRates,
  {
    name: 'SiteUnwatched',
    severity: 'page',
    expression: 'absent(up{job="site"})',
    for: '5m',
    when: 'Prometheus knows no replica for five minutes',
    look: 'no other alarm can fire. Mend `scrape_configs`, or the ServiceMonitor',
    page: 'first-look',
  },
  {
    name: 'ReplicaSilent',
    severity: 'page',
    expression: 'up{job="site"} == 0',
    for: '1m',
    when: '`up` of Prometheus is 0 for a replica for a minute',
    look: 'find its process. All at once: look at what they share',
    page: 'a-replica-hangs',
  },
  {
    name: 'ReplicaMissing',
    severity: 'ticket',
    // Without the store a replica cannot report. `SharedStoreDown` is the alarm of that.
    expression: `max(site_replicas{state="missing"}) > 0 unless on() max(${SHARED_STORE_DOWN})`,
    for: '1m',
    when: '`site_replicas{state="missing"}` is above 0 for a minute, without the reason of `SharedStoreDown`',
    look: 'others have not heard of it, and `/replicas` has its name with `"isMissing":true`, for an hour or until it is replaced',
    page: 'a-replica-hangs',
  },
  {
    name: 'MixedBuilds',
    severity: 'ticket',
    // The window covers scrapes that fail, as on a busy machine.
    expression: 'count(count by (build) (max_over_time(site_build_info[2m]))) > 1',
    for: '15m',
    when: '`site_build_info` has more than one `build` for a quarter of an hour',
    look: 'the replicas of a deploy that has stopped half-way: `count by (build, replica) (site_build_info)` has their names',
    page: 'replicas-run-different-builds',
  },
  {
    name: 'SiteNotReady',
    severity: 'page',
    expression: 'site_ready == 0',
    for: '1m',
    when: '`/readyz` is not 200 for a minute: `site_ready` is 0',
    look: '`content-start-failed` in the log has the reasons',
    page: 'the-process-does-not-become-ready',
  },
  {
    name: 'CmsDown',
    severity: 'page',
    expression: degraded('cms'),
    for: '5m',
    when: '`site_degraded{reason="cms"}` is 1 for five minutes',
    look: 'a single type that fails is in `contentTypes` of `/readyz`, with the reason',
    page: 'the-cms-is-down',
  },
  {
    name: 'CmsRefuses',
    severity: 'page',
    expression: degraded('refused'),
    for: '5m',
    when: '`site_degraded{reason="refused"}` is 1 for five minutes',
    look: '`contentTypes` in `/readyz` has the types that the CMS refuses, with a remedy each. All with 401: `CONTENT_TOKEN`',
    page: 'a-content-type-is-not-ok',
  },
  {
    name: 'MediaDown',
    severity: 'ticket',
    expression: 'site_media_up == 0',
    for: '5m',
    when: '`site_media_up` is 0 for five minutes',
    look: 'the server that the label names',
    page: 'pictures-are-missing',
  },
  {
    name: 'ContentTypeEmpty',
    severity: 'ticket',
    expression: 'site_content_state{state="empty"} == 1',
    for: '10m',
    when: '`site_content_state{state="empty"}` is 1 for ten minutes after the set-up or a deploy',
    look: 'it was never saved, or its permission was never given. The backend counts as up. Silence it for a type that your site leaves out',
    page: 'a-content-type-is-not-ok',
  },
  {
    name: 'ContentEmptied',
    severity: 'page',
    expression: 'site_content_state{state="emptied"} == 1',
    when: '`site_content_state{state="emptied"}` is 1',
    look: 'look at once. Its entries are gone, and after an hour that is accepted',
    page: 'the-cms-answers-but-its-content-is-gone-or-wrong',
  },
  {
    name: 'ContentOld',
    severity: 'ticket',
    expression: 'site_oldest_content_seconds > 3600',
    for: '5m',
    when: '`site_oldest_content_seconds` is above an hour for five minutes',
    look: 'visitors see content that old; the entries about content types say why',
    page: 'a-content-type-is-not-ok',
  },
  {
    name: 'CmsCallsFail',
    severity: 'ticket',
    // A refusal has an alarm. A CMS may lack an optional type for ever. The breaker repeats a failure.
    expression: `sum by (instance, outcome) (${grows('site_backend_calls_total{outcome!~"ok|aborted|refused-by-breaker|401|403|404"}')})`,
    when: '`site_backend_calls_total` grows for an outcome other than `ok` and `refused-by-breaker`; 401, 403 and 404 have the alarms of their type',
    look: 'the label `outcome` says how calls fail, the metric for which `type`',
    page: 'the-cms-is-down',
  },
  {
    name: 'PagesExpireSoon',
    severity: 'page',
    expression: 'site_first_expiry_seconds < 86400',
    for: '15m',
    when: '`site_first_expiry_seconds` is below a day',
    look: 'the first stored page can soon not be served any more, so repair the CMS',
    page: 'the-cms-is-down',
  },
  {
    name: 'Answers503',
    severity: 'ticket',
    // `SiteNotReady` is the alarm of a process without content.
    expression: grows('site_unavailable_total{cause!="loading"}'),
    when: '`site_unavailable_total` grows for a cause other than `loading`',
    look: 'the label `cause`',
    page: 'visitors-get-503',
  },
  {
    name: 'Answers500',
    severity: 'ticket',
    expression: grows('http_server_request_duration_seconds_count{http_response_status_code="500"}'),
    when: '`http_server_request_duration_seconds_count{http_response_status_code="500"}` grows',
    look: 'the entry `http-request-failed` or `render-failed` has the stack',
    page: 'first-look',
  },
  {
    name: 'MessagesWait',
    severity: 'ticket',
    expression: 'site_outbox_oldest_seconds > 3600',
    for: '5m',
    when: '`site_outbox_oldest_seconds` is above an hour',
    look: 'the CMS does not accept them; none is lost',
    page: 'the-outbox-grows',
  },
  {
    name: 'OutboxFull',
    severity: 'page',
    expression: degraded('outbox'),
    for: '1m',
    when: '`site_degraded{reason="outbox"}` is 1 for a minute',
    look: 'messages of the forms are refused',
    page: 'the-outbox-is-full',
  },
  {
    name: 'MessagesDead',
    severity: 'ticket',
    expression: 'site_outbox_dead > 0',
    when: '`site_outbox_dead` is above 0',
    look: '`npm run data -- show ID`, the ops page and `outbox-message-refused` in the log have the sentence of the CMS',
    page: 'the-outbox-grows',
  },
  {
    name: 'QueueDown',
    severity: 'page',
    expression: 'site_queue_up == 0',
    for: '5m',
    when: '`site_queue_up` is 0 for five minutes',
    look: 'messages lie on the disk of their replica alone',
    page: 'the-queue-cannot-be-used',
  },
  {
    name: 'QueueJobsFailed',
    severity: 'ticket',
    expression: 'site_queue_jobs{state="failed"} > 0',
    when: '`site_queue_jobs{state="failed"}` is above 0',
    look: 'as for dead messages',
    page: 'the-outbox-grows',
  },
  {
    name: 'DiskNotWritable',
    severity: 'page',
    expression: 'site_disk_writable == 0',
    for: '1m',
    when: '`site_disk_writable` is 0 for a minute',
    look: 'messages of the forms are refused',
    page: 'the-data-folder-cannot-be-written',
  },
  {
    name: 'FilesDamaged',
    severity: 'ticket',
    expression: degraded('damaged'),
    for: '5m',
    when: '`site_degraded{reason="damaged"}` is 1 for five minutes',
    look: '`damaged` in `/readyz` names the files; many mean a failing disk',
    page: 'stored-files-are-damaged',
  },
  {
    name: 'DiskAlmostFull',
    severity: 'page',
    expression: 'site_disk_free_bytes < 1024 ^ 3',
    for: '5m',
    when: '`site_disk_free_bytes` is below 1 GiB for five minutes',
    look: '`site_disk_folder_bytes` says which folder has grown. None has: something else fills the disk',
    page: 'the-data-folder-cannot-be-written',
  },
  {
    name: 'SharedStoreDown',
    severity: 'ticket',
    expression: SHARED_STORE_DOWN,
    for: '5m',
    when: '`site_degraded{reason="store"}` is 1 for five minutes',
    look: '`sharedReason` and `sharedRemedy` in `/readyz`. Pages are answered; do not deploy meanwhile',
    page: 'the-shared-store-does-not-work',
  },
  {
    name: 'SharedStoreForged',
    severity: 'ticket',
    expression: `sum by (instance) (${grows('site_shared_calls_total{outcome="forged"}')})`,
    when: '`site_shared_calls_total{outcome="forged"}` grows',
    look: 'other secrets, or somebody else; the metric says which kind in `op`',
    page: 'somebody-else-writes-to-the-shared-store',
  },
  {
    name: 'CdnNotPurged',
    severity: 'ticket',
    expression: 'site_cdn_purges_waiting > 0',
    for: '1m',
    when: '`site_cdn_purges_waiting` is above 0 for a minute',
    look: 'the CDN that the label names',
    page: 'a-cdn-cannot-be-purged',
  },
  {
    name: 'InvalidationsLag',
    severity: 'ticket',
    expression: 'site_purge_lag_seconds > 10',
    for: '1m',
    when: '`site_purge_lag_seconds` is above 10 for a minute',
    look: 'changes take up to 20 s',
    page: 'the-shared-log-of-invalidations-does-not-work',
  },
  {
    name: 'HostRefused',
    severity: 'page',
    // Scanners ask for any name, so a share of the visits counts.
    expression:
      'sum(rate(http_server_request_duration_seconds_count{http_response_status_code="421"}[10m])) / sum(rate(http_server_request_duration_seconds_count[10m])) > 0.1',
    for: '5m',
    when: '`http_server_request_duration_seconds_count{http_response_status_code="421"}` is more than a tenth of all answers for five minutes',
    look: 'a host is refused',
    page: 'the-proxy-in-front-does-not-fit',
  },
  {
    name: 'ConnectionsRefused',
    severity: 'page',
    expression: grows('site_connections_refused_total'),
    when: '`site_connections_refused_total` grows',
    look: 'who has so many',
    page: 'too-many-connections',
  },
  {
    name: 'WebhookRefused',
    severity: 'ticket',
    expression: grows('site_webhook_events_total{outcome=~"wrong-secret|too-many-guesses"}'),
    when: '`site_webhook_events_total{outcome=~"wrong-secret\\|too-many-guesses"}` grows',
    look: 'the CMS has another `WEBHOOK_SECRET` than the site, or somebody guesses it. After ten wrong secrets from one address in a minute further ones are a 429. The right secret is always accepted',
    page: 'a-secret-is-changed',
  },
  {
    name: 'LogLinesDropped',
    severity: 'ticket',
    expression: grows('site_log_lines_dropped_total'),
    when: '`site_log_lines_dropped_total` grows',
    look: '`log-entries-dropped` in the log. The program that reads standard output is too slow or hangs. Pages are answered all the same; look at the log driver of the container',
    page: 'first-look',
  },
  {
    name: 'MemoryHigh',
    severity: 'page',
    expression: `process_resident_memory_bytes{job="site"} + site_scaler_resident_memory_bytes > ${Math.round(0.9 * MEMORY_LIMIT_BYTES)}`,
    for: '10m',
    when: '`process_resident_memory_bytes` and `site_scaler_resident_memory_bytes` are together above nine tenths of 1 GiB for ten minutes, the limit in `deploy/`',
    look: 'which cache has grown',
    page: 'memory',
  },
  {
    name: 'SearchDown',
    severity: 'ticket',
    expression: 'site_search_up == 0',
    for: '5m',
    when: '`site_search_up` is 0 for five minutes',
    look: 'first `disk` in `/readyz`; then entries with `search-` in the log',
    page: 'first-look',
  },
  {
    name: 'CmsWronglySetUp',
    severity: 'ticket',
    // Join the replicas: one of them examines for all, and others while they share no log.
    expression: 'max(site_doctor_findings{grade="error"}) > 0',
    for: '15m',
    when: '`site_doctor_findings{grade="error"}` is above 0 for a quarter of an hour',
    look: '`/doctor` and `npm run doctor` say what to click',
    page: 'the-doctor',
  },
];
