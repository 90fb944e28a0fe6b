import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from '../../../shared/routing/router.ts';

/** Closes the open `<details>` on Escape, on a press or focus elsewhere, and after a navigation. */
export function useDropdowns<E extends HTMLElement = HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null);
  const { key } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new location closes the dropdowns
  useEffect(() => {
    closeAll(ref.current);
  }, [key]);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Escape') return;
      const open = ref.current?.querySelector<HTMLDetailsElement>('details[open]');
      if (!open) return;
      if (open.contains(document.activeElement)) open.querySelector('summary')?.focus();
      open.open = false;
    }
    function onElsewhere(event: Event): void {
      const open = ref.current?.querySelector('details[open]');
      if (open && event.target instanceof Node && !open.contains(event.target)) closeAll(ref.current);
    }
    const mounted = new AbortController();
    const { signal } = mounted;
    document.addEventListener('keydown', onKeyDown, { signal });
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, onElsewhere, { signal });
    return () => mounted.abort();
  }, []);
  return ref;
}

function closeAll(root: HTMLElement | null): void {
  for (const details of root?.querySelectorAll('details') ?? []) details.open = false;
}
