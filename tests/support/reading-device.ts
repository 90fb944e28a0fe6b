import { type RouteDefinition, routeTable } from '../../shared/routing/routes.ts';

/** The route table, changed so that articles read the device. No route of the site does. */
export const ROUTES_READING_DEVICE: readonly RouteDefinition[] = routeTable.map(route =>
  route.id === 'blog-article' ? { ...route, readsDevice: true } : route,
);
