// The only module that imports React Router. Decision 195 says what another router must provide.

import type { createBrowserRouter } from 'react-router-dom';

export type Router = ReturnType<typeof createBrowserRouter>;
export {
  createBrowserRouter,
  createPath,
  createStaticHandler,
  createStaticRouter,
  type DataStrategyFunction,
  type LoaderFunction,
  type LoaderFunctionArgs,
  matchRoutes,
  Outlet,
  parsePath,
  type RouteObject,
  RouterProvider,
  type RouterState,
  redirect,
  replace,
  type StaticHandlerContext,
  StaticRouter,
  StaticRouterProvider,
  useLoaderData,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
} from 'react-router-dom';
