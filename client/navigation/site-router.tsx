import { type ComponentType, type ReactNode, useLayoutEffect, useRef } from 'react';
import { App } from '../../shared/app.tsx';
import {
  createAppRoutes,
  type PageComponent,
  ROOT_ROUTE_ID,
  routeElement,
  UNMATCHED_ROUTE_ID,
} from '../../shared/app-routes.tsx';
import type { PageLabels } from '../../shared/labels/labels.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import { routePaths } from '../../shared/routing/page-numbers.ts';
import {
  createBrowserRouter,
  matchRoutes,
  type Router,
  type RouterState,
  useLocation,
  useMatches,
} from '../../shared/routing/router.ts';
import { type RouteId, routeById } from '../../shared/routing/routes.ts';
import { fullLoad } from '../reloads/full-load.ts';
import { mayReload } from '../reloads/reload-guard.ts';
import { applyHead, focusHeading, focusTarget, startScrollMemory } from './arrival.ts';
import { failedPage } from './fetch-payload.ts';
import { useLatePage } from './late-page.ts';
import { createDataStrategy, createPageLoader, type NavigationFacts } from './load-page.ts';
import { createLoadingIndicator, startAnnouncements, startPressedLinks } from './page-feedback.ts';
import { pageState, routeOnScreen } from './page-state.ts';
import { routeLinks } from './route-links.ts';
import { governViewTransitions } from './view-transitions.ts';

type Place = Pick<Location, 'pathname' | 'search' | 'hash'>;

/** Rejects if the first page's chunk cannot be loaded, so that the page is not hydrated. */
export async function createSiteRouter(
  first: PagePayload,
  isBuildWaiting: () => boolean,
  labels: PageLabels,
): Promise<Router> {
  const { id, route } = matchRoutes(routePaths, location)?.[0]?.route ?? {};
  const page =
    route && (await loadPage(route).catch(error => reloadOr(location, () => Promise.reject(error))));
  const loading = (other: RouteId) => (other === route && page ? page : { lazy: () => loadPage(other) });
  return new SiteRouter(first, id ?? UNMATCHED_ROUTE_ID, loading, isBuildWaiting, labels).router;
}

class SiteRouter implements NavigationFacts {
  readonly router: Router;
  readonly announce = startAnnouncements();
  readonly #first: PagePayload;
  readonly #indicator = createLoadingIndicator();
  readonly #pressed = startPressedLinks();
  readonly #scrolling = startScrollMemory();
  #isPending = false;
  #navigation: RouterState['navigation'];
  #shown: RouterState['location'];
  #left: RouterState['location'];
  #shownIndex: number;
  /** The key of the location of a navigation that changes nothing on the page; see `stay`. */
  #stayingKey: string | null = null;

  constructor(
    first: PagePayload,
    id: string,
    loading: Parameters<typeof createAppRoutes>[0],
    isBuildWaiting: () => boolean,
    labels: PageLabels,
  ) {
    const { load, prepareToStay } = createPageLoader(first.buildId, this, isBuildWaiting, labels);
    const router = createBrowserRouter(
      createAppRoutes(loading, () => <HydratedApp site={this} />, load),
      {
        dataStrategy: createDataStrategy(() =>
          reloadOr(router.state.navigation.location ?? router.state.location, () =>
            failedPage(this.current(), labels),
          ),
        ),
        hydrationData: { loaderData: { [ROOT_ROUTE_ID]: null, [id]: first } },
      },
    );
    this.router = router;
    this.#first = first;
    this.#navigation = router.state.navigation;
    this.#shown = router.state.location;
    this.#left = this.#shown;
    this.#shownIndex = historyIndex();
    const pressed = routeLinks(router);
    governViewTransitions(() => ({
      from: this.#left.pathname,
      to: this.#shown.pathname,
      pressed: pressed(),
    }));
    router.subscribe(state => this.#follow(state));
    // Navigate again, because a page of the back/forward cache may have been left during a navigation.
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted && router.state.navigation.state !== 'idle')
        void router.navigate(prepareToStay(), { replace: true });
    });
  }

  current(): PagePayload {
    return this.router.state.loaderData[this.currentRoute()] ?? this.#first;
  }

  currentRoute(): string {
    return routeOnScreen(this.router.state);
  }

  currentAddress(): string {
    return addressOf(this.router.state.location);
  }

  targetHash(): string | null {
    return this.router.state.navigation.location?.hash ?? null;
  }

  undoTraversal(): boolean {
    const delta = this.#shownIndex - historyIndex();
    if (delta === 0) return false;
    history.go(delta);
    return true;
  }

  stay(): void {
    this.#stayingKey = this.router.state.navigation.location?.key ?? null;
  }

  /** Ends the effect of `stay`. @returns whether `stay` was called for the location with this key. */
  endStay(key: string): boolean {
    const stays = key === this.#stayingKey;
    this.#stayingKey = null;
    return stays;
  }

  arrive(key: string, hash: string, page: PagePayload | undefined): void {
    if (page) applyHead(page);
    const target = this.#scrolling.arrive(key, hash, this.router.state.historyAction === 'POP');
    if (target) focusTarget(target);
    else if (page) focusHeading();
    if (page) this.announce(document.title);
  }

  #follow(state: RouterState): void {
    const isPending = pageState(state, state.location.key === this.#stayingKey).status === 'pending';
    if (isPending && !this.#isPending) this.#indicator.start();
    if (isPending && (!this.#isPending || state.navigation !== this.#navigation)) this.#pressed.mark();
    if (!isPending && this.#isPending) {
      this.#indicator.finish();
      this.#pressed.clear();
    }
    this.#isPending = isPending;
    this.#navigation = state.navigation;
    if (state.location === this.#shown) return;
    this.#scrolling.leave(this.#shown.key);
    this.#left = this.#shown;
    this.#shown = state.location;
    this.#shownIndex = historyIndex();
  }
}

/** Reports that React has committed another page, or another location on the page. */
function HydratedApp({ site }: { site: SiteRouter }): ReactNode {
  const { key, hash } = useLocation();
  const payload = useMatches().at(-1)?.loaderData as PagePayload | undefined;
  const before = useRef({ key, payload });
  const latePath = useLatePage(site.announce);
  useLayoutEffect(() => {
    const { key: lastKey, payload: lastPayload } = before.current;
    if (key === lastKey && payload === lastPayload) return;
    before.current = { key, payload };
    if (site.endStay(key) && key !== lastKey) return;
    // Update the head when a preview reloads its page. Scroll position and focus stay.
    if (key === lastKey && payload) applyHead(payload);
    else site.arrive(key, hash, payload === lastPayload ? undefined : payload);
  }, [site, key, hash, payload]);
  return <App latePath={latePath} />;
}

async function loadPage(id: RouteId): Promise<{ Component: ComponentType }> {
  // The cast is safe: `route-contents.ts` checks that the page of each route has the data of its loader.
  const { default: Page } = (await routeById(id).page()) as { default: PageComponent<RouteId> };
  return { Component: routeElement(Page) };
}

/** Loads the target in full if its chunk is missing, because a newer build may have replaced this one. */
function reloadOr<T>(target: Place, otherwise: () => T): T | Promise<never> {
  // Load in full only online: without a network the browser's error page would stay.
  return navigator.onLine && mayReload(target.pathname) ? fullLoad(addressOf(target)) : otherwise();
}

function addressOf({ pathname, search, hash }: Place): string {
  return pathname + search + hash;
}

/** @returns the index of the current entry among React Router's history entries. */
function historyIndex(): number {
  return (history.state as { idx?: number } | null)?.idx ?? 0;
}
