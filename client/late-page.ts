import { useEffect, useLayoutEffect, useState } from 'react';
import { useNavigation } from 'react-router-dom';
import { useLabels } from '../shared/labels/labels-context.ts';
import { FULL_LOAD_EVENT } from './full-load.ts';

/** A page is late when its navigation takes longer than this, in ms. */
const LATE_AFTER_MS = 1_000;

/**
 * Reports a slow navigation until its page is shown or the navigation ends without one. The loading state and the old page
 * go in the same React commit that shows the new page, so the old page does not reappear.
 *
 * @param announce announces a text to assistive technology.
 * @returns the path of the page that is late, or null.
 */
export function useLatePage(announce: (text: string) => void): string | null {
  const target = useNavigation().location?.pathname;
  const isPending = target !== undefined;
  const labels = useLabels();
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
    // During a full load the old page stays, possibly for good: the answer may be a download.
    window.addEventListener(FULL_LOAD_EVENT, end);
    return end;
  }, [isPending]);

  useLayoutEffect(() => {
    if (!isLate) return;
    const focused = document.activeElement;
    announce(labels.text('loading'));
    return () => {
      announce('');
      // Hiding the old page dropped the focus: give it back. A new page then moves the focus to its heading.
      if (focused instanceof HTMLElement && document.activeElement === document.body)
        focused.focus({ preventScroll: true });
    };
  }, [isLate, announce, labels]);

  return isLate ? target : null;
}
