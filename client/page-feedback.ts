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
  const root = document.getElementById('root');
  document.addEventListener(
    'click',
    event => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      pressed = link && { link, at: event.timeStamp };
    },
    true,
  );
  return {
    mark() {
      root?.setAttribute('aria-busy', 'true');
      if (pressed && performance.now() - pressed.at < PRESS_COUNTS_MS) pressed.link.classList.add('is-pending');
    },
    clear() {
      root?.removeAttribute('aria-busy');
      pressed?.link.classList.remove('is-pending');
      pressed = null;
    },
  };
}

let region: HTMLElement | null = null;

/** Says the title of the new page to assistive technology. The region stands outside of React's root and stays. */
export function announcePage(title: string): void {
  if (!region) {
    region = document.createElement('div');
    region.className = 'el-visually-hidden';
    region.setAttribute('role', 'status');
    document.body.append(region);
  }
  region.textContent = title;
}
