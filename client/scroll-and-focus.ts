import { decodeUri } from '../shared/routing/decode-uri.ts';

/** The key in session storage. The value holds scroll positions by the key of their history entry, across reloads. */
const STORAGE_KEY = 'site:scroll';
const MAX_POSITIONS = 100;

type Position = [x: number, y: number];

/** The scroll position of each history entry. The browser's own scroll restoration is off while the page is hydrated. */
export interface ScrollMemory {
  /** Stores the entry's scroll position when it is left. */
  leave(key: string): void;
  /**
   * Scrolls to the stored position of the entry, to the target of the hash, or to the top.
   *
   * @param isTraversal whether the browser's back or forward button began the navigation.
   * @returns the target of the hash, if the page has it.
   */
  arrive(key: string, hash: string, isTraversal: boolean): HTMLElement | null;
}

/** Restores scroll positions instead of the browser. `pagehide` turns the browser's restoration on again, because it serves a reload. */
export function startScrollMemory(): ScrollMemory {
  const positions = read();
  history.scrollRestoration = 'manual';
  window.addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto';
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions]));
    } catch {
      // The browser denies storage: the positions are lost with the page.
    }
  });
  // A page from the back/forward cache is still hydrated: turn the browser's restoration off again.
  window.addEventListener('pageshow', () => {
    history.scrollRestoration = 'manual';
  });
  return {
    leave(key) {
      positions.delete(key);
      positions.set(key, [scrollX, scrollY]);
      const [oldest = ''] = positions.keys();
      if (positions.size > MAX_POSITIONS) positions.delete(oldest);
    },
    arrive(key, hash, isTraversal) {
      const position = isTraversal ? positions.get(key) : undefined;
      const fragment = hash.slice(1);
      const target = hash ? document.getElementById(decodeUri(fragment) ?? fragment) : null;
      if (position) scrollTo(...position);
      else if (target) target.scrollIntoView();
      else scrollTo(0, 0);
      return target;
    },
  };
}

/** Moves the focus to the new page's heading, so that a screen reader reads it. */
export function focusHeading(): void {
  const heading =
    document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
  heading?.focus({ preventScroll: true });
}

/** Moves the focus to the target of a hash, so that the next Tab continues from there, as after the browser's own jump. */
export function focusTarget(target: HTMLElement): void {
  target.focus({ preventScroll: true });
  if (document.activeElement === target) return;
  target.tabIndex = -1;
  target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  target.focus({ preventScroll: true });
}

function read(): Map<string, Position> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, Position][]);
  } catch {
    return new Map();
  }
}
