import { useEffect, useState } from 'react';

/** `initial`: at the top of the page. `sticky`: compact, while scrolling up. `away`: hidden, while scrolling down. */
export type HeaderState = 'initial' | 'sticky' | 'away';

/** Scrolling by less than this changes nothing, so that small movements do not make the header flicker. */
const TOLERANCE_PX = 6;

/**
 * Derives the state of the header from the scroll position and the direction of scrolling.
 *
 * @param hideFromPx the scroll position from which scrolling down hides the header.
 */
export function useHeaderState(hideFromPx = 96): HeaderState {
  const [state, setState] = useState<HeaderState>('initial');
  useEffect(() => {
    let last = window.scrollY;
    let frame = 0;
    function update(): void {
      frame = 0;
      const y = Math.max(0, window.scrollY);
      const moved = y - last;
      if (y <= 4) setState('initial');
      else if (Math.abs(moved) < TOLERANCE_PX) return;
      else if (moved < 0) setState(previous => (previous === 'initial' ? previous : 'sticky'));
      else setState(previous => (y > hideFromPx || previous !== 'initial' ? 'away' : previous));
      last = y;
    }
    function onScroll(): void {
      frame ||= requestAnimationFrame(update);
    }
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
      cancelAnimationFrame(frame);
    };
  }, [hideFromPx]);
  return state;
}
