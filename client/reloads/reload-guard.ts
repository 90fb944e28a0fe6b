import { RELOAD_GUARD_WINDOW_MS } from '../../shared/constants.ts';
import { isRecord } from '../../shared/content/json.ts';

/** The key in session storage of the times when guards end, by path, in ms since the epoch. */
const STORAGE_KEY = 'site:reload';
const MAX_PATHS = 3;

/**
 * Records and allows one automatic reload for each path, three in all. Without storage `history.state` has
 * the mark.
 */
export function mayReload(path: string, now = Date.now()): boolean {
  const guards = read();
  if (!guards) return mayReloadByHistory(path, now);
  const active = Object.entries(guards).filter(([, until]) => until > now);
  if (active.length >= MAX_PATHS || active.some(([guarded]) => guarded === path)) return false;
  try {
    sessionStorage.setItem(
      STORAGE_KEY,
      JSON.stringify(Object.fromEntries([...active, [path, now + RELOAD_GUARD_WINDOW_MS]])),
    );
    return true;
  } catch {
    return mayReloadByHistory(path, now);
  }
}

function read(): Record<string, number> | null {
  try {
    const guards: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}');
    return isRecord(guards) ? (guards as Record<string, number>) : {};
  } catch (error) {
    // Treat invalid JSON as no guard. Any other error means that storage cannot be read.
    return error instanceof SyntaxError ? {} : null;
  }
}

function mayReloadByHistory(path: string, now: number): boolean {
  // Allow another page, because the visitor has navigated. That page marks its own history entry.
  if (path !== location.pathname) return true;
  const state: unknown = history.state;
  const kept = isRecord(state) ? state : {};
  if (typeof kept.reloadGuard === 'number' && kept.reloadGuard > now) return false;
  history.replaceState({ ...kept, reloadGuard: now + RELOAD_GUARD_WINDOW_MS }, '');
  return true;
}
