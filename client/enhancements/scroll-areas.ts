import {
  SCROLLBAR_KEY_STEP_PX,
  SCROLLBAR_SCROLLING_THRESHOLD_MS,
  SCROLLBAR_WHEEL_SPEED,
} from '../../shared/constants.ts';
import { nextPaint } from '../../shared/ui/rendering/next-paint.ts';

/** Scroll areas: the blog's category bar, wide tables, and the header's menu. */
const AREAS = '[data-scroll-area]';
/** Tables and code in texts. The server makes each of them focusable, for browsers without scripts. */
const REGIONS = '[role=region]:is(pre, [data-scroll-area])';

/**
 * Lets only regions that overflow take the focus. With a fine pointer, adds perfect-scrollbar, which handles
 * arrow keys only under the pointer.
 */
export function startScrollAreas(): void {
  const root = document.getElementById('root');
  document.addEventListener('focusin', ({ target }) => showWhole(target));
  // Check now, because a control may have the focus before this module loads.
  showWhole(document.activeElement);
  if (!root) return;
  const isFine = matchMedia('(pointer: fine)').matches;
  const active = new Map<Element, { update(): void; destroy(): void }>();

  async function survey(): Promise<void> {
    for (const region of document.querySelectorAll<HTMLElement>(REGIONS)) {
      if (overflows(region)) region.tabIndex = 0;
      else if (region !== document.activeElement) region.removeAttribute('tabindex');
    }
    if (!isFine) return;
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

  // Measure after the next paint, so that the press that changes the page is answered first.
  const again = () =>
    void nextPaint()
      .then(survey)
      .catch(() => {});
  // Watch `open`, too, because the content of a dialog may overflow once it opens.
  new MutationObserver(again).observe(root, { childList: true, subtree: true, attributeFilter: ['open'] });
  window.addEventListener('resize', again);
  again();
}

/** Scrolls a control with visible focus into full view. A pressed button has none, so it does not move. */
function showWhole(control: EventTarget | null): void {
  if (control instanceof Element && control.matches(':focus-visible') && control.closest(AREAS))
    control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-SCROLLBAR_KEY_STEP_PX, 0],
  ArrowRight: [SCROLLBAR_KEY_STEP_PX, 0],
  ArrowUp: [0, -SCROLLBAR_KEY_STEP_PX],
  ArrowDown: [0, SCROLLBAR_KEY_STEP_PX],
};

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
