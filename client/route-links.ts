import { type createBrowserRouter, createPath } from 'react-router-dom';
import { isPagePath } from '../shared/ui/link.tsx';

type Router = ReturnType<typeof createBrowserRouter>;

/**
 * Hands clicks on links to pages of this site, and to a hash of the page itself, to the router. One listener serves all links, hydrated or
 * not. The browser handles all other clicks: those with a modifier key, and links to another window, a download or another site.
 *
 * Every navigation to a page asks React Router for a view transition, because only then React Router starts one on the way back;
 * `client/view-transitions.ts` decides whether to animate. Without browser support React Router would log a warning.
 */
export function routeLinks(router: Pick<Router, 'navigate' | 'state'>): void {
  const canAnimate = 'startViewTransition' in document;
  document.addEventListener('click', event => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || (link.target && link.target !== '_self')) return;
    const href = link.getAttribute('href') ?? '';
    const isPage = isPagePath(href) && !link.hasAttribute('download') && link.dataset.fullLoad === undefined;
    // The browser would add an entry without a key for a hash, and without a key no scroll position can be restored.
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
