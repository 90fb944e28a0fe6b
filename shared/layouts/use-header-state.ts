import { useEffect, useState } from 'react';

/** `initial`: in its place at the top. `sticky`: compact, shown on the way up. `away`: out of sight on the way down. */
export type HeaderState = 'initial' | 'sticky' | 'away';

/** Scrolling less than this changes nothing, so that the header does not flicker under a trembling finger. */
const TOLERANCE_PX = 6;

/** @param releaseAt how far down the header leaves its place, in px. */
export function useHeaderState(releaseAt = 96): HeaderState {
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
      else setState(previous => (y > releaseAt || previous !== 'initial' ? 'away' : previous));
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
  }, [releaseAt]);
  return state;
}
