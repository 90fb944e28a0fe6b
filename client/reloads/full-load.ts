import { keepPage } from './persistent-state.ts';

/** The event on `window` before a full load. The page may stay, because the answer may be a download. */
export const FULL_LOAD_EVENT = 'full-load';

/**
 * Loads an address in full. Keeps drafts, opened questions (`details`) and the scroll position.
 * @returns a promise that never settles, so that the old page stays until the new one appears.
 */
export function fullLoad(href: string, replaces = false): Promise<never> {
  window.dispatchEvent(new Event(FULL_LOAD_EVENT));
  keepPage();
  const target = new URL(href, location.href);
  if (withoutHash(target) === withoutHash(location)) {
    // Change the hash first: `location.assign()` would only scroll to it, or drop `history.state`.
    if (target.hash !== location.hash) history.replaceState(history.state, '', target);
    location.reload();
  } else if (replaces) {
    location.replace(target);
  } else {
    location.assign(target);
  }
  return new Promise(() => {});
}

function withoutHash({ href }: URL | Location): string {
  return href.split('#', 1)[0] ?? '';
}
