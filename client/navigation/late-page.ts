import { useEffect, useLayoutEffect, useState } from 'react';
import { useLabels } from '../../shared/labels/labels-context.ts';
import { useNavigation } from '../../shared/routing/router.ts';
import { FULL_LOAD_EVENT } from '../reloads/full-load.ts';

const LATE_AFTER_MS = 1_000;

/** @returns the path of a page that is late to load, or null. React ends this state as it shows the page. */
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
    // End the loading state at a full load. The old page may stay, because the answer may be a download.
    window.addEventListener(FULL_LOAD_EVENT, end);
    return end;
  }, [isPending]);

  useLayoutEffect(() => {
    if (!isLate) return;
    const focused = document.activeElement;
    announce(labels.text('loading'));
    return () => {
      announce('');
      // Return the focus, because hiding the old page removed it. A new page then focuses its heading.
      if (focused instanceof HTMLElement && document.activeElement === document.body)
        focused.focus({ preventScroll: true });
    };
  }, [isLate, announce, labels]);

  return isLate ? target : null;
}
