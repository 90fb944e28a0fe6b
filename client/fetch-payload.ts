import { type LoaderFunction, replace } from 'react-router-dom';
import type { PagePayload, PayloadAnswer } from '../shared/payload.ts';
import { payloadAddress } from '../shared/payload-address.ts';

/**
 * @param first the payload of the page that was hydrated.
 * @returns the loader of every page: one request for all that a page shows. Where the server speaks of another build,
 * or of an address outside, the browser goes there by a full load.
 */
export function createPayloadLoader(first: PagePayload): LoaderFunction {
  return async ({ request }) => {
    const target = new URL(request.url);
    const response = await fetch(payloadAddress(target.pathname, target.search, first.buildId), {
      signal: request.signal,
    });
    const answer = (await response.json()) as PayloadAnswer;
    if (answer.buildId !== first.buildId) return leaveFor(target.href);
    if (answer.data === null) {
      return answer.redirect.external ? leaveFor(answer.redirect.to) : replace(answer.redirect.to);
    }
    document.title = answer.head.title;
    return answer;
  };
}

/** A full load; the promise never settles, so the old page stays until the new one is there. */
function leaveFor(href: string): Promise<never> {
  location.assign(href);
  return new Promise(() => {});
}
