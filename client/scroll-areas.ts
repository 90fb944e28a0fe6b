import { SCROLLBAR_SCROLLING_THRESHOLD_MS, SCROLLBAR_WHEEL_SPEED } from '../shared/constants.ts';

/** Areas register by this attribute: the blog's category bar, wide tables, the header's menu. */
const AREAS = '[data-scroll-area]';

/**
 * Gives areas that overflow scrollbars of their own, where the pointer is fine; everywhere else the browser's serve. The
 * package comes only when there is such an area. Its keyboard step is 30 px by itself.
 */
export function startScrollAreas(): void {
  const root = document.getElementById('root');
  if (!root || !matchMedia('(pointer: fine)').matches) return;
  const alive = new Map<Element, { update(): void; destroy(): void }>();

  async function survey(): Promise<void> {
    for (const [area, bars] of alive) {
      if (area.isConnected) continue;
      bars.destroy();
      alive.delete(area);
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
    }
  }

  const again = () => void survey().catch(() => {});
  // A dialog overflows when it opens.
  new MutationObserver(again).observe(root, { childList: true, subtree: true, attributeFilter: ['open'] });
  window.addEventListener('resize', again);
  again();
}

function overflows({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean {
  return scrollWidth > clientWidth || scrollHeight > clientHeight;
}
