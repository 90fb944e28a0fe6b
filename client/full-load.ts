import { keepState } from './persistent-state.ts';

/** Tells the window that from here on the loading is the browser's: what it loads may turn out to be a download. */
export const FULL_LOAD_EVENT = 'full-load';

/**
 * Leaves for an address by a full load of the browser's. What registered as persistent is kept across it.
 *
 * @param replaces whether the address takes the place of the entry that is shown, rather than one of its own.
 * @returns a promise that never settles: the old page stays as it is until the new one is there.
 */
export function fullLoad(href: string, replaces = false): Promise<never> {
  window.dispatchEvent(new Event(FULL_LOAD_EVENT));
  keepState();
  const target = new URL(href, location.href);
  if (withoutHash(target) === withoutHash(location)) {
    // Assigned, an address with a hash would only be scrolled to, and one without would lose its `history.state`.
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
