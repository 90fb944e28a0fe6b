import {
  SCROLLBAR_KEY_STEP_PX,
  SCROLLBAR_SCROLLING_THRESHOLD_MS,
  SCROLLBAR_WHEEL_SPEED,
} from '../shared/constants.ts';

/** Areas register by this attribute: the blog's category bar, wide tables, the header's menu. */
const AREAS = '[data-scroll-area]';

/**
 * Gives areas that overflow scrollbars of their own, where the pointer is fine; everywhere else the browser's serve. The
 * package comes only when there is such an area. It minds the arrow keys under the pointer alone; here they count wherever
 * the focus is in the area.
 */
export function startScrollAreas(): void {
  const root = document.getElementById('root');
  if (!root || !matchMedia('(pointer: fine)').matches) return;
  const alive = new Map<Element, { update(): void; destroy(): void }>();

  async function survey(): Promise<void> {
    for (const [area, bars] of alive) {
      if (area.isConnected) {
        bars.update();
      } else {
        bars.destroy();
        alive.delete(area);
      }
    }
    const areas = [...document.querySelectorAll(AREAS)].filter(area => !alive.has(area) && overflows(area));
    if (areas.length === 0) return;
    const { default: PerfectScrollbar } = await import('perfect-scrollbar');
    for (const area of areas) {
      if (!area.isConnected || alive.has(area)) continue;
      const bars = new PerfectScrollbar(area, {
        scrollingThreshold: SCROLLBAR_SCROLLING_THRESHOLD_MS,
        wheelSpeed: SCROLLBAR_WHEEL_SPEED,
      });
      alive.set(area, bars);
      area.addEventListener('keydown', event => scrollByKey(area, event as KeyboardEvent));
    }
  }

  const again = () => void survey().catch(() => {});
  // A dialog overflows when it opens.
  new MutationObserver(again).observe(root, { childList: true, subtree: true, attributeFilter: ['open'] });
  window.addEventListener('resize', again);
  again();
}

const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-SCROLLBAR_KEY_STEP_PX, 0],
  ArrowRight: [SCROLLBAR_KEY_STEP_PX, 0],
  ArrowUp: [0, -SCROLLBAR_KEY_STEP_PX],
  ArrowDown: [0, SCROLLBAR_KEY_STEP_PX],
};

/** Keys with which nothing can be scrolled in this area stay the page's. */
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
