import { isAnimated } from '../shared/routing/is-animated.ts';

/** The part of a `ViewTransition` that React Router uses. */
type Transition = Pick<ViewTransition, 'finished' | 'ready' | 'updateCallbackDone' | 'skipTransition'>;

/**
 * Decides which navigations are animated. Every link asks React Router for a view transition, and React Router also starts
 * one on the way back. This wrapper animates by the flags of the target route in both directions. Under reduced motion
 * nothing is animated: the page changes at once.
 *
 * @param change gives the paths of the old and the new page.
 */
export function governViewTransitions(change: () => { from: string; to: string }): void {
  const start = document.startViewTransition?.bind(document);
  if (!start) return;
  const motion = matchMedia('(prefers-reduced-motion: reduce)');
  const governed = (update: () => void | Promise<void>): Transition => {
    const { from, to } = change();
    return !motion.matches && isAnimated(from, to) ? start(update) : atOnce(update);
  };
  document.startViewTransition = governed as typeof document.startViewTransition;
}

function atOnce(update: () => void | Promise<void>): Transition {
  const done = Promise.resolve(update());
  return { finished: done, ready: done, updateCallbackDone: done, skipTransition: () => {} };
}
