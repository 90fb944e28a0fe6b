import type { ComponentType } from 'react';
import { type LoaderFunction, type RouteObject, useLoaderData, useLocation } from 'react-router-dom';
import { App } from './app.tsx';
import ErrorPage from './pages/error-page.tsx';
import { defaultStatusMessage } from './payload/http-error.ts';
import type { PageDataByRoute, PageError, PagePayload } from './payload/payload.ts';
import { type RouteId, routeTable } from './routing/routes.ts';

/** The page component of a route. */
export type PageComponent<Id extends RouteId> = ComponentType<{ data: PageDataByRoute[Id] }>;
/** All page components, loaded. */
export type PageComponents = { readonly [Id in RouteId]: PageComponent<Id> };
/** All page components, each loaded when its function is called. */
export type LazyPageComponents = { readonly [Id in RouteId]: () => Promise<{ default: PageComponent<Id> }> };

/** The ids of the route around all others, and of the route for paths that no other matches. */
export const ROOT_ROUTE_ID = 'root';
export const UNMATCHED_ROUTE_ID = 'unmatched';

type Loading = Pick<RouteObject, 'Component'> | Pick<RouteObject, 'lazy'>;

/**
 * The route table in React Router's form: one root that renders the layout, and below it one route for each page.
 *
 * @param loading gives the element of a route: at once on the server, by a chunk in the browser.
 * @param Root renders the layout around the page.
 * @param loader of the browser; the server loads all data before it renders.
 */
export function createAppRoutes(
  loading: (id: RouteId) => Loading,
  Root: ComponentType = App,
  loader?: LoaderFunction,
): RouteObject[] {
  const common = { ErrorBoundary: RouteError, ...(loader ? { loader } : {}) };
  return [
    {
      id: ROOT_ROUTE_ID,
      Component: Root,
      ErrorBoundary: RouteError,
      children: [
        ...routeTable.map(({ id, path }): RouteObject => ({ id, path, ...loading(id), ...common })),
        { id: UNMATCHED_ROUTE_ID, path: '*', Component: Nothing, ...common },
      ],
    },
  ];
}

/** An error of a page stands inside its layout, one of the layout stands alone. */
function RouteError() {
  const { pathname, search } = useLocation();
  return <ErrorPage error={PAGE_BROKE} path={pathname + search} />;
}

const PAGE_BROKE: PageError = {
  statusCode: 500,
  statusMessage: defaultStatusMessage(500),
  message: 'Something went wrong while this page was shown.',
};

/** The element of a path without a route. `App` shows the error page in its place. */
function Nothing() {
  return null;
}

/** @returns the element of a route: its page, given what the route's loader has loaded. */
export function routeElement<Id extends RouteId>(Page: PageComponent<Id>): ComponentType {
  return function RouteElement() {
    const payload = useLoaderData<PagePayload<Id>>();
    return payload.data.page && <Page data={payload.data.page} />;
  };
}
