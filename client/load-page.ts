import { type LoaderFunctionArgs, redirect, replace } from 'react-router-dom';
import type { PagePayload, PayloadRedirect } from '../shared/payload/payload.ts';
import { assertNever } from '../shared/result.ts';
import { MAX_HOPS } from '../shared/routing/redirects.ts';
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
  /** The hash of the target, which a request has not; null where the page that is shown is asked for once more. */
  targetHash(): string | null;
  /**
   * Told that a navigation is refused. Where the browser's back or forward has begun it, it is undone.
   *
   * @returns whether it was.
   */
  undoTraversal(): boolean;
  /** Told that the router comes to where it was: nothing on the page is to change. */
  stay(): void;
}

/** A step of a navigation that the loader has sent on: the next request for this address belongs to it. */
interface Step {
  address: string;
  /** Redirects so far. */
  hops: number;
  /** Whether the entry of the history is there already, to be replaced. */
  replaces: boolean;
  /** Set when the navigation leads to the page that is shown anyway. */
  stay?: PagePayload;
}

/** @returns the loader of every page: one request for all that a page shows. */
export function createPageLoader(buildId: string, facts: NavigationFacts, newBuild: NewBuild) {
  let next: Step | null = null;

  /** Makes the router come to the page that is shown, without asking for it. */
  function prepareToStay(): string {
    const address = facts.currentAddress();
    next = { address: withoutHash(address), hops: 0, replaces: true, stay: facts.current() };
    return address;
  }

  async function load({ request }: Pick<LoaderFunctionArgs, 'request'>): Promise<PagePayload | Response> {
    const { pathname, search } = new URL(request.url);
    const address = pathname + search;
    const step: Step =
      next?.address === address
        ? next
        : { address, hops: 0, replaces: address === location.pathname + location.search };
    next = null;
    if (step.stay) {
      facts.stay();
      return step.stay;
    }
    const hash = facts.targetHash();
    // From a place on the page back to its top: React Router loads for that, browsers do not.
    if (hash === '' && facts.currentAddress().startsWith(`${address}#`) && !facts.current().error)
      return facts.current();
    const target = address + (hash ?? '');
    if (newBuild.isWaiting()) return fullLoad(target, step.replaces);
    const outcome = await fetchPayload(pathname, search, buildId, request.signal);
    switch (outcome.kind) {
      case 'failed':
        return failedPage(facts.current(), outcome.error);
      case 'foreign':
        if (mayReload(pathname)) return fullLoad(target, step.replaces);
        return failedPage(facts.current(), unreadable());
      case 'answer':
        break;
      default:
        return assertNever(outcome);
    }
    const { answer } = outcome;
    // Needs no guard: what the server renders is shown as it is, so a navigation can end here only once.
    if (answer.buildId !== buildId) return fullLoad(target, step.replaces);
    if (answer.data === null) return follow(answer.redirect, hash ?? '', step);
    if (answer.error?.aborted) {
      const stays = prepareToStay();
      return facts.undoTraversal() ? new Promise(() => {}) : replace(stays);
    }
    // Without the shell's content the one that is on the page goes on serving.
    return answer.data.shell
      ? answer
      : { ...answer, data: { ...answer.data, shell: facts.current().data.shell } };
  }

  function follow(
    { to, external }: PayloadRedirect,
    hash: string,
    { hops, replaces }: Step,
  ): PagePayload | Response | Promise<never> {
    if (external) return fullLoad(to, replaces);
    if (hops >= MAX_HOPS) return failedPage(facts.current(), endless());
    const target = to.includes('#') ? to : to + hash;
    next = { address: withoutHash(target), hops: hops + 1, replaces };
    // The entry of a link was not made yet, so this makes the only one; one that is there already is replaced.
    return replaces ? replace(target) : redirect(target);
  }

  return { load, prepareToStay };
}

/** An address as a request has it. */
function withoutHash(address: string): string {
  const { pathname, search } = new URL(address, location.origin);
  return pathname + search;
}

function unreadable() {
  return {
    statusCode: 502,
    statusMessage: 'Bad Gateway',
    message: 'Something between you and this site has answered in its place.',
  };
}

function endless() {
  return { statusCode: 500, statusMessage: 'Too Many Redirects', message: 'This address leads in circles.' };
}
