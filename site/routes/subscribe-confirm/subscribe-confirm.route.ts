import { route } from '../../../shared/routing/route.ts';

/** A page that opens by a link of an e-mail. */
export interface SubscribePageData {
  title: string;
  text: string;
  /** The address to which the link was sent, if the link has it. */
  email: string | null;
  /** The words on the button; null for a page without one. */
  button: string | null;
}

export const subscribeConfirm = route<SubscribePageData>()({
  id: 'subscribe-confirm',
  path: '/subscribe/confirm',
  page: () => import('./subscribe-confirm.tsx'),
  load: () => __BROWSER__ || import('./subscribe-confirm.load.server.ts'),
  opensByToken: true,
  query: ['state'],
});
