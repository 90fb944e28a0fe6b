import type { PageError } from '../../shared/payload/http-error.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import type { RouterState } from '../../shared/routing/router.ts';

/** The state of the page's data, derived from the router's state, so that both always agree. */
export type PageState =
  /** The last navigation was cancelled, or the first page has no data. */
  | { status: 'idle' }
  | { status: 'pending'; key: string }
  | { status: 'success'; key: string; payload: PagePayload }
  | { status: 'error'; key: string; error: PageError };

/** @returns the route on screen, even during a navigation. */
export function routeOnScreen({ matches }: Pick<RouterState, 'matches'>): string {
  return matches.at(-1)?.route.id ?? '';
}

export function pageState(router: RouterState, aborted = false): PageState {
  const { navigation, revalidation, location, loaderData } = router;
  const { pathname, search } = navigation.location ?? location;
  const key = pathname + search;
  if (navigation.state !== 'idle' || revalidation !== 'idle') return { status: 'pending', key };
  const payload: PagePayload | undefined = loaderData[routeOnScreen(router)];
  if (aborted || !payload) return { status: 'idle' };
  return payload.error ? { status: 'error', key, error: payload.error } : { status: 'success', key, payload };
}
