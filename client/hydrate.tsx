import { StrictMode, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, type RouteObject, RouterProvider } from 'react-router-dom';
import { createAppRoutes, type PageComponent, ROOT_ROUTE_ID, routeElement } from '../shared/app-routes.tsx';
import { DeviceProvider } from '../shared/device-context.tsx';
import { FormStateContext } from '../shared/form-state.ts';
import { ROOT_ID } from '../shared/page-data.ts';
import type { RouteId } from '../shared/routes.ts';
import { createPayloadLoader } from './fetch-payload.ts';
import { readPageData } from './page-data.ts';
import { reloadOnRebuild } from './reload-on-rebuild.ts';
import { routePages } from './route-pages.ts';

await hydrate();

async function hydrate(): Promise<void> {
  const root = document.getElementById(ROOT_ID);
  if (!root) return;
  const { payload, config, deviceClass, formState } = readPageData();
  const routes = createAppRoutes(lazyElement, { loader: createPayloadLoader(payload) });
  const leaf = matchRoutes(routes, location)?.at(-1)?.route;
  // The page's own chunk is loaded before hydration, so that the first render in the browser is the server's.
  if (leaf) await resolveLazy(leaf);
  const router = createBrowserRouter(routes, {
    hydrationData: { loaderData: { [ROOT_ROUTE_ID]: null, [leaf?.id ?? '']: payload } },
  });
  hydrateRoot(
    root,
    <StrictMode>
      <DeviceProvider initialClass={deviceClass} refreshOnResize={config.deviceRefreshOnResize}>
        <FormStateContext value={formState}>
          <RouterProvider router={router} />
          <HydrationMark />
        </FormStateContext>
      </DeviceProvider>
    </StrictMode>,
  );
  if (__DEV__) reloadOnRebuild(payload.buildId);
}

/** Says that the page is alive: styles and tests read it off the root element. */
function HydrationMark(): null {
  useEffect(() => {
    document.documentElement.dataset.hydrated = 'true';
  }, []);
  return null;
}

function lazyElement(id: RouteId) {
  return {
    lazy: async () => ({
      Component: routeElement((await routePages[id]()).default as PageComponent<'home'>),
    }),
  };
}

async function resolveLazy(route: RouteObject): Promise<void> {
  if (typeof route.lazy !== 'function') return;
  const resolved = await route.lazy();
  Object.assign(route, { ...resolved, lazy: undefined });
}
