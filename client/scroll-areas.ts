import {
  SCROLLBAR_KEY_STEP_PX,
  SCROLLBAR_SCROLLING_THRESHOLD_MS,
  SCROLLBAR_WHEEL_SPEED,
} from '../shared/constants.ts';
import { nextPaint } from '../shared/ui/next-paint.ts';

/** The attribute of scroll areas: the blog's category bar, wide tables, the header's menu. */
const AREAS = '[data-scroll-area]';

/**
 * Scrolls a control of a scroll area that gets the focus by keyboard into full view. Where the pointer is fine, adds perfect-scrollbar
 * to areas that overflow; elsewhere the browser's scrollbars stay. The package is loaded only when such an area exists.
 * perfect-scrollbar handles arrow keys only while the pointer is over the area. This module handles them whenever the focus is in the area.
 */
export function startScrollAreas(): void {
  const root = document.getElementById('root');
  document.addEventListener('focusin', showWhole);
  if (!root || !matchMedia('(pointer: fine)').matches) return;
  const active = new Map<Element, { update(): void; destroy(): void }>();

  async function survey(): Promise<void> {
    for (const [area, bars] of active) {
      if (area.isConnected) {
        bars.update();
      } else {
        bars.destroy();
        active.delete(area);
      }
    }
    const areas = [...document.querySelectorAll(AREAS)].filter(area => !active.has(area) && overflows(area));
    if (areas.length === 0) return;
    const { default: PerfectScrollbar } = await import('perfect-scrollbar');
    for (const area of areas) {
      if (!area.isConnected || active.has(area)) continue;
      const bars = new PerfectScrollbar(area, {
        scrollingThreshold: SCROLLBAR_SCROLLING_THRESHOLD_MS,
        wheelSpeed: SCROLLBAR_WHEEL_SPEED,
      });
      active.set(area, bars);
      area.addEventListener('keydown', event => scrollByKey(area, event as KeyboardEvent));
    }
  }

  // After the next paint, so that the press that changes the page is answered before the areas are measured.
  const again = () =>
    void nextPaint()
      .then(survey)
      .catch(() => {});
  // The content of a dialog may overflow once the dialog opens.
  new MutationObserver(again).observe(root, { childList: true, subtree: true, attributeFilter: ['open'] });
  window.addEventListener('resize', again);
  again();
}

/** Browsers leave a control that is cut off at the edge of its area as it is. A press would miss a control that moves. */
function showWhole({ target }: FocusEvent): void {
  if (target instanceof Element && target.matches(':focus-visible') && target.closest(AREAS))
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-SCROLLBAR_KEY_STEP_PX, 0],
  ArrowRight: [SCROLLBAR_KEY_STEP_PX, 0],
  ArrowUp: [0, -SCROLLBAR_KEY_STEP_PX],
  ArrowDown: [0, SCROLLBAR_KEY_STEP_PX],
};

/** Scrolls the area by an arrow key. When the area cannot scroll further, the key scrolls the page. */
function scrollByKey(area: Element, event: KeyboardEvent): void {
  const step = STEPS[event.key];
  if (!step || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const { scrollLeft, scrollTop } = area;
  area.scrollBy(...step);
  if (area.scrollLeft !== scrollLeft || area.scrollTop !== scrollTop) event.preventDefault();
}

function overflows({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean {
  return scrollWidth > clientWidth || scrollHeight > clientHeight;
}
