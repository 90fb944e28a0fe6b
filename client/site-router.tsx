import { useLayoutEffect, useRef } from 'react';
import {
  createBrowserRouter,
  matchRoutes,
  type RouteObject,
  useLocation,
  useMatches,
} from 'react-router-dom';
import { App } from '../shared/app.tsx';
import { createAppRoutes, type PageComponent, ROOT_ROUTE_ID, routeElement } from '../shared/app-routes.tsx';
import type { PageLabels } from '../shared/labels/labels.ts';
import type { PagePayload } from '../shared/payload/payload.ts';
import { routePages } from '../shared/route-pages.ts';
import type { RouteId } from '../shared/routing/routes.ts';
import { applyHead } from './apply-head.ts';
import { failedPage } from './fetch-payload.ts';
import { fullLoad } from './full-load.ts';
import { useLatePage } from './late-page.ts';
import { createPageLoader } from './load-page.ts';
import { createLoadingIndicator } from './loading-indicator.ts';
import { createDataStrategy } from './navigate.ts';
import type { NewBuild } from './new-build.ts';
import { startAnnouncements, startPressedLinks } from './page-feedback.ts';
import { pageState, routeOnScreen } from './page-state.ts';
import { mayReload } from './reload-guard.ts';
import { routeLinks } from './route-links.ts';
import { focusHeading, focusTarget, startScrollMemory } from './scroll-and-focus.ts';
import { governViewTransitions } from './view-transitions.ts';

/**
 * Creates React Router's data router from the site's route table and the first page's data. The promise resolves when the
 * first page's chunk is loaded, so that hydration renders what the server rendered.
 *
 * @returns a promise that rejects when that chunk cannot be loaded: the page is then not hydrated.
 */
export async function createSiteRouter(first: PagePayload, newBuild: NewBuild, labels: PageLabels) {
  const { load, prepareToStay } = createPageLoader(
    first.buildId,
    {
      current: currentPayload,
      currentRoute: () => routeOnScreen(router.state),
      currentAddress: () => addressOf(router.state.location),
      targetHash: () => router.state.navigation.location?.hash ?? null,
      undoTraversal,
      stay: () => {
        stayingKey = router.state.navigation.location?.key ?? null;
      },
    },
    newBuild,
    labels,
  );
  const routes = createAppRoutes(lazyPage, HydratedApp, load);
  const leaf = matchRoutes(routes, location)?.at(-1)?.route;
  if (leaf) await resolveLazy(leaf).catch(error => reloadOr(location, () => Promise.reject(error)));
  const router = createBrowserRouter(routes, {
    dataStrategy: createDataStrategy(
      () => import('../shared/ui/rich-nodes.tsx'),
      () =>
        reloadOr(router.state.navigation.location ?? router.state.location, () =>
          failedPage(currentPayload(), labels),
        ),
    ),
    hydrationData: { loaderData: { [ROOT_ROUTE_ID]: null, [leaf?.id ?? '']: first } },
  });

  function currentPayload(): PagePayload {
    return router.state.loaderData[routeOnScreen(router.state)] ?? first;
  }

  /** Goes back to the history entry of the page on screen, if the browser has already left it. */
  function undoTraversal(): boolean {
    const delta = shownIndex - historyIndex();
    if (delta === 0) return false;
    history.go(delta);
    return true;
  }

  const indicator = createLoadingIndicator();
  const pressed = startPressedLinks();
  const announce = startAnnouncements();
  const scrolling = startScrollMemory();
  routeLinks(router);
  governViewTransitions(() => ({ from: left.pathname, to: shown.pathname }));
  // A page from the back/forward cache may have been left in the middle of a navigation.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && router.state.navigation.state !== 'idle')
      void router.navigate(prepareToStay(), { replace: true });
  });

  let { location: shown, navigation } = router.state;
  let left = shown;
  let shownIndex = historyIndex();
  let pending = false;
  /** The key of a location that the router reaches while the page stays unchanged. */
  let stayingKey: string | null = null;
  router.subscribe(state => {
    const isPending = pageState(state, state.location.key === stayingKey).status === 'pending';
    if (isPending && !pending) indicator.start();
    if (isPending && (!pending || state.navigation !== navigation)) pressed.mark();
    if (!isPending && pending) {
      indicator.finish();
      pressed.clear();
    }
    pending = isPending;
    navigation = state.navigation;
    if (state.location === shown) return;
    scrolling.leave(shown.key);
    left = shown;
    shown = state.location;
    shownIndex = historyIndex();
  });

  /** The site. It calls `arrive` when React has committed another page, or another location on the same page. */
  function HydratedApp() {
    const { key, hash } = useLocation();
    const payload = useMatches().at(-1)?.loaderData as PagePayload | undefined;
    const before = useRef({ key, payload });
    const latePath = useLatePage(announce);
    useLayoutEffect(() => {
      const { key: lastKey, payload: lastPayload } = before.current;
      if (key === lastKey && payload === lastPayload) return;
      before.current = { key, payload };
      const stays = key !== lastKey && key === stayingKey;
      stayingKey = null;
      if (stays) return;
      // The editor's change of the page on screen (`client/preview.ts`): the reader stays where they are.
      if (key === lastKey && payload) return applyHead(payload.head);
      arrive(key, hash, payload === lastPayload ? undefined : payload);
    }, [key, hash, payload]);
    return <App latePath={latePath} />;
  }

  /** Scrolls to the location and moves the focus there. A new page also gets its head, and its title is announced. */
  function arrive(key: string, hash: string, page: PagePayload | undefined): void {
    if (page) applyHead(page.head);
    const target = scrolling.arrive(key, hash, router.state.historyAction === 'POP');
    if (target) focusTarget(target);
    else if (page) focusHeading();
    if (page) announce(document.title);
  }
  return router;
}

/** @returns the lazy part of a route: its page component comes in a chunk of its own. */
function lazyPage(id: RouteId): Pick<RouteObject, 'lazy'> {
  return {
    lazy: async () => {
      const { default: Page } = await routePages[id]();
      return { Component: routeElement(Page as PageComponent<'home'>) };
    },
  };
}

async function resolveLazy(route: RouteObject): Promise<void> {
  if (typeof route.lazy !== 'function') return;
  const resolved = await route.lazy();
  Object.assign(route, { ...resolved, lazy: undefined });
}

type Place = Pick<Location, 'pathname' | 'search' | 'hash'>;

/** Loads the target in full after its chunk failed to load: the build may be gone. The reload guard prevents a loop. */
function reloadOr<T>(target: Place, otherwise: () => T): T | Promise<never> {
  // Offline, a full load would end on the browser's error page, which does not recover by itself.
  return navigator.onLine && mayReload(target.pathname) ? fullLoad(addressOf(target)) : otherwise();
}

function addressOf({ pathname, search, hash }: Place): string {
  return pathname + search + hash;
}

/** @returns the index of the current entry among those that React Router has added to the history. */
function historyIndex(): number {
  return (history.state as { idx?: number } | null)?.idx ?? 0;
}
