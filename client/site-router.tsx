import { useLayoutEffect, useRef } from 'react';
import { createBrowserRouter, matchRoutes, type RouteObject, useLocation } from 'react-router-dom';
import { App } from '../shared/app.tsx';
import { createAppRoutes, type PageComponent, ROOT_ROUTE_ID, routeElement } from '../shared/app-routes.tsx';
import type { PagePayload } from '../shared/payload.ts';
import type { RouteId } from '../shared/routes.ts';
import { applyHead } from './apply-head.ts';
import { fullLoad } from './full-load.ts';
import { createPageLoader } from './load-page.ts';
import { createLoadingIndicator } from './loading-indicator.ts';
import { dataStrategy } from './navigate.ts';
import type { NewBuild } from './new-build.ts';
import { announcePage, startPressedLinks } from './page-feedback.ts';
import { pageState } from './page-state.ts';
import { mayReload } from './reload-guard.ts';
import { routePages } from './route-pages.ts';
import { focusHeading, takeOverScrolling } from './scroll-and-focus.ts';
import { governViewTransitions } from './view-transitions.ts';

/**
 * React Router's data router on the site's route table, with the first page's data already in it.
 * Resolves when the first page's own chunk is there, so that hydration finds what the server rendered.
 */
export async function createSiteRouter(first: PagePayload, newBuild: NewBuild) {
  let traversal = false;
  let stayed = false;

  const loader = createPageLoader(
    first.buildId,
    {
      current: () => currentPayload() ?? first,
      currentAddress: () => addressOf(router.state.location),
      targetHash: () => router.state.navigation.location?.hash ?? '',
      isTraversal: () => traversal,
      stay: () => {
        stayed = true;
      },
    },
    newBuild,
  );
  const routes = createAppRoutes(lazyPage, LiveApp, loader);
  const leaf = matchRoutes(routes, location)?.at(-1)?.route;
  if (leaf) await resolveLazy(leaf);
  const router = createBrowserRouter(routes, {
    dataStrategy,
    hydrationData: { loaderData: { [ROOT_ROUTE_ID]: null, [leaf?.id ?? '']: first } },
  });

  /** A page as a chunk. One that cannot be loaded belongs to a build that is gone: the page is asked for anew. */
  function lazyPage(id: RouteId): Pick<RouteObject, 'lazy'> {
    return {
      lazy: async () => {
        try {
          const { default: Page } = await routePages[id]();
          return { Component: routeElement(Page as PageComponent<'home'>) };
        } catch (error) {
          const target = router.state.navigation.location ?? location;
          if (mayReload(target.pathname)) return fullLoad(addressOf(target));
          throw error;
        }
      },
    };
  }

  function currentPayload(): PagePayload | undefined {
    return router.state.loaderData[router.state.matches.at(-1)?.route.id ?? ''];
  }

  const indicator = createLoadingIndicator();
  const pressed = startPressedLinks();
  const scrolling = takeOverScrolling();
  governViewTransitions(() => router.state.location.pathname);
  // Before the router's own listener, which may be done with a change of the hash at once.
  window.addEventListener('popstate', () => void (traversal = true), true);
  // A page that comes back from the browser's cache may have been left in the middle of a navigation.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && router.state.navigation.state !== 'idle') void router.navigate(addressOf(shown), { replace: true });
  });

  let shown = router.state.location;
  let pending = false;
  router.subscribe(state => {
    const isPending = pageState(state).status === 'pending';
    if (isPending && !pending) {
      indicator.start();
      pressed.mark();
    }
    if (!isPending && pending) {
      indicator.finish();
      pressed.clear();
    }
    pending = isPending;
    if (state.location !== shown) scrolling.leave(shown.key);
    shown = state.location;
  });

  /** The new page is in the document: its head, its place, its heading. */
  function arrive(key: string, hash: string): void {
    const wasTraversal = traversal;
    const hasStayed = stayed;
    traversal = stayed = false;
    if (hasStayed) return;
    const payload = currentPayload();
    if (payload) applyHead(payload.head);
    if (!scrolling.arrive(key, hash, wasTraversal)) focusHeading();
    announcePage(document.title);
  }

  /** The site, telling when React has put another page into the document. */
  function LiveApp() {
    const { key, hash } = useLocation();
    const shownKey = useRef(key);
    useLayoutEffect(() => {
      if (shownKey.current === key) return;
      shownKey.current = key;
      arrive(key, hash);
    }, [key, hash]);
    return <App />;
  }
  return router;
}

async function resolveLazy(route: RouteObject): Promise<void> {
  if (typeof route.lazy !== 'function') return;
  const resolved = await route.lazy();
  Object.assign(route, { ...resolved, lazy: undefined });
}

function addressOf({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  return pathname + search + hash;
}
