import { cacheStatusOf } from './cache-status.ts';
import { eventually } from './eventually.ts';
import { type Answer, AS_BROWSER, sendRequest } from './send-request.ts';

/** `Cache-Status` of an answer that the site knows to be stale. */
const STALE = /; ttl=-/;

/**
 * Asks for an address until the answer is not a stale one. The site answers with the stale page when the new
 * one takes longer than a second, as on a busy machine.
 */
export function currentAnswer(base: string, address: string): Promise<Answer> {
  return eventually(async () => {
    const answer = await sendRequest(base, address, { headers: AS_BROWSER });
    if (STALE.test(cacheStatusOf(answer))) throw new Error(`The answer to ${address} is stale`);
    return answer;
  });
}
