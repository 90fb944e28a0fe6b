import { matchRoute } from '../../shared/routing/match-route.ts';
import { type createBrowserRouter, createPath } from '../../shared/routing/router.ts';
import { routeTable } from '../../shared/routing/routes.ts';
import { isPagePath } from '../../shared/ui/link.tsx';

type Router = ReturnType<typeof createBrowserRouter>;
/** The part of `ViewTransition` that React Router uses. */
type Transition = Pick<ViewTransition, 'finished' | 'ready' | 'updateCallbackDone' | 'skipTransition'>;

/** @returns the link of a plain click; null with a modifier key, which the browser handles. */
export function pressedLink(event: MouseEvent, selector: string): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  return event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(selector) : null;
}

/**
 * Passes clicks on links of this site to the router, with one listener. Each navigation asks for a view
 * transition, because otherwise React Router starts none on the way back.
 */
export function routeLinks(router: Pick<Router, 'navigate' | 'state'>): void {
  const canAnimate = 'startViewTransition' in document;
  document.addEventListener('click', event => {
    const link = pressedLink(event, 'a');
    if (!link || (link.target && link.target !== '_self')) return;
    const href = link.getAttribute('href') ?? '';
    const isPage = isPagePath(href) && !link.hasAttribute('download') && link.dataset.fullLoad === undefined;
    // Handle hashes too. The browser would add an entry without a key, whose scroll position is then lost.
    const isHash = href.startsWith('#') && link.hash !== '';
    if (!isPage && !isHash) return;
    event.preventDefault();
    const { location } = router.state;
    const target = createPath(isPage ? link : { ...location, hash: link.hash });
    void router.navigate(target, {
      replace: target === createPath(location),
      viewTransition: canAnimate && isPage,
    });
  });
}

/**
 * Animates navigations by the target route's flags, in both directions. Otherwise all are animated, because
 * every link asks React Router for a view transition.
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

/** Decides by the target's `pageTransition`, or by `layoutTransition` if the layout changes. */
function isAnimated(from: string, to: string): boolean {
  const target = matchRoute(routeTable, to)?.route;
  if (!target || from === to) return false;
  const changesLayout = matchRoute(routeTable, from)?.route.layout !== target.layout;
  return changesLayout ? target.layoutTransition : target.pageTransition;
}
