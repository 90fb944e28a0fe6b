import { SingleFlight } from '../cache/single-flight.ts';
import type { Logger } from '../ops/log.ts';
import type { ContentReader } from './content-reader.ts';

/** The pause between two attempts, in ms. It doubles after each failure, up to the longest. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** A request between two attempts starts an attempt of its own, at the earliest this many ms after the last failure. */
const MIN_BETWEEN_ATTEMPTS_MS = 1_000;
/** The key of the one attempt that is in flight at a time. */
const ATTEMPT = 'attempt';

/**
 * Loads the content that every page needs: first the blog page config, categories, authors and settings in parallel, then the landing
 * config, redirects and socials.
 */
export interface StartUp {
  /** Whether the content has been loaded once. From then on a page fails only when content that it reads itself is unavailable. */
  readonly ready: boolean;
  /** Resolves when the content has been loaded. Rejects with the error of the attempt in flight, or of the last attempt. */
  whenReady(): Promise<void>;
  /** Loads the content from disk and from the backend, and repeats the backend's load with back-off until it succeeds. */
  begin(): void;
  /** Ends the attempts, also the one in flight. */
  stop(): void;
}

export interface StartUpOptions {
  /** Opens a reader for one attempt. The signal is aborted when the process stops. */
  openReader: (signal: AbortSignal) => ContentReader;
  /** Loads content from disk. @returns whether all content that pages need is in memory now. */
  loadFromDisk: () => Promise<boolean>;
  log: Logger;
  /** The clock, in ms. */
  now?: () => number;
}

/** @returns a start-up that has not begun. */
export function createStartUp({ openReader, loadFromDisk, log, now = Date.now }: StartUpOptions): StartUp {
  const stopped = new AbortController();
  const attempts = new SingleFlight();
  let ready = false;
  let lastFailure: { error: unknown; at: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;

  async function load(): Promise<void> {
    const reader = openReader(stopped.signal);
    await Promise.all([reader.blogPage(), reader.categories(), reader.authors(), reader.settings()]);
    // Pages have fallbacks for redirects and socials, so a failure of these does not count.
    await Promise.all([
      reader.landing(),
      reader.redirects().catch(() => null),
      reader.socials().catch(() => null),
    ]);
  }

  async function attempt(): Promise<void> {
    try {
      await load();
    } catch (error) {
      lastFailure = { error, at: now() };
      if (!stopped.signal.aborted) {
        log.error({ err: error, retryMs }, 'the content needed at start-up could not be loaded');
        scheduleRetry();
      }
      throw error;
    }
    ready = true;
    clearTimeout(timer);
    log.info('content loaded');
  }

  const startOrJoinAttempt = () => attempts.run(ATTEMPT, attempt);

  function scheduleRetry(): void {
    clearTimeout(timer);
    timer = setTimeout(() => startOrJoinAttempt().catch(() => {}), retryMs);
    timer.unref();
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
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
          log.info('content loaded from disk');
        })
        .catch(error => log.warn({ err: error }, 'content could not be loaded from disk'));
      startOrJoinAttempt().catch(() => {});
    },
    stop() {
      clearTimeout(timer);
      stopped.abort(new DOMException('The process is stopping', 'AbortError'));
    },
  };
}
