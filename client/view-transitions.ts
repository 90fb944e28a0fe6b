import { matchRoute } from '../shared/match-route.ts';
import { routeTable } from '../shared/routes.ts';

/** What `document.startViewTransition` gives, as far as React Router uses it. */
type Transition = Pick<ViewTransition, 'finished' | 'ready' | 'updateCallbackDone' | 'skipTransition'>;

/**
 * Decides which navigations are animated. Every link asks React Router for a view transition, and Router animates the way
 * back by itself; whether there is one is decided here, when the new page is about to be shown: by the flags of the
 * target route, by whether the layout changes, and never under reduced motion. Where there is none the page changes at once.
 *
 * @param pathOfPage the path that is about to be shown.
 */
export function governViewTransitions(pathOfPage: () => string): void {
  const start = document.startViewTransition?.bind(document);
  if (!start) return;
  const motion = matchMedia('(prefers-reduced-motion: reduce)');
  let shown = pathOfPage();
  const governed = (update: () => void | Promise<void>): Transition => {
    const [from, to] = [shown, pathOfPage()];
    shown = to;
    return !motion.matches && isAnimated(from, to) ? start(update) : atOnce(update);
  };
  document.startViewTransition = governed as typeof document.startViewTransition;
}

/** By the flag of the target's page, or of its layout where the layout changes. */
export function isAnimated(from: string, to: string): boolean {
  const target = matchRoute(routeTable, to)?.route;
  if (!target) return false;
  const changesLayout = matchRoute(routeTable, from)?.route.layout !== target.layout;
  return changesLayout ? target.layoutTransition : target.pageTransition;
}

function atOnce(update: () => void | Promise<void>): Transition {
  const done = Promise.resolve(update());
  return { finished: done, ready: done, updateCallbackDone: done, skipTransition: () => {} };
}
