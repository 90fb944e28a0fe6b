import { type ReactNode, StrictMode } from 'react';
import {
  createStaticHandler,
  createStaticRouter,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router-dom';
import { pages } from '../../server/render/pages.ts';
import {
  createAppRoutes,
  type PageComponents,
  ROOT_ROUTE_ID,
  routeElement,
  UNMATCHED_ROUTE_ID,
} from '../../shared/app-routes.tsx';
import { DeviceProvider } from '../../shared/device-context.tsx';
import { FormStateContext } from '../../shared/form-state.ts';
import { PAGE_DATA_ID, type PageData, ROOT_ID } from '../../shared/page-data.ts';
import type { RouteId } from '../../shared/routes.ts';

const { dataRoutes } = createStaticHandler(
  createAppRoutes(id => ({ Component: routeElement(pages[id as RouteId] as PageComponents['home']) })),
);

/** @returns the tree of a page as a browser has it, with nothing of what the server does to render it sooner. */
export function pageTree({ payload, deviceClass, formState }: PageData, path: string): ReactNode {
  const { pathname, search } = new URL(`http://localhost${path}`);
  const root = dataRoutes[0];
  const id = payload.route ?? UNMATCHED_ROUTE_ID;
  const leaf = root?.children?.find(route => route.id === id) as typeof root;
  if (!root || !leaf) throw new Error(`No route '${payload.route}' to render`);
  const match = (route: typeof root, at: string) => ({
    params: { ...payload.params },
    pathname: at,
    pathnameBase: at,
    route,
  });
  const context: StaticHandlerContext = {
    basename: '/',
    location: { pathname, search, hash: '', state: null, key: 'default' },
    matches: [match(root, '/'), match(leaf, pathname)],
    loaderData: { [ROOT_ROUTE_ID]: null, [leaf.id]: payload },
    actionData: null,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    actionHeaders: {},
  };
  return (
    <StrictMode>
      <DeviceProvider initialClass={deviceClass} refreshOnResize={false}>
        <FormStateContext value={formState}>
          <StaticRouterProvider
            router={createStaticRouter(dataRoutes, context)}
            context={context}
            hydrate={false}
          />
        </FormStateContext>
      </DeviceProvider>
    </StrictMode>
  );
}

export interface DocumentAround {
  before: string;
  /** What React has rendered. */
  markup: string;
  after: string;
  data: PageData;
}

/** Takes a page's document apart. */
export function takeApart(document: string): DocumentAround {
  const root = `<div id="${ROOT_ID}">`;
  const marker = `</div><script type="application/json" id="${PAGE_DATA_ID}">`;
  const from = document.indexOf(root) + root.length;
  const until = document.lastIndexOf(marker);
  const json = document.slice(until + marker.length, document.indexOf('</script>', until));
  return {
    before: document.slice(0, from),
    markup: document.slice(from, until),
    after: document.slice(until),
    data: JSON.parse(json),
  };
}
