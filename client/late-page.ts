import { useEffect, useLayoutEffect, useState } from 'react';
import { useNavigation } from 'react-router-dom';
import { FULL_LOAD_EVENT } from './full-load.ts';

/** A page is late when its navigation takes longer than this, in ms. */
const LATE_AFTER_MS = 1_000;

/**
 * Tells of a page that takes long to come, until it is there or its navigation comes to nothing. In the moment of its coming
 * nothing of the old page is seen again: both change in one commit.
 *
 * @param announce says something to those who cannot see the page.
 * @returns the path of the page that is late, or null.
 */
export function useLatePage(announce: (text: string) => void): string | null {
  const target = useNavigation().location?.pathname;
  const isPending = target !== undefined;
  const [isOver, setOver] = useState(false);
  const isLate = isPending && isOver;

  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setOver(true), LATE_AFTER_MS);
    const end = () => {
      clearTimeout(timer);
      setOver(false);
      window.removeEventListener(FULL_LOAD_EVENT, end);
    };
    // The old page stays until the browser has another, which may be never.
    window.addEventListener(FULL_LOAD_EVENT, end);
    return end;
  }, [isPending]);

  useLayoutEffect(() => {
    if (!isLate) return;
    const focused = document.activeElement;
    announce('Loading…');
    return () => {
      announce('');
      // What is hidden loses the focus; a new page takes it to its heading afterwards.
      if (focused instanceof HTMLElement && document.activeElement === document.body)
        focused.focus({ preventScroll: true });
    };
  }, [isLate, announce]);

  return isLate ? target : null;
}
