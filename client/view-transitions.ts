import { isAnimated } from '../shared/routing/is-animated.ts';

/** What `document.startViewTransition` gives, as far as React Router uses it. */
type Transition = Pick<ViewTransition, 'finished' | 'ready' | 'updateCallbackDone' | 'skipTransition'>;

/**
 * Decides which navigations are animated. Every link asks React Router for a view transition, and Router asks for one on the
 * way back by itself; here the flags of the target count, in both directions, and nothing moves under reduced motion: the
 * page then changes at once.
 *
 * @param change the paths of the page that is left and of the one that is about to be shown.
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
