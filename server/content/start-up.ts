import type { Logger } from '../ops/log.ts';
import type { ContentReader } from './content-reader.ts';

/** Between two attempts, in ms: doubled after each failure up to the second figure. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** A visitor who comes between two attempts starts one of his own, but not sooner than this after the last. */
const MIN_BETWEEN_ATTEMPTS_MS = 1_000;

/**
 * The content without which no page is shown: the blog page config, categories, authors and settings, loaded in
 * parallel, then the landing config and with it what every request needs besides (redirects, socials).
 */
export interface StartUp {
  /** Whether the set has been loaded once. From then on pages depend only on what they read themselves. */
  readonly ready: boolean;
  /** Resolves when the set has been loaded; rejects with the error of the attempt under way, or of the last one. */
  whenReady(): Promise<void>;
  /** Loads, and goes on with back-off until it has succeeded. */
  begin(): void;
  /** Ends the attempts. */
  stop(): void;
}

export interface StartUpOptions {
  /** A reader that lives as long as the process. */
  openReader: (signal: AbortSignal) => ContentReader;
  /** Brings back what an earlier process has left. @returns whether that is enough to start with. */
  restore: () => Promise<boolean>;
  log: Logger;
  /** The clock, in ms. */
  now?: () => number;
}

/** @returns a start-up that has not begun. */
export function createStartUp({ openReader, restore, log, now = Date.now }: StartUpOptions): StartUp {
  const stopped = new AbortController();
  let ready = false;
  let attempt: Promise<void> | null = null;
  let lastFailure: { error: unknown; at: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;

  async function load(): Promise<void> {
    const reader = openReader(stopped.signal);
    await Promise.all([reader.blogPage(), reader.categories(), reader.authors(), reader.settings()]);
    // Redirects and socials have their own fallbacks: without them the site is poorer, not down.
    await Promise.all([
      reader.landing(),
      reader.redirects().catch(() => null),
      reader.socials().catch(() => null),
    ]);
  }

  function tryOnce(): Promise<void> {
    attempt ??= load()
      .then(() => {
        ready = true;
        clearTimeout(timer);
        log.info('content loaded');
      })
      .catch(error => {
        lastFailure = { error, at: now() };
        if (!stopped.signal.aborted) {
          log.error({ err: error, retryMs }, 'the content needed at start-up could not be loaded');
          scheduleRetry();
        }
        throw error;
      })
      .finally(() => {
        attempt = null;
      });
    return attempt;
  }

  function scheduleRetry(): void {
    clearTimeout(timer);
    timer = setTimeout(() => tryOnce().catch(() => {}), retryMs);
    timer.unref();
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  }

  return {
    get ready() {
      return ready;
    },
    whenReady() {
      if (ready) return Promise.resolve();
      if (!attempt && lastFailure && now() - lastFailure.at < MIN_BETWEEN_ATTEMPTS_MS) {
        return Promise.reject(lastFailure.error);
      }
      return tryOnce();
    },
    begin() {
      // A backend that hangs must not keep a process from serving what it has.
      restore()
        .then(enough => {
          if (!enough || ready) return;
          ready = true;
          log.info('last good content is at hand');
        })
        .catch(error => log.warn({ err: error }, 'last good content could not be read'));
      tryOnce().catch(() => {});
    },
    stop() {
      clearTimeout(timer);
      stopped.abort(new DOMException('The process is stopping', 'AbortError'));
    },
  };
}
