import { isRecord } from '../../shared/content/json.ts';
import { sending } from '../../shared/forms/use-email-form.ts';
import { fullLoad } from './full-load.ts';
import { mayReload } from './reload-guard.ts';

/** A build in `/builds/latest.json`. `timestamp` is in ms since the epoch. */
export interface LatestBuild {
  id: string;
  timestamp: number;
}

export const MANIFEST_UPDATE = 'manifest-update';

/** The random part of the interval, so that not all tabs poll at once after a deploy. */
const JITTER = 0.1;

/** The wait before a second poll confirms an older build, in ms: a deploy has old and new replicas. */
const CONFIRM_AFTER_MS = 60_000;

/**
 * Polls while the tab is visible. A hidden page reloads, a visible one with its next navigation.
 * @returns whether another build is known. The next navigation must then be a full load.
 */
export function watchForNewBuild(own: LatestBuild, intervalMs: number): () => boolean {
  let waiting = false;
  let lastPoll = Date.now();
  let earlier: { id: string; foundAt: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function arm(): void {
    clearTimeout(timer);
    if (waiting || document.hidden) return;
    const next = lastPoll + intervalMs * (1 + Math.random() * JITTER);
    const due = earlier ? Math.min(next, lastPoll + CONFIRM_AFTER_MS) : next;
    timer = setTimeout(poll, Math.max(due - Date.now(), 0));
  }

  async function poll(): Promise<void> {
    lastPoll = Date.now();
    try {
      const response = await fetch(`/builds/latest.json?${Date.now()}`, { cache: 'no-store' });
      const latest: unknown = await response.json();
      if (!response.ok || !isLatestBuild(latest)) throw new Error('Not a build');
      if (isToBeUsed(latest)) announce(latest);
    } catch {
    } finally {
      arm();
    }
  }

  function isToBeUsed({ id, timestamp }: LatestBuild): boolean {
    if (id === own.id || timestamp >= own.timestamp) {
      earlier = null;
      return id !== own.id;
    }
    if (earlier?.id === id) return lastPoll - earlier.foundAt >= CONFIRM_AFTER_MS;
    earlier = { id, foundAt: lastPoll };
    return false;
  }

  function announce(latest: LatestBuild): void {
    if (waiting) return;
    waiting = true;
    window.dispatchEvent(new CustomEvent(MANIFEST_UPDATE, { detail: latest }));
    reloadUnseen();
  }

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
  return () => waiting;
}

function isLatestBuild(value: unknown): value is LatestBuild {
  if (!isRecord(value)) return false;
  return typeof value.id === 'string' && value.id !== '' && typeof value.timestamp === 'number';
}
