import { route } from '../../../shared/routing/route.ts';
import type { SubscribePageData } from '../subscribe-confirm/subscribe-confirm.route.ts';

export const subscribeLeave = route<SubscribePageData>()({
  id: 'subscribe-leave',
  path: '/subscribe/leave',
  opensByToken: true,
  query: ['state'],
});
