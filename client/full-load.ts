import { keepState } from './persistent-state.ts';

/**
 * Leaves for an address by a full load of the browser's. What registered as persistent is kept across it.
 *
 * @returns a promise that never settles: the old page stays as it is until the new one is there.
 */
export function fullLoad(href: string): Promise<never> {
  keepState();
  location.assign(href);
  return new Promise(() => {});
}
