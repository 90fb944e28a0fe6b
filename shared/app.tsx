import { useEffect, useRef } from 'react';
import { ErrorPage, layouts, PageSkeleton } from '../site/layouts.ts';
import type { PagePayload } from './payload/payload.ts';
import { Outlet, useLocation, useMatches } from './routing/router.ts';
import { type LayoutName, routeById } from './routing/routes.ts';

/** The root of every page. The skeleton of a late page covers the current page. */
export function App({ latePath = null }: { latePath?: string | null }) {
  const payload = usePayload();
  const { pathname, search } = useLocation();
  const Layout = layouts[layoutOf(payload)];
  return (
    <Layout shell={payload?.data.shell ?? null}>
      {payload?.error ? <ErrorPage error={payload.error} path={pathname + search} /> : <Outlet />}
      {latePath === null ? null : <PageSkeleton path={latePath} />}
    </Layout>
  );
}

function layoutOf(payload: PagePayload | undefined): LayoutName {
  return payload?.route && !payload.error ? routeById(payload.route).layout : 'default';
}

/** @returns the payload on screen; the previous page's if this page's chunk is missing. */
function usePayload(): PagePayload | undefined {
  const payload = useMatches().at(-1)?.loaderData as PagePayload | undefined;
  const last = useRef(payload);
  useEffect(() => {
    if (payload) last.current = payload;
  }, [payload]);
  return payload ?? last.current;
}
