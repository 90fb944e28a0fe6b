/** Scroll positions by the key of their history entry, over reloads. */
const STORAGE_KEY = 'site:scroll';
const MAX_POSITIONS = 100;

type Position = [x: number, y: number];

/** Where the window stood at each entry of the history. The browser's own memory is off while the page is alive. */
export interface ScrollMemory {
  /** Notes where the entry was left. */
  leave(key: string): void;
  /**
   * Shows the place that a navigation leads to: where the entry was left, the target of the hash, or the top.
   *
   * @param isTraversal whether it was the browser's back or forward.
   * @returns the target of the hash, if the page has it.
   */
  arrive(key: string, hash: string, isTraversal: boolean): HTMLElement | null;
}

/** Takes scrolling over from the browser, until the page is left: then a reload finds its place by itself. */
export function takeOverScrolling(): ScrollMemory {
  const positions = read();
  history.scrollRestoration = 'manual';
  window.addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto';
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions]));
    } catch {
      // Storage is refused: the positions live as long as the page.
    }
  });
  // A page that comes back from the browser's cache is as alive as it was.
  window.addEventListener('pageshow', () => {
    history.scrollRestoration = 'manual';
  });
  return {
    leave(key) {
      positions.delete(key);
      positions.set(key, [scrollX, scrollY]);
      for (const oldest of positions.keys()) {
        if (positions.size <= MAX_POSITIONS) break;
        positions.delete(oldest);
      }
    },
    arrive(key, hash, isTraversal) {
      const position = isTraversal ? positions.get(key) : undefined;
      const target = hash ? document.getElementById(decode(hash.slice(1))) : null;
      if (position) scrollTo(...position);
      else if (target) target.scrollIntoView();
      else scrollTo(0, 0);
      return target;
    },
  };
}

/** Moves the focus to the new page's heading, so that whoever cannot see it change is told where they are. */
export function focusHeading(): void {
  const heading =
    document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
  heading?.focus({ preventScroll: true });
}

/** Moves the focus to the target of a hash, so that the keyboard goes on from there as after the browser's own jump. */
export function focusTarget(target: HTMLElement): void {
  target.focus({ preventScroll: true });
  if (document.activeElement === target) return;
  target.tabIndex = -1;
  target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  target.focus({ preventScroll: true });
}

/**
 * Hands plain links to a place on the same page to the router. The browser would make entries of the history for them
 * that have no key, and since scrolling is taken over from it, going back would move nothing.
 *
 * @param go is given the hash.
 */
export function takeOverHashLinks(go: (hash: string) => void): void {
  document.addEventListener('click', event => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    if (!link?.hash || link.target) return;
    event.preventDefault();
    go(link.hash);
  });
}

function read(): Map<string, Position> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, Position][]);
  } catch {
    return new Map();
  }
}

function decode(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}
