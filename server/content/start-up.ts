import { contentTypes } from '../../shared/content/content-types.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import type { ContentSource } from './collecting-reader.ts';
import type { ContentReadEvent } from './content-cache.ts';
import { type ContentReader, startUpRequests } from './content-reader.ts';
import type { ContentStates } from './content-states.ts';
import type { ServedType } from './described-types.ts';

/** The pause between two attempts, in ms. It doubles after each failure, up to the longest. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5_000;
/** A request between two attempts starts an attempt of its own, at the earliest this many ms after the last failure. */
const MIN_BETWEEN_ATTEMPTS_MS = 1_000;
const RETRY_FAILED_MS = 10_000;
/** How long the content is waited for when it is loaded again, in ms. */
export const RELOAD_TIMEOUT_MS = 60_000;
/** The key of the one attempt that is in flight at a time. */
const ATTEMPT = 'attempt';

/**
 * Loads the content that every page needs: first the blog page config, categories, authors and settings in parallel, then the landing
 * config, redirects, socials and the order of the lists of articles.
 */
export interface StartUp {
  /** Whether the content has been loaded once. From then on a page fails only when content that it reads itself is unavailable. */
  readonly ready: boolean;
  /** Resolves when the content has been loaded. Rejects with the error of the attempt in flight, or of the last attempt. */
  whenReady(): Promise<void>;
  /**
   * Loads the content from disk and from the backend, and repeats the backend's load with back-off until it succeeds. From then on
   * content that is refused, emptied or down is asked for every 10 s, so that its state ends without a visitor.
   */
  begin(): void;
  /** Asks at once for what has failed, because the backend is back. Its state would else end with the next attempt alone. */
  retryNow(): void;
  /** Ends the attempts, also the one in flight. */
  stop(): void;
}

export interface StartUpOptions {
  /** Opens a reader for one attempt. The signal is aborted when the process stops. */
  openReader: (signal: AbortSignal) => ContentReader;
  /** Asks the backend again for the content whose last load failed, even where content from disk is still fresh. */
  retryFailed: (signal: AbortSignal) => Promise<void>;
  /** Loads content from disk. @returns whether all content that pages need is in memory now. */
  loadFromDisk: () => Promise<boolean>;
  /** Whether content has come from the shared store, and not from the disk. */
  isFromOthers?: () => boolean;
  /** Marks content as stale, so that the next attempt asks for it. @param tags the paths of content types. */
  invalidate: (tags: readonly string[]) => void;
  states: Pick<ContentStates, 'remedyFor' | 'explained'>;
  /** The pause between two attempts to load content that failed after the start-up, in ms. The default is 10 s. */
  retryFailedMs?: number;
  log: Logger;
  /** The clock, in ms. */
  now?: () => number;
}

