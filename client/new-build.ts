import { sending } from '../shared/blocks/use-email-form.ts';
import { fullLoad } from './full-load.ts';
import { mayReload } from './reload-guard.ts';

/** The answer of `/builds/latest.json`. */
export interface LatestBuild {
  id: string;
  timestamp: number;
}

/** The event on `window` that announces a new build. Its detail is the `LatestBuild`. */
export const MANIFEST_UPDATE = 'manifest-update';

/** Polls are spread by this share of the interval, so that not all tabs ask at once after a deploy. */
const JITTER = 0.1;

export interface NewBuild {
  /** @returns whether a newer build is known. The next navigation must then be a full load. */
  isWaiting(): boolean;
}

/**
 * Polls for a build newer than the page's own. The first poll comes one interval from now. Polling pauses while the tab is
 * hidden; a tab that is shown again after an interval polls at once. Polling stops when another build is found: the page then
 * reloads as soon as its tab is hidden, or the next navigation becomes a full load.
 *
 * @param intervalMs the time between two polls, in ms.
 */
export function watchForNewBuild(buildId: string, intervalMs: number): NewBuild {
  let waiting = false;
  let lastPoll = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function arm(): void {
    clearTimeout(timer);
    if (waiting || document.hidden) return;
    const left = lastPoll + intervalMs * (1 + Math.random() * JITTER) - Date.now();
    timer = setTimeout(poll, Math.max(left, 0));
  }

  async function poll(): Promise<void> {
    lastPoll = Date.now();
    try {
      const response = await fetch(`/builds/latest.json?${Date.now()}`, { cache: 'no-store' });
      const latest: unknown = await response.json();
      if (!response.ok || !isLatestBuild(latest)) throw new Error('Not a build');
      if (latest.id !== buildId) announce(latest);
    } catch {
      // A failed poll is ignored: the next one may succeed.
    } finally {
      arm();
    }
  }

  function announce(latest: LatestBuild): void {
    if (waiting) return;
    waiting = true;
    window.dispatchEvent(new CustomEvent(MANIFEST_UPDATE, { detail: latest }));
    reloadUnseen();
  }

  /** Reloads the page if its tab is hidden and no message is being sent. A visible page never reloads by itself. */
  function reloadUnseen(): void {
    if (waiting && document.hidden && sending.size === 0 && mayReload(location.pathname))
      void fullLoad(location.href);
  }

  document.addEventListener('visibilitychange', () => {
    if (waiting) return reloadUnseen();
    if (!document.hidden && Date.now() - lastPoll >= intervalMs) void poll();
    else arm();
  });
  arm();
  return { isWaiting: () => waiting };
}

function isLatestBuild(value: unknown): value is LatestBuild {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    value.id !== '' &&
    'timestamp' in value &&
    typeof value.timestamp === 'number'
  );
}
