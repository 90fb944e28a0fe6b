/** Feedback during a navigation: the pressed link's state, and announcements for assistive technology. */

export interface PressedLinks {
  /** Marks the pressed link as pending and the page as busy when a navigation begins. */
  mark(): void;
  clear(): void;
}

/** A navigation belongs to a link that was pressed at most this long before, in ms. Back and forward press no link. */
const PRESS_COUNTS_MS = 300;

/** Starts to record the link that was pressed last. */
export function startPressedLinks(): PressedLinks {
  let pressed: { link: Element; at: number } | null = null;
  let marked: Element | null = null;
  const root = document.getElementById('root');
  document.addEventListener(
    'click',
    event => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      pressed = link && { link, at: performance.now() };
    },
    true,
  );
  return {
    mark() {
      root?.setAttribute('aria-busy', 'true');
      // Without a new press this is the same navigation, after a redirect.
      if (!pressed || performance.now() - pressed.at > PRESS_COUNTS_MS) return;
      marked?.classList.remove('is-pending');
      marked = pressed.link;
      marked.classList.add('is-pending');
      pressed = null;
    },
    clear() {
      root?.removeAttribute('aria-busy');
      marked?.classList.remove('is-pending');
      marked = null;
    },
  };
}

/**
 * Creates the live region that announces a new page to assistive technology. The region is outside React's root and exists
 * before its first text, because a text that is inserted together with its region is often not read.
 *
 * @returns a function that announces the title of a page.
 */
export function startAnnouncements(): (title: string) => void {
  const region = document.createElement('div');
  region.className = 'el-visually-hidden';
  region.setAttribute('role', 'status');
  document.body.append(region);
  return title => {
    region.textContent = title;
  };
}
