import path from 'node:path';
import { contentTypes } from '../../shared/content/content-types.ts';
import { entryType } from '../../shared/content/entries.ts';
import type { GuardedClient } from '../backend/guarded-client.ts';
import type { Config } from '../config/config.ts';
import type { ContentSource } from '../content/reading/collecting-reader.ts';
import type { Logger } from '../ops/log.ts';
import type { SpareTime } from '../ops/spare-time.ts';
import type { ContentProblem } from '../wire/decode-context.ts';
import { labelOf, modelOf, servedType } from '../wire/described-types.ts';
import type { Report } from './examine.ts';
import { aboutType, type Finding, named, sortedFindings } from './finding.ts';

/** The delay before the first examination, in ms. It must not slow down the start and the first pages. */
const BEGIN_AFTER_MS = 10_000;
const AGAIN_AFTER_MS = 30_000;
const READ_TIMEOUT_MS = 30_000;
const MAX_LINKS = 5;
const IN_PANEL = 'Strapi: Content Manager';

interface DoctorOptions {
  readonly config: Config;
  readonly backend: Pick<GuardedClient, 'baseUrl' | 'breaker'>;
  readonly spareTime: SpareTime;
  readonly content: Pick<ContentSource, 'api' | 'cache' | 'ask'>;
  readonly problems: () => readonly ContentProblem[];
  readonly log: Logger;
  /** Finds the file of an entry by its id. Content folders need it, because their editors have no panel. */
  readonly fileOf?: ((id: string) => string | null) | undefined;
  /** Whether this replica examines the CMS. Only one replica does. */
  readonly mayRun: () => boolean;
}

function inFiles(finding: Finding, folder: string, fileOf: (id: string) => string | null): Finding {
  if (!finding.remedy.startsWith(IN_PANEL)) return finding;
  const [, id = ''] = /'([^']+)'/.exec(finding.what) ?? [];
  const type = Object.values(contentTypes).find(({ path }) => path === finding.about);
  const file = fileOf(id) ?? type?.file ?? '';
  return { ...finding, remedy: `edit ${path.join(folder, file)} (content/README.md describes the keys)` };
}

/** Examines the backend after the start. Makes one call at a time, and only in spare time. */
export class Doctor {
  readonly #options: DoctorOptions;
  readonly #stopped = new AbortController();
  readonly #logged = new Set<string>();
  #report: Report | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DoctorOptions) {
    this.#options = options;
  }

  /** The last report, with the dead links of the last link check; null before the first report. */
  get report(): Report | null {
    if (this.#report === null) return null;
    const findings = [...this.#report.findings, ...this.#inFiles(linkFindings(this.#options.problems()))];
    return { ...this.#report, findings: sortedFindings(findings) };
  }

  begin(): void {
    this.#schedule(BEGIN_AFTER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped.abort(new DOMException('The process is stopping', 'AbortError'));
  }

  /** Examines the CMS. Logs new findings that the site does not log elsewhere. Posts nothing. */
  async examine(): Promise<Report> {
    const { config, backend, spareTime: pace, log } = this.#options;
    // Import late, because the first page does not need this code.
    const { examine } = await import('./examine.ts');
    const { signal } = this.#stopped;
    const found = await examine({
      config,
      baseUrl: backend.baseUrl,
      posts: false,
      concurrency: 1,
      pace,
      signal,
    });
    const findings = this.#inFiles(found.findings);
    this.#report = { ...found, findings };
    for (const { code, severity, about, what, remedy, pages, isLogged } of findings) {
      if (this.#logged.has(what)) continue;
      this.#logged.add(what);
      if (isLogged) await this.#read(about);
      else
        log[severity === 'error' ? 'error' : 'warn'](
          { code: 'doctor-finding', finding: code, about, fault: what, remedy, pages },
          'the doctor has found a fault in the CMS or the configuration',
        );
    }
    return this.report ?? found;
  }

  #inFiles(findings: readonly Finding[]): readonly Finding[] {
    const { config, fileOf } = this.#options;
    if (!fileOf) return findings;
    return findings.map(finding => inFiles(finding, config.contentDir ?? 'content', fileOf));
  }

  /** Reads a type as a page does, so that the normal code path logs the fault that was found. */
  async #read(path: string): Promise<void> {
    const type = entryType(path);
    if (!type) return;
    const { api, cache, ask } = this.#options.content;
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(READ_TIMEOUT_MS)]);
    await cache.read(api.entries(type.path), { ask, signal }).catch(() => {});
  }

  #schedule(ms: number): void {
    if (this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#examineUntilReached().catch(error => {
        if (!this.#stopped.signal.aborted)
          this.#options.log.warn(
            { code: 'doctor-failed', err: error },
            'the doctor could not examine the CMS',
          );
      });
    }, ms).unref();
  }

  async #examineUntilReached(): Promise<void> {
    const { mayRun, backend } = this.#options;
    // Retry even on a replica that may not run: it must take over if the running one stops early.
    const isReached = mayRun() && backend.breaker.isUp && (await this.examine()).isReached;
    if (!isReached) this.#schedule(AGAIN_AFTER_MS);
  }
}

function linkFindings(problems: readonly ContentProblem[]): readonly Finding[] {
  const links = problems.filter(({ kind }) => kind === 'link-dead' || kind === 'link-moved');
  const groups = Map.groupBy(links, ({ kind, type }) => `${kind} ${type}`);
  return [...groups.values()].flatMap(group => {
    const shown = group.slice(0, MAX_LINKS).map(problem => findingOf(problem, 0));
    const [next] = group.slice(MAX_LINKS);
    return next ? [...shown, findingOf(next, group.length - MAX_LINKS)] : shown;
  });
}

/** @param more the number of links that the finding reports, with the one it names; 0 if only that one. */
function findingOf({ kind, type: path, id, field, reason }: ContentProblem, more: number): Finding {
  const type = servedType(path);
  if (!type) throw new Error(`No content type with the path '${path}'`);
  const model = modelOf(path);
  const entry = id === null ? named(model, type) : `the entry '${id}' of ${named(model, type)}`;
  const others = more > 1 ? `; ${more - 1} further links are like it` : '';
  return aboutType(kind === 'link-dead' ? 'link-dead' : 'link-moved', type, {
    what: `${entry}, ${field}: ${reason}${others}`,
    remedy: `Strapi: Content Manager → ${labelOf(model)}${id === null ? '' : ' → the entry'} → ${field}`,
  });
}
