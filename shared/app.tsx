import { useEffect, useRef } from 'react';
import { Outlet, useLocation, useMatches } from 'react-router-dom';
import { BlogLayout } from './layouts/blog-layout.tsx';
import { DefaultLayout } from './layouts/default-layout.tsx';
import { PageSkeleton } from './layouts/page-skeleton.tsx';
import ErrorPage from './pages/error-page.tsx';
import type { PagePayload } from './payload/payload.ts';
import { routeById } from './routing/routes.ts';

/**
 * The root of every page: the layout with the page or the error page in it.
 *
 * @param latePath the path of a page that is slow to load. Its skeleton covers the current page.
 */
export function App({ latePath = null }: { latePath?: string | null }) {
  const payload = usePayload();
  const { pathname, search } = useLocation();
  const Layout = layoutOf(payload) === 'blog' ? BlogLayout : DefaultLayout;
  return (
    <Layout shell={payload?.data.shell ?? null}>
      {payload?.error ? <ErrorPage error={payload.error} path={pathname + search} /> : <Outlet />}
      {latePath === null ? null : <PageSkeleton path={latePath} />}
    </Layout>
  );
}

/** @returns the layout of a page. An error page always has the default layout. */
function layoutOf(payload: PagePayload | undefined) {
  return payload?.route && !payload.error ? routeById(payload.route).layout : 'default';
}

/**
 * The payload of the innermost route, whose shell the layout shows. A page whose chunk could not be loaded has no payload. In that case
 * the previous page's payload is returned, so that the previous page's layout surrounds the error.
 */
function usePayload(): PagePayload | undefined {
  const payload = useMatches().at(-1)?.loaderData as PagePayload | undefined;
  const last = useRef(payload);
  useEffect(() => {
    if (payload) last.current = payload;
  }, [payload]);
  return payload ?? last.current;
}
