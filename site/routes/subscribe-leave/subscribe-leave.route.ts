import { route } from '../../../shared/routing/route.ts';
import type { SubscribePageData } from '../subscribe-confirm/subscribe-confirm.route.ts';

export const subscribeLeave = route<SubscribePageData>()({
  id: 'subscribe-leave',
  path: '/subscribe/leave',
  page: () => import('../subscribe-confirm/subscribe-confirm.tsx'),
  load: () => __BROWSER__ || import('./subscribe-leave.load.server.ts'),
  opensByToken: true,
  query: ['state'],
});
