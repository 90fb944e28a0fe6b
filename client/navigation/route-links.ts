import { createPath, type Router } from '../../shared/routing/router.ts';
import { isPagePath } from '../../shared/ui/link.tsx';

/** @returns the link of a plain click; null with a modifier key, which the browser handles. */
export function pressedLink(event: MouseEvent, selector: string): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  return event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(selector) : null;
}

/**
 * Passes clicks on links to the router. Each navigation asks for a view transition, because React Router
 * otherwise starts none on the way back.
 * @returns a function that gives the link pressed last.
 */
export function routeLinks(router: Pick<Router, 'navigate' | 'state'>): () => HTMLAnchorElement | null {
  let pressed: HTMLAnchorElement | null = null;
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
    pressed = link;
    const target = createPath(isPage ? link : { ...location, hash: link.hash });
    void router.navigate(target, {
      replace: target === createPath(location),
      viewTransition: canAnimate && isPage,
    });
  });
  return () => pressed;
}
