import { fullLoad } from './full-load.ts';
import { mayReload } from './reload-guard.ts';

/** What `/builds/latest.json` answers. */
export interface LatestBuild {
  id: string;
  timestamp: number;
}

/** The name of the event on `window` that tells of a new build; its detail is the `LatestBuild`. */
export const MANIFEST_UPDATE = 'manifest-update';

/** The share of the interval by which polls are spread, so that not all tabs ask at once after a deploy. */
const JITTER = 0.1;

export interface NewBuild {
  /** Whether a newer build is known, so that the next navigation is to be a full load. */
  isWaiting(): boolean;
}

/**
 * Asks now and then whether there is a newer build than the page's own, the first time one interval after now. Paused
 * while the tab is hidden; asked at once when it is shown again after an interval. It stops after the first difference:
 * then the page reloads when nobody looks at it, or becomes a full load at the next navigation.
 *
 * @param intervalMs between two polls.
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
      // A poll that fails is no news; the next one may succeed.
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

  /** Never under the hands of somebody who reads or types, nor while a form waits for its answer. */
  function reloadUnseen(): void {
    const isBusy = document.querySelector('form[aria-busy=true]') !== null;
    if (waiting && document.hidden && !isBusy && mayReload(location.pathname)) void fullLoad(location.href);
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
