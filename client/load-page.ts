import { type LoaderFunctionArgs, redirect, replace } from 'react-router-dom';
import type { PageLabels } from '../shared/labels/labels.ts';
import type { PagePayload, PayloadRedirect } from '../shared/payload/payload.ts';
import { assertNever } from '../shared/result.ts';
import { payloadAddress } from '../shared/routing/payload-address.ts';
import { MAX_HOPS } from '../shared/routing/redirects.ts';
import { failedPage, fetchPayload, type LoadFailure } from './fetch-payload.ts';
import { fullLoad } from './full-load.ts';
import type { NewBuild } from './new-build.ts';
import { mayReload } from './reload-guard.ts';

/** The router's state as the loader needs it, and two actions on the router. */
export interface NavigationFacts {
  /** The page on screen. */
  current(): PagePayload;
  /** The id of the route on screen. */
  currentRoute(): string;
  /** The address of the page on screen. */
  currentAddress(): string;
  /** The hash of the target, which a request does not carry. Null when the router loads the page on screen again. */
  targetHash(): string | null;
  /**
   * Undoes a refused navigation that the browser's back or forward button began.
   *
   * @returns whether there was such a navigation.
   */
  undoTraversal(): boolean;
  /** Reports that the router navigates to the page on screen: nothing on the page may change. */
  stay(): void;
}

/** One step of a navigation. After a redirect the next request for `address` continues the navigation. */
interface Step {
  address: string;
  /** The number of redirects so far. */
  hops: number;
  /** Whether the navigation replaces the current history entry. */
  replaces: boolean;
  /** The page on screen, when the navigation leads to it. */
  stay?: PagePayload;
}

/** @returns the loader of every page. One request brings everything that a page shows. */
export function createPageLoader(
  buildId: string,
  facts: NavigationFacts,
  newBuild: NewBuild,
  labels: PageLabels,
) {
  let next: Step | null = null;

  /** Prepares a navigation to the page on screen that makes no request. */
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
    // React Router also calls the loader for a navigation from a hash to the top of the same page. Nothing has to load.
    if (hash === '' && facts.currentAddress().startsWith(`${address}#`) && !facts.current().error)
      return facts.current();
    const target = address + (hash ?? '');
    if (newBuild.isWaiting()) return fullLoad(target, step.replaces);
    const outcome = await fetchPayload(
      payloadAddress(pathname, search, buildId),
      facts.currentRoute(),
      request.signal,
    );
    switch (outcome.kind) {
      case 'failed':
        return failedPage(facts.current(), labels, outcome.failure);
      case 'foreign':
        if (mayReload(pathname)) return fullLoad(target, step.replaces);
        return failedPage(facts.current(), labels, UNREADABLE);
      case 'answer':
        break;
      default:
        return assertNever(outcome);
    }
    const { answer } = outcome;
    // No reload guard: the full load is rendered by the new build, so this cannot repeat.
    if (answer.buildId !== buildId) return fullLoad(target, step.replaces);
    if (answer.data === null) return follow(answer.redirect, hash ?? '', step);
    if (answer.error?.aborted) {
      const stays = prepareToStay();
      return facts.undoTraversal() ? new Promise(() => {}) : replace(stays);
    }
    return withShellOnScreen(answer, facts.current().data.shell);
  }

  function follow(
    { to, external }: PayloadRedirect,
    hash: string,
    { hops, replaces }: Step,
  ): PagePayload | Response | Promise<never> {
    if (external) return fullLoad(to, replaces);
    if (hops >= MAX_HOPS) return failedPage(facts.current(), labels, ENDLESS);
    const target = to.includes('#') ? to : to + hash;
    next = { address: withoutHash(target), hops: hops + 1, replaces };
    // A link's navigation has no history entry yet, so the redirect adds it. An existing entry is replaced.
    return replaces ? replace(target) : redirect(target);
  }

  return { load, prepareToStay };
}

/** @returns the payload with the shell on screen where its own is absent or the same: React then leaves the markup around the page as it is. */
function withShellOnScreen<Answer extends PagePayload>(
  answer: Answer,
  shown: PagePayload['data']['shell'],
): Answer {
  const { shell } = answer.data;
  if (shell && JSON.stringify(shell) !== JSON.stringify(shown)) return answer;
  return { ...answer, data: { ...answer.data, shell: shown } };
}

/** @returns the address as a request carries it: path and query. */
function withoutHash(address: string): string {
  const { pathname, search } = new URL(address, location.origin);
  return pathname + search;
}

const UNREADABLE: LoadFailure = { statusCode: 502, statusMessage: 'Bad Gateway', label: 'foreignAnswer' };
const ENDLESS: LoadFailure = { statusCode: 500, statusMessage: 'Too Many Redirects', label: 'redirectLoop' };
