import { type RouteDefinition, type RouteId, routeTable } from '../../shared/routing/routes.ts';

/**
 * Makes the pages of a route read the device, in sites of this process that are created afterwards. No route of the table does.
 *
 * @returns a function that undoes it.
 */
export function letRouteReadDevice(id: RouteId): () => void {
  const row: { -readonly [Key in keyof RouteDefinition]: RouteDefinition[Key] } | undefined = routeTable.find(
    route => route.id === id,
  );
  if (!row) throw new Error(`no route ${id}`);
  row.readsDevice = true;
  return () => {
    row.readsDevice = false;
  };
}
