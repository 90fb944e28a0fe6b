import type { ComponentType } from 'react';
import { type LoaderFunction, type RouteObject, useLoaderData, useLocation } from 'react-router-dom';
import { App } from './app.tsx';
import { useLabels } from './labels/labels-context.ts';
import ErrorPage from './pages/error-page.tsx';
import { errorTitle } from './payload/http-error.ts';
import type { PageDataByRoute, PageError, PagePayload } from './payload/payload.ts';
import { type RouteId, routeTable } from './routing/routes.ts';

/** The page component of a route. */
export type PageComponent<Id extends RouteId> = ComponentType<{ data: PageDataByRoute[Id] }>;
/** All page components, loaded. */
export type PageComponents = { readonly [Id in RouteId]: PageComponent<Id> };
/** All page components, each loaded when its function is called. */
export type LazyPageComponents = { readonly [Id in RouteId]: () => Promise<{ default: PageComponent<Id> }> };

/** The ids of the route around all others, and of the route for paths that match no other. */
export const ROOT_ROUTE_ID = 'root';
export const UNMATCHED_ROUTE_ID = 'unmatched';

type Loading = Pick<RouteObject, 'Component'> | Pick<RouteObject, 'lazy'>;

/**
 * The route table in React Router's form: one root that renders the layout, and below it one route for each page.
 *
 * @param loading returns the component of a route on the server, or the function that loads its chunk in the browser.
 * @param Root renders the layout around the page.
 * @param loader the browser's loader. The server has none, because it loads all data before it renders.
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
        { id: UNMATCHED_ROUTE_ID, path: '*', Component: EmptyPage, ...common },
      ],
    },
  ];
}

/** The error page for an error while rendering. An error of a page is shown inside the layout, an error of the layout without one. */
function RouteError() {
  const { pathname, search } = useLocation();
  const labels = useLabels();
  const error: PageError = {
    statusCode: 500,
    statusMessage: errorTitle(500, labels),
    message: labels.text('notShown'),
  };
  return <ErrorPage error={error} path={pathname + search} />;
}

/** The component for a path without a route. `App` shows the error page instead. */
function EmptyPage() {
  return null;
}

/** @returns the component of a route, which renders the page with the data from the route's loader. */
export function routeElement<Id extends RouteId>(Page: PageComponent<Id>): ComponentType {
  return function RouteElement() {
    const payload = useLoaderData<PagePayload<Id>>();
    return payload.data.page && <Page data={payload.data.page} />;
  };
}
