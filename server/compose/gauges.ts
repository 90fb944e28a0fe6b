import { statfs } from 'node:fs/promises';
import type { Doctor } from '../doctor/doctor.ts';
import type { DegradedReason } from '../ops/metrics/metric-table.ts';
import type { Readers } from '../ops/metrics/metrics.ts';
import type { Readiness } from '../ops/readiness.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { ContentWarming } from '../page/produce/warm-content.ts';
import type { Changes, ChangesFrom } from './changes.ts';
import type { SiteOptions } from './options.ts';
import type { Storage } from './storage.ts';

export interface Rooms extends ChangesFrom {
  readonly changes: Changes;
  readonly outbox: Outbox;
  readonly contentWarming: ContentWarming;
  readonly doctor: Doctor;
  readonly readiness: Readiness;
}

/** The checks for the list `degraded`. Each must be cheap, because every probe and scrape runs it. */
export function degradedChecks({
  storage: { diskHealth, shared, purges },
  backend,
  content,
  outbox,
}: Pick<Rooms, 'storage' | 'backend' | 'content' | 'outbox'>): Readonly<
  Record<DegradedReason, () => boolean>
> {
  const hasType = (state: string) => () =>
    [...content.contentStates.states().values()].some(found => found === state);
  return {
    disk: () => !diskHealth.state.isWritable,
    damaged: () => diskHealth.damaged.length > 0,
    cms: () => !backend.backendBreaker.isUp || content.backendState() === 'down',
    refused: () => hasType('refused')() || content.backendState() === 'refused',
    emptied: hasType('emptied'),
    store: () => shared?.isUp === false,
    log: () => purges.isUp === false,
    queue: () => outbox.queue?.isUp === false,
    outbox: () => outbox.isFull,
    media: () => [...backend.mediaOrigins.states().values()].includes(false),
  };
}

export function gaugesOf(
  { config, log }: Pick<SiteOptions, 'config' | 'log'>,
  { storage, backend, content, pages, changes, outbox, doctor, readiness }: Rooms,
): Readers {
  const layers = () =>
    [
      ['pages', pages.pages.size.positive],
      ['negative-pages', pages.pages.size.negative],
      ['decoded-pages', pages.pages.decoded.size],
      ['cards', pages.pageCards.size.positive],
      ['content', content.content.cache.size],
    ] as const;
  return {
    site_cache_bytes: () => layers().map(([layer, { bytes }]) => [layer, bytes]),
    site_cache_entries: () => layers().map(([layer, { entries }]) => [layer, entries]),
    site_first_expiry_seconds: () => (pages.pages.timeToFirstExpiryMs() ?? Number.NaN) / 1_000,
    site_page_renders_in_flight: () => pages.pages.inFlight,
    site_pages_waiting: () => pages.renderQueue.work.waiting,
    site_content_loads_in_flight: () => content.content.cache.loading,
    site_background_waiting: () => [
      ['encoding', pages.pages.encodingsWaiting()],
      ['record', pages.pageDisk.waiting() + content.contentDisk.waiting()],
    ],
    site_backend_up: () => Number(content.backendState() === 'up'),
    site_content_state: () => Array.from(content.contentStates.states(), ([type, state]) => [type, state, 1]),
    site_content_entries: () => content.losses.totals(),
    site_last_event_timestamp_seconds: () => secondsOf(changes.webhookOutcomes.last.lastEventAt),
    site_doctor_findings: () => gradesOf(doctor),
    site_doctor_timestamp_seconds: () => secondsOf(doctor.report?.examinedAt ?? null),
    site_media_up: () =>
      Array.from(backend.mediaOrigins.states(), ([server, isUp]) => [server, Number(isUp)]),
    site_renditions_in_flight: () => backend.images.work.running,
    site_renditions_waiting: () => backend.images.work.waiting,
    site_scaler_resident_memory_bytes: () => backend.scaler.residentBytes,
    site_search_up: () => Number(pages.search.state.isUp),
    site_search_waiting: () => pages.search.state.waiting,
    site_outbox_waiting: () => outbox.state.waiting,
    site_outbox_oldest_seconds: () => outbox.state.oldestMs / 1_000,
    site_outbox_oldest_timestamp_seconds() {
      const { oldestMs, waiting } = outbox.state;
      return waiting === 0 ? 0 : (Date.now() - oldestMs) / 1_000;
    },
    site_outbox_dead: () => outbox.state.dead,
    site_disk_writable: () => Number(storage.diskHealth.state.isWritable),
    site_disk_free_bytes: () => freeBytes(config.dataDir),
    site_disk_folder_bytes: () => storage.folderSizes.read(),
    site_log_lines_dropped_total: log.droppedLines,
    site_replicas: () => replicasOf(storage),
    site_ready: () => Number(readiness.isReady),
    site_readiness: () => [[readiness.state, 1]],
    site_degraded: () => readiness.degraded.map(({ reason }) => [reason, 1]),
  };
}

function secondsOf(time: string | null): number {
  return time === null ? 0 : Date.parse(time) / 1_000;
}

function gradesOf({ report }: Doctor) {
  const grades = { error: 0, warning: 0, 'may-stay': 0 };
  for (const { severity, mayStay } of report?.findings ?? []) grades[mayStay ? 'may-stay' : severity] += 1;
  return [
    ['error', grades.error],
    ['warning', grades.warning],
    ['may-stay', grades['may-stay']],
  ] as const;
}

async function freeBytes(dir: string): Promise<number> {
  const found = await statfs(dir).catch(() => null);
  return found === null ? Number.NaN : found.bavail * found.bsize;
}

async function replicasOf({ replicas }: Storage) {
  const found = (await replicas?.list().catch(() => null)) ?? [];
  const missing = found.filter(({ isMissing }) => isMissing).length;
  return [
    ['present', found.length - missing],
    ['missing', missing],
  ] as const;
}
