/** What a navigation shows besides the new page: the pressed link's state, and words for those who cannot see it. */

export interface PressedLinks {
  /** A navigation has begun: the link that was pressed for it shows so, and the page is busy. */
  mark(): void;
  clear(): void;
}

/** A press counts for a navigation that begins within this time, in ms: back and forward press no link. */
const PRESS_COUNTS_MS = 300;

/** Remembers which link was pressed last. */
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
      // Without a new press it is the same navigation, going on after a redirect.
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
 * Makes the region in which assistive technology is told of a new page. It stands outside of React's root and is there
 * before anything is said in it: what comes together with its region is often not read.
 *
 * @returns a function that says the title of a page.
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
