import type { RouteContent } from '../../../server/loading/loader.ts';
import {
  isSubscribeState,
  type SubscribeRoute,
  subscribeWords,
} from '../../../server/loading/subscribe-words.ts';

/** Loads the page. `server/forms/subscribe-pages.ts` sets the state; without it the token is invalid. */
export function subscribeContent(route: SubscribeRoute): RouteContent<SubscribeRoute> {
  return {
    async load({ query, labels }) {
      const state = query.get('state') ?? 'wrong';
      const words = subscribeWords(await labels(), route, isSubscribeState(state) ? state : 'wrong');
      const data = { ...words, email: query.get('email') };
      return { kind: 'page', data, head: { title: data.title, noindex: true }, jsonLd: [] };
    },
    locations: async () => [],
  };
}
