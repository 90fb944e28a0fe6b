import { RELOAD_GUARD_WINDOW_MS } from '../shared/constants.ts';

/** Session storage: a map of path → when its guard ends, in ms since the epoch. */
const STORAGE_KEY = 'site:reload';
/** Loads within one window, whatever their paths. */
const MAX_PATHS = 3;

/**
 * Asks for leave to load an address anew of the page's own accord: once per path within the window, and, so that two
 * paths (or two builds) cannot take turns, three times within it in all. Where storage is refused, a mark in
 * `history.state` serves, which survives a reload of its entry.
 *
 * @returns whether the load may happen; it is then noted.
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
    return typeof guards === 'object' && guards !== null ? (guards as Record<string, number>) : {};
  } catch (error) {
    // A text that is no JSON is no guard; a storage that cannot be read is another matter.
    return error instanceof SyntaxError ? {} : null;
  }
}

function mayReloadByHistory(path: string, now: number): boolean {
  // Only somebody's navigation leads elsewhere, and there the page has an entry of its own to mark.
  if (path !== location.pathname) return true;
  const state: unknown = history.state;
  const marked =
    typeof state === 'object' && state !== null && 'reloadGuard' in state ? state.reloadGuard : 0;
  if (typeof marked === 'number' && marked > now) return false;
  history.replaceState(
    { ...(typeof state === 'object' ? state : {}), reloadGuard: now + RELOAD_GUARD_WINDOW_MS },
    '',
  );
  return true;
}
