import { keepPage } from './persistent-state.ts';

/** The event on `window` that announces a full load. The page may stay: the answer may be a download. */
export const FULL_LOAD_EVENT = 'full-load';

/**
 * Loads an address in full. Drafts, open questions and the scroll position are kept.
 * @param replaces whether the address replaces the current history entry.
 * @returns a promise that never settles: the old page stays unchanged until the new one is shown.
 */
export function fullLoad(href: string, replaces = false): Promise<never> {
  window.dispatchEvent(new Event(FULL_LOAD_EVENT));
  keepPage();
  const target = new URL(href, location.href);
  if (withoutHash(target) === withoutHash(location)) {
    // `location.assign()` would only scroll to a hash, and drop `history.state` for an address without one.
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
