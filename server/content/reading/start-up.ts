import { siteTypes } from '../../../site/types.ts';
import { SingleFlight } from '../../cache/single-flight.ts';
import { BackendError } from '../../errors.ts';
import { BackOff } from '../../ops/back-off.ts';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import type { ServedType } from '../../wire/described-types.ts';
import type { ContentApi } from '../requests/content-api.ts';
import type { ContentRequest } from '../requests/content-request.ts';
import type { ContentStates } from '../store/content-states.ts';
import type { ContentSource } from './collecting-reader.ts';
import type { ContentReader } from './content-reader.ts';
import type { ReaderOptions } from './read-values.ts';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5_000;
/** The shortest pause after a failure before a request may start another attempt, in ms. */
const MIN_BETWEEN_ATTEMPTS_MS = 1_000;
const RETRY_FAILED_MS = 10_000;
export const RELOAD_TIMEOUT_MS = 60_000;
const ATTEMPT = 'attempt';

interface StartUpOptions {
  openReader: (signal: AbortSignal) => ContentReader;
  retryFailed: (signal: AbortSignal) => Promise<void>;
  /** Loads stored content. @returns whether memory then has all content that every page needs. */
  loadFromDisk: () => Promise<boolean>;
  isFromOthers?: () => boolean;
  invalidate: (tags: readonly string[]) => void;
  states: Pick<ContentStates, 'remedyFor' | 'explained'>;
  retryFailedMs?: number;
  log: Logger;
  now?: () => number;
}

export class StartUp {
  readonly #options: StartUpOptions;
  readonly #now: () => number;
  readonly #stopped = new AbortController();
  readonly #attempts = new SingleFlight();
  #ready = false;
  #lastFailure: { error: unknown; at: number } | null = null;
  #logged = '';
  #timer: NodeJS.Timeout | undefined;
  readonly #retries = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  #retryMs = this.#retries.failed();

  constructor(options: StartUpOptions) {
    this.#options = options;
    this.#now = options.now ?? steadyNow;
  }

