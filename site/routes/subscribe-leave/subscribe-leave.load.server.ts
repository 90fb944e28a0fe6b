import { subscribeContent } from '../subscribe-confirm/subscribe.server.ts';

export default subscribeContent('subscribe-leave');
