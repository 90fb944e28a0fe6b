import { type LoaderFunctionArgs, redirect, replace } from 'react-router-dom';
import { assertNever } from '../shared/result.ts';
import type { PagePayload, PayloadRedirect } from '../shared/payload.ts';
import { failedPage, fetchPayload } from './fetch-payload.ts';
import { fullLoad } from './full-load.ts';
import type { NewBuild } from './new-build.ts';
import { mayReload } from './reload-guard.ts';

/** What the loader needs to know of the navigation under way. */
export interface NavigationFacts {
  /** The page that is shown now. */
  current(): PagePayload;
  /** The address of the page that is shown now. */
  currentAddress(): string;
  /** The hash of the target: a request has none. */
  targetHash(): string;
  /** Whether the browser's own back or forward began it. */
  isTraversal(): boolean;
  /** Told that the navigation is refused: the router goes to where it is, and nothing on the page changes. */
  stay(): void;
}

/** @returns the loader of every page: one request for all that a page shows. */
export function createPageLoader(buildId: string, facts: NavigationFacts, newBuild: NewBuild) {
  /** Set while the router goes back to where it was, after route middleware has refused a navigation. */
  let stay: PagePayload | null = null;

  return async ({ request }: Pick<LoaderFunctionArgs, 'request'>): Promise<PagePayload | Response> => {
    if (stay) {
      const payload = stay;
      stay = null;
      return payload;
    }
    const { pathname, search } = new URL(request.url);
    const target = pathname + search + facts.targetHash();
    if (newBuild.isWaiting() && mayReload(pathname)) return fullLoad(target);
    const outcome = await fetchPayload(pathname, search, buildId, request.signal);
    switch (outcome.kind) {
      case 'failed':
        return failedPage(facts.current(), outcome.error);
      case 'foreign':
        if (mayReload(pathname)) return fullLoad(target);
        return failedPage(facts.current(), unreadable());
      case 'answer':
        break;
      default:
        return assertNever(outcome);
    }
    const { answer } = outcome;
    if (answer.buildId !== buildId && mayReload(pathname)) return fullLoad(target);
    if (answer.data === null) return follow(answer.redirect, facts);
    if (answer.error?.aborted) {
      stay = facts.current();
      facts.stay();
      return replace(facts.currentAddress());
    }
    // Without the shell's content the one that is on the page goes on serving.
    return answer.data.shell ? answer : { ...answer, data: { ...answer.data, shell: facts.current().data.shell } };
  };
}

function follow({ to, external }: PayloadRedirect, facts: NavigationFacts): Response | Promise<never> {
  if (external) return fullLoad(to);
  const target = to.includes('#') ? to : to + facts.targetHash();
  // The entry of a link was not made yet, so this makes the only one; one that is there already is replaced.
  return facts.isTraversal() ? replace(target) : redirect(target);
}

function unreadable() {
  return { statusCode: 502, statusMessage: 'Bad Gateway', message: 'Something between you and this site has answered in its place.' };
}
