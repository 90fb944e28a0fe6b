import { subscribeContent } from './subscribe.server.ts';

export default subscribeContent('subscribe-confirm');
