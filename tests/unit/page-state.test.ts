import { describe, expect, it } from 'vitest';
import { pageState } from '../../client/navigation/page-state.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import type { RouterState } from '../../shared/routing/router.ts';

const PAYLOAD: PagePayload = {
  buildId: 'b',
  route: 'page',
  params: { slug: 'about' },
  data: { shell: null, page: null },
  head: {
    title: 'About',
    description: null,
    canonical: '/about',
    ogType: 'website',
    publishedTime: null,
    modifiedTime: null,
    robots: null,
  },
};
const place = (pathname: string, search = '') => ({
  pathname,
  search,
  hash: '',
  state: null,
  key: pathname,
  unstable_mask: undefined,
});

/** The router state from which the page state is derived. */
function router(changes: Partial<Record<keyof RouterState, unknown>> = {}): RouterState {
  return {
    location: place('/about', '?x=1'),
    navigation: { state: 'idle', location: undefined },
    revalidation: 'idle',
    matches: [{ route: { id: 'root' } }, { route: { id: 'page' } }],
    loaderData: { root: null, page: PAYLOAD },
    ...changes,
  } as RouterState;
}

describe('the state of the page', () => {
  it('the page state is idle without data', () => {
    expect(pageState(router({ loaderData: {} }))).toEqual({ status: 'idle' });
    expect(pageState(router({ matches: [] }))).toEqual({ status: 'idle' });
  });

  it('the page is pending with the requested address during a navigation', () => {
    const navigation = { state: 'loading', location: place('/blog', '?page=2') };
    expect(pageState(router({ navigation }))).toEqual({ status: 'pending', key: '/blog?page=2' });
  });

  it('the page is pending with the shown address during a revalidation', () => {
    expect(pageState(router({ revalidation: 'loading' }))).toEqual({ status: 'pending', key: '/about?x=1' });
  });

  it('the page is a success with the shown data', () => {
    expect(pageState(router())).toEqual({ status: 'success', key: '/about?x=1', payload: PAYLOAD });
  });

  it('the page state has the error of the payload', () => {
    const error = { statusCode: 404, statusMessage: 'Page Not Found', message: 'Page not found: /about' };
    const loaderData = { page: { ...PAYLOAD, error } };
    expect(pageState(router({ loaderData }))).toEqual({ status: 'error', key: '/about?x=1', error });
  });

  it('the page is idle after a cancelled navigation, until the next one begins', () => {
    expect(pageState(router(), true)).toEqual({ status: 'idle' });
    const navigation = { state: 'loading', location: place('/blog') };
    expect(pageState(router({ navigation }), true)).toEqual({ status: 'pending', key: '/blog' });
  });
});
