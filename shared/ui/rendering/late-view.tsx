import { type ComponentType, lazy } from 'react';

interface LateModule<Props> {
  readonly default: ComponentType<Props>;
  readonly stylesheet: string;
}

export type LateView<Props> = ComponentType<Props> & {
  /** Loads the view before a navigation shows it. Rejects if that fails. */
  readonly load: () => Promise<unknown>;
};

/**
 * A view with a separate chunk and stylesheet, which only pages with the view load. The view links its
 * stylesheet with a `precedence`, so that React waits for the stylesheet before it shows the view.
 */
export function lateView<Props extends object>(load: () => Promise<LateModule<Props>>): LateView<Props> {
  return Object.assign(lazy(load), { load: () => load().then(({ stylesheet }) => fetch(stylesheet)) });
}
