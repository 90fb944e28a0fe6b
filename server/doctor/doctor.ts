import { contentTypes } from '../../shared/content/content-types.ts';
import type { GuardedClient } from '../backend/guarded-client.ts';
import type { Config } from '../config.ts';
import type { ContentSource } from '../content/collecting-reader.ts';
import { isEntryType } from '../content/content-api.ts';
import type { Logger } from '../ops/log.ts';
import type { SpareTime } from '../ops/spare-time.ts';
import type { Report } from './examine.ts';
import type { Finding } from './finding.ts';

/** The first examination begins this long after the start, in ms: the first pages and the content of the start-up come before it. */
const BEGIN_AFTER_MS = 10_000;
/** The pause before the next examination of a backend that gave no usable answer, in ms. */
const AGAIN_AFTER_MS = 30_000;
const READ_TIMEOUT_MS = 30_000;
/** How the remedy of a finding about an entry begins. */
const IN_PANEL = 'Strapi: Content Manager';

/** Examines the backend behind the start, one call after the other, while visitors leave room. */
export interface Doctor {
  /** The last report; null before the first. */
  readonly report: Report | null;
  begin(): void;
  /** Examines the backend, and logs each finding that has no line yet. Nothing is posted. */
  examine(): Promise<Report>;
  stop(): void;
}

export interface DoctorOptions {
  readonly config: Config;
  readonly backend: Pick<GuardedClient, 'baseUrl' | 'breaker'>;
  readonly spareTime: SpareTime;
  readonly content: Pick<ContentSource, 'api' | 'cache' | 'ask'>;
  readonly log: Logger;
  /** Names the file with the entry of an id. Given for a content folder, whose editors have no panel. */
  readonly fileOf?: ((id: string) => string | null) | undefined;
  /** Whether this process examines the backend, and not another one of the same site. */
  readonly mayRun?: () => boolean;
}

/** @returns a finding about entries of a content folder, with the file to edit in place of the panel. */
function inFiles(finding: Finding, fileOf: (id: string) => string | null): Finding {
  if (!finding.remedy.startsWith(IN_PANEL)) return finding;
  const [, id = ''] = /'([^']+)'/.exec(finding.what) ?? [];
  const type = Object.values(contentTypes).find(({ path }) => path === finding.about);
  const file = fileOf(id) ?? type?.file ?? '';
  return { ...finding, remedy: `edit content/${file} (content/README.md describes the keys)` };
}

/** @returns a doctor that has not begun. */
export function createDoctor(options: DoctorOptions): Doctor {
  const { config, backend, spareTime, content, log, fileOf, mayRun = () => true } = options;
  const stopped = new AbortController();
  const told = new Set<string>();
  let report: Report | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function examine(): Promise<Report> {
    // Loaded here: the first page needs none of it.
    const { examine: examineBackend } = await import('./examine.ts');
    const found = await examineBackend({
      ...{ config, baseUrl: backend.baseUrl, posts: false, concurrency: 1, pace: spareTime },
      signal: stopped.signal,
    });
    report = fileOf ? { ...found, findings: found.findings.map(finding => inFiles(finding, fileOf)) } : found;
    for (const { severity, about, what, remedy, pages, isLogged } of report.findings) {
      if (told.has(what)) continue;
      told.add(what);
      if (isLogged) await readType(about);
      else
        log[severity === 'error' ? 'error' : 'warn'](
          { about, fault: what, remedy, pages },
          'the doctor has found a fault in the CMS',
        );
    }
    return report;
  }

  /** Reads a type that the start-up has not read, as pages do, so that the site writes its own line about it. */
  async function readType(path: string): Promise<void> {
    if (!isEntryType(path)) return;
    const { api, cache, ask } = content;
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(READ_TIMEOUT_MS)]);
    await cache.read(api.entries(path), { ask, signal, onEvent: () => {} }).catch(() => {});
  }

  async function examineUntilReached(): Promise<void> {
    // Another process may take over before it has examined anything.
    const isReached = mayRun() && backend.breaker.isUp && (await examine()).isReached;
    if (!isReached) schedule(AGAIN_AFTER_MS);
  }

  function schedule(ms: number): void {
    if (stopped.signal.aborted) return;
    timer = setTimeout(() => {
      examineUntilReached().catch(error => {
        if (!stopped.signal.aborted) log.warn({ err: error }, 'the doctor could not examine the CMS');
      });
    }, ms);
    timer.unref();
  }

  return {
    get report() {
      return report;
    },
    begin: () => schedule(BEGIN_AFTER_MS),
    examine,
    stop() {
      clearTimeout(timer);
      stopped.abort(new DOMException('The process is stopping', 'AbortError'));
    },
  };
}
