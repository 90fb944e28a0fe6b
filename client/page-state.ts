import type { RouterState } from 'react-router-dom';
import type { PageError, PagePayload } from '../shared/payload.ts';

/** The state of the page's data: derived from the router's own state, so that there is no second one to disagree with. */
export type PageState =
  /** Nothing was loaded: the first page came with its data, or a navigation was given up. */
  | { status: 'idle' }
  /** `key` is being loaded; the old page stays visible. */
  | { status: 'pending'; key: string }
  | { status: 'success'; key: string; payload: PagePayload }
  | { status: 'error'; key: string; error: PageError };

/** @param aborted whether the last navigation was given up. */
export function pageState(router: RouterState, aborted = false): PageState {
  const { navigation, location, matches, loaderData } = router;
  if (navigation.state !== 'idle') return { status: 'pending', key: navigation.location.pathname + navigation.location.search };
  const payload: PagePayload | undefined = loaderData[matches.at(-1)?.route.id ?? ''];
  if (aborted || !payload) return { status: 'idle' };
  const key = location.pathname + location.search;
  return payload.error ? { status: 'error', key, error: payload.error } : { status: 'success', key, payload };
}
