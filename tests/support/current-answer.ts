import { cacheStatusOf } from './cache-status.ts';
import { eventually } from './eventually.ts';
import { type Answer, AS_BROWSER, sendRequest } from './send-request.ts';

/** `Cache-Status` of an answer that the site knows to be stale. */
const STALE = /; ttl=-/;

/**
 * Requests an address until the answer is not stale. The site serves the stale page when the new one takes
 * longer than a second.
 */
export function currentAnswer(base: string, address: string): Promise<Answer> {
  return eventually(async () => {
    const answer = await sendRequest(base, address, { headers: AS_BROWSER });
    if (STALE.test(cacheStatusOf(answer))) throw new Error(`The answer to ${address} is stale`);
    return answer;
  });
}
