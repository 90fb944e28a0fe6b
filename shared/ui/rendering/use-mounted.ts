import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** @returns false on the server and during hydration, then true. For elements that need JavaScript. */
export function useMounted(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
