import { matchRoute } from './match-route.ts';
import { routeTable } from './routes.ts';

/**
 * Whether a navigation is animated: the target's `pageTransition` decides, or its `layoutTransition` where the layout changes. A
 * navigation within one page is not animated.
 *
 * @param from path of the page that is left
 * @param to path of the page that is shown next
 */
export function isAnimated(from: string, to: string): boolean {
  const target = matchRoute(routeTable, to)?.route;
  if (!target || from === to) return false;
  const changesLayout = matchRoute(routeTable, from)?.route.layout !== target.layout;
  return changesLayout ? target.layoutTransition : target.pageTransition;
}
