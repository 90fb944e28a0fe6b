import {
  SCROLLBAR_KEY_STEP_PX,
  SCROLLBAR_SCROLLING_THRESHOLD_MS,
  SCROLLBAR_WHEEL_SPEED,
} from '../../shared/constants.ts';
import { nextPaint } from '../../shared/ui/rendering/next-paint.ts';

/** Scroll areas: the blog's category bar, wide tables, the header's menu. */
const AREAS = '[data-scroll-area]';

/**
 * Scrolls a control that gets the focus by keyboard into full view.
 * Where the pointer is fine, adds perfect-scrollbar to areas that overflow. It handles arrow keys only under
 * the pointer, this module wherever the focus is in the area.
 */
export function startScrollAreas(): void {
  const root = document.getElementById('root');
  document.addEventListener('focusin', ({ target }) => showWhole(target));
  // A control may have the focus before this module is loaded.
  showWhole(document.activeElement);
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

  // After the next paint: the press that changes the page is answered before the areas are measured.
  const again = () =>
    void nextPaint()
      .then(survey)
      .catch(() => {});
  // The content of a dialog may overflow once the dialog opens.
  new MutationObserver(again).observe(root, { childList: true, subtree: true, attributeFilter: ['open'] });
  window.addEventListener('resize', again);
  again();
}

/** Browsers leave a cut-off control as it is. A moving control would be missed by a press. */
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