/** @returns a start-up that has not begun. */
export function createStartUp({
  openReader,
  retryFailed,
  loadFromDisk,
  isFromOthers = () => false,
  invalidate,
  states,
  retryFailedMs = RETRY_FAILED_MS,
  log,
  now = steadyNow,
}: StartUpOptions): StartUp {
  const stopped = new AbortController();
  const attempts = new SingleFlight();
  let ready = false;
  let lastFailure: { error: unknown; at: number } | null = null;
  /** The types and remedies of the last line about failures. */
  let logged = '';
  let timer: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;

  /**
   * @returns whether all of it is the backend's answer, and nothing older stands in for it.
   * @throws BackendError `start-up` that names all failures.
   */
  async function load(): Promise<boolean> {
    const reader = openReader(stopped.signal);
    const parallel = await Promise.all([
      failureOf(contentTypes['main-page'], reader.blogPage('used')),
      failureOf(contentTypes.category, reader.categories('used')),
      failureOf(contentTypes.author, reader.authors()),
      failureOf(contentTypes.settings, reader.settings()),
    ]);
    // Pages have fallbacks for redirects and socials, and the first list waits for its order if need be. A failure of these does not count.
    const [landing] = await Promise.all([
      failureOf(contentTypes.landing, reader.landing('used')),
      reader.redirects().catch(() => null),
      reader.socials().catch(() => null),
      reader.articleOrder().catch(() => null),
    ]);
    // Without a wait: the newest articles tell which other lists the index of the blog needs.
    void reader.newestArticle().catch(() => null);
    stopped.signal.throwIfAborted();
    const needed = [...parallel, landing];
    const failures = needed.filter(({ error }) => error !== null);
    const refusals = needed.map(({ type }) => ({ type, error: reader.refusals.get(type.path) ?? null }));
    if (failures.length > 0) throw startUpError(failures);
    // A backend that refuses all of it has given nothing that a page could be made of.
    if (refusals.every(({ error }) => error !== null)) {
      invalidate(refusals.map(({ type }) => type.path));
      throw startUpError(refusals);
    }
    return !reader.servedStale;
  }

  /** @returns the error that names all failures, which are also logged, with their remedies, unless the last line says the same. */
  function startUpError(failures: readonly Failure[]): BackendError {
    const reasons = failures.map(({ error }) => (error instanceof Error ? error.message : String(error)));
    const error = new BackendError('start-up', 'start-up', reasons.join('; '), { cause: failures[0]?.error });
    const lines = failures.map(({ type, error }, index) => ({
      type: type.path,
      reason: reasons[index],
      remedy: states.remedyFor(type, error),
    }));
    const remedy = states.explained(failures.map(({ error }) => error));
    const told = JSON.stringify(lines.map(({ type, remedy }) => [type, remedy]));
    const level = told === logged ? 'debug' : 'error';
    logged = told;
    log[level](
      { reason: error.reason, ...(remedy ? { remedy } : {}), failures: lines, retryMs },
      'the content needed at start-up could not be loaded',
    );
    return error;
  }

  async function attempt(): Promise<void> {
    let isFresh: boolean;
    try {
      isFresh = await load();
    } catch (error) {
      lastFailure = { error, at: now() };
      if (!stopped.signal.aborted) schedule(startOrJoinAttempt, retryMs);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      throw error;
    }
    const wasReady = ready;
    ready = true;
    scheduleRetryOfFailed();
    if (isFresh) log.info('content loaded');
    else if (!wasReady) logOlder();
  }

  function logOlder(): void {
    log.info(isFromOthers() ? 'content loaded from the shared store' : 'content loaded from disk');
  }

  const startOrJoinAttempt = () => attempts.run(ATTEMPT, attempt);

  function schedule(work: () => Promise<void>, ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => work().catch(() => {}), ms);
    timer.unref();
  }

  function scheduleRetryOfFailed(ms = retryFailedMs): void {
    schedule(() => retryFailed(stopped.signal).finally(() => scheduleRetryOfFailed()), ms);
    if (stopped.signal.aborted) clearTimeout(timer);
  }

  return {
    get ready() {
      return ready;
    },
    whenReady() {
      if (ready) return Promise.resolve();
      if (!attempts.has(ATTEMPT) && lastFailure && now() - lastFailure.at < MIN_BETWEEN_ATTEMPTS_MS) {
        return Promise.reject(lastFailure.error);
      }
      return startOrJoinAttempt();
    },
    begin() {
      // Both loads begin at once: a process with content on disk must not wait for a backend that hangs.
      loadFromDisk()
        .then(isComplete => {
          if (!isComplete || ready) return;
          ready = true;
          logOlder();
        })
        .catch(error => log.warn({ err: error }, 'content could not be loaded from disk'));
      startOrJoinAttempt().catch(() => {});
    },
    retryNow() {
      if (stopped.signal.aborted) return;
      if (ready) scheduleRetryOfFailed(0);
      else schedule(startOrJoinAttempt, 0);
    },
    stop() {
      clearTimeout(timer);
      stopped.abort(new DOMException('The process is stopping', 'AbortError'));
    },
  };
}

/** Loads the content that the next process needs first. A failure is reported by the next page that reads the content. */
export async function reloadStartUp(
  { api, cache, ask }: ContentSource,
  onEvent: (event: ContentReadEvent) => void,
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