  /** Whether the start-up is done. Later, a page fails only if its own content is unavailable. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Resolves when the start-up is done. Rejects with the error of the current or last attempt. */
  whenReady(): Promise<void> {
    if (this.#ready) return Promise.resolve();
    const last = this.#lastFailure;
    if (!this.#attempts.has(ATTEMPT) && last && this.#now() - last.at < MIN_BETWEEN_ATTEMPTS_MS)
      return Promise.reject(last.error);
    return this.#startOrJoinAttempt();
  }

  /** Loads from disk and backend until the backend succeeds. Then retries failed content every 10 s. */
  begin(): void {
    const { loadFromDisk, log } = this.#options;
    // Begin both loads at once, so that a hanging backend does not delay content on disk.
    loadFromDisk()
      .then(isComplete => {
        if (!isComplete || this.#ready) return;
        this.#ready = true;
        this.#logOlder();
      })
      .catch(error =>
        log.warn(
          { code: 'content-disk-unloaded', err: error },
          'content: the stored content could not be loaded',
        ),
      );
    this.#startOrJoinAttempt().catch(() => {});
  }

  retryNow(): void {
    if (this.#stopped.signal.aborted) return;
    if (this.#ready) this.#scheduleRetryOfFailed(0);
    else this.#schedule(() => this.#startOrJoinAttempt(), 0);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped.abort(new DOMException('The process is stopping', 'AbortError'));
  }

  /** @returns whether no content is stale. @throws BackendError `start-up` with all failures. */
  async #load(): Promise<boolean> {
    const reader = this.#options.openReader(this.#stopped.signal);
    const parallel = await Promise.all([
      failureOf(siteTypes.blog, reader.blogPage('used')),
      failureOf(siteTypes.category, reader.categories('used')),
      failureOf(siteTypes.author, reader.authors()),
      failureOf(siteTypes.settings, reader.settings()),
    ]);
    // Ignore failures of redirects, socials and the order of articles, as the next page reads them again.
    const [landing] = await Promise.all([
      failureOf(siteTypes.landing, reader.landing('used')),
      reader.redirects().catch(() => null),
      reader.socials().catch(() => null),
      reader.articleOrder().catch(() => null),
    ]);
    // Read the newest articles, because they decide which other lists the blog's index needs.
    void reader.newestArticle().catch(() => null);
    this.#stopped.signal.throwIfAborted();
    const needed = [...parallel, landing];
    const failures = needed.filter(({ error }) => error !== null);
    const refusals = needed.map(({ type }) => ({ type, error: reader.refusals.get(type.path) ?? null }));
    if (failures.length > 0) throw this.#startUpError(failures);
    // Fail, because no page can be made if the backend refuses everything.
    if (refusals.every(({ error }) => error !== null)) {
      this.#options.invalidate(refusals.map(({ type }) => type.path));
      throw this.#startUpError(refusals);
    }
    return !reader.servedStale;
  }

  /** Logs failures with remedies, at debug if the last entry was the same. @returns the error to throw. */
  #startUpError(failures: readonly Failure[]): BackendError {
    const { states, log } = this.#options;
    const reasons = failures.map(({ error }) => (error instanceof Error ? error.message : String(error)));
    const error = new BackendError('start-up', 'start-up', reasons.join('; '), { cause: failures[0]?.error });
    const entries = failures.map(({ type, error }, index) => ({
      type: type.path,
      reason: reasons[index],
      remedy: states.remedyFor(type, error),
    }));
    const remedy = states.explained(failures.map(({ error }) => error));
    const summary = JSON.stringify(entries.map(({ type, remedy }) => [type, remedy]));
    const level = summary === this.#logged ? 'debug' : 'error';
    this.#logged = summary;
    log[level](
      {
        code: 'content-start-failed',
        reason: error.reason,
        ...(remedy ? { remedy } : {}),
        failures: entries,
        retryMs: this.#retryMs,
      },
      'the content needed at start-up could not be loaded',
    );
    return error;
  }

  async #attempt(): Promise<void> {
    let isFresh: boolean;
    try {
      isFresh = await this.#load();
    } catch (error) {
      this.#lastFailure = { error, at: this.#now() };
      if (!this.#stopped.signal.aborted) this.#schedule(() => this.#startOrJoinAttempt(), this.#retryMs);
      this.#retryMs = this.#retries.failed();
      throw error;
    }
    const wasReady = this.#ready;
    this.#ready = true;
    this.#scheduleRetryOfFailed();
    if (isFresh) this.#options.log.info({ code: 'content-loaded' }, 'content: loaded from the CMS');
    else if (!wasReady) this.#logOlder();
  }

  #logOlder(): void {
    const { log, isFromOthers } = this.#options;
    if (isFromOthers?.())
      log.info({ code: 'content-loaded-shared' }, 'content: loaded from the shared store');
    else log.info({ code: 'content-loaded-disk' }, 'content: loaded from disk');
  }

  #startOrJoinAttempt(): Promise<void> {
    return this.#attempts.run(ATTEMPT, () => this.#attempt());
  }

  #schedule(work: () => Promise<void>, ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => work().catch(() => {}), ms);
    this.#timer.unref();
  }

  #scheduleRetryOfFailed(ms = this.#options.retryFailedMs ?? RETRY_FAILED_MS): void {
    this.#schedule(
      () => this.#options.retryFailed(this.#stopped.signal).finally(() => this.#scheduleRetryOfFailed()),
      ms,
    );
    if (this.#stopped.signal.aborted) clearTimeout(this.#timer);
  }
}

export function startUpRequests(api: ContentApi): readonly ContentRequest<object>[] {
  return [api.mainPage(), api.categories(), api.authors(), api.settings(), api.landing()];
}

/** Loads the start-up content again, to write it to disk for the next process. Ignores failures. */
export async function reloadStartUp(
  { api, cache, ask }: ContentSource,
  onEvent: ReaderOptions['onEvent'],
): Promise<void> {
  const load = () => ({ ask, signal: AbortSignal.timeout(RELOAD_TIMEOUT_MS), onEvent });
  await Promise.allSettled(startUpRequests(api).map(request => cache.read(request, load())));
}

interface Failure {
  readonly type: ServedType;
  readonly error: unknown;
}

async function failureOf(type: ServedType, load: Promise<unknown>): Promise<Failure> {
  return {
    type,
    error: await load.then(
      () => null,
      (error: unknown) => error,
    ),
  };
}
