import type { ComponentType } from 'react';
import { ErrorPage } from '../site/layouts.ts';
import { App } from './app.tsx';
import { useLabels } from './labels/labels-context.ts';
import type { PageError } from './payload/http-error.ts';
import { errorTitle } from './payload/http-error.ts';
import type { PagePayload } from './payload/payload.ts';
import { routePaths } from './routing/page-numbers.ts';
import { type LoaderFunction, type RouteObject, useLoaderData, useLocation } from './routing/router.ts';
import type { PageDataByRoute, RouteId } from './routing/routes.ts';

export type PageComponent<Id extends RouteId> = ComponentType<{ data: PageDataByRoute[Id] }>;
export type PageComponents = { readonly [Id in RouteId]: PageComponent<Id> };

export const ROOT_ROUTE_ID = 'root';
export const UNMATCHED_ROUTE_ID = 'unmatched';

type Loading = Pick<RouteObject, 'Component'> | Pick<RouteObject, 'lazy'>;

/**
 * @param loading a function that returns a route's component (server) or loads its chunk (browser).
 * @param loader the browser's loader. The server loads all data before it renders.
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
        ...routePaths.map(({ id, path, route }): RouteObject => ({ id, path, ...loading(route), ...common })),
        { id: UNMATCHED_ROUTE_ID, path: '*', Component: EmptyPage, ...common },
      ],
    },
  ];
}

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

function EmptyPage() {
  return null;
}

export function routeElement<Id extends RouteId>(Page: PageComponent<Id>): ComponentType {
  return function RouteElement() {
    const payload = useLoaderData<PagePayload<Id>>();
    return payload.data.page && <Page data={payload.data.page} />;
  };
}
