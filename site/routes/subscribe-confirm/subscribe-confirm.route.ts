import { route } from '../../../shared/routing/route.ts';

export interface SubscribePageData {
  title: string;
  text: string;
  /** The address that the link was sent to, if known. */
  email: string | null;
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
