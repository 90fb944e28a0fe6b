import type { PageLabels } from '../../shared/labels/labels.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import { assertNever } from '../../shared/result.ts';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { MAX_HOPS, type PayloadRedirect } from '../../shared/routing/redirects.ts';
import {
  type DataStrategyFunction,
  type LoaderFunctionArgs,
  redirect,
  replace,
} from '../../shared/routing/router.ts';
import { routeTable } from '../../shared/routing/routes.ts';
import { nextPaint } from '../../shared/ui/rendering/next-paint.ts';
import { fullLoad } from '../reloads/full-load.ts';
import { mayReload } from '../reloads/reload-guard.ts';
import { failedPage, fetchPayload, type LoadFailure } from './fetch-payload.ts';

export interface NavigationFacts {
  current(): PagePayload;
  currentRoute(): string;
  currentAddress(): string;
  /** The target's hash, which requests lack. Null if the router reloads the page. */
  targetHash(): string | null;
  /** Undoes a refused navigation by the back or forward button; false if there was none. */
  undoTraversal(): boolean;
  /** Reports a navigation to the page on screen. Such a navigation must change nothing. */
  stay(): void;
}

/** A step of a navigation. After a redirect, the request for `address` continues it. */
interface Step {
  address: string;
  hops: number;
  replaces: boolean;
  stay?: PagePayload;
}

export function createPageLoader(
  buildId: string,
  facts: NavigationFacts,
  isBuildWaiting: () => boolean,
  labels: PageLabels,
) {
  let next: Step | null = null;

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
    // Stay if only the hash disappears. React Router reports that as a navigation too.
    if (hash === '' && facts.currentAddress().startsWith(`${address}#`) && !facts.current().error)
      return facts.current();
    const target = address + (hash ?? '');
    if (isBuildWaiting()) return fullLoad(target, step.replaces);
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
    // Load in full without the reload guard: the new build renders the page, so this cannot repeat.
    if (answer.buildId !== buildId && !__DEV__) return fullLoad(target, step.replaces);
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
    // Add an entry to the history, because a link's navigation has none yet.
    return replaces ? replace(target) : redirect(target);
  }

  return { load, prepareToStay };
}

/** Keeps the shell on screen if the answer's is missing or equal, so that React leaves its markup. */
function withShellOnScreen<Answer extends PagePayload>(
  answer: Answer,
  shown: PagePayload['data']['shell'],
): Answer {
  const { shell } = answer.data;
  if (shell && JSON.stringify(shell) !== JSON.stringify(shown)) return answer;
  return { ...answer, data: { ...answer.data, shell: shown } };
}

function withoutHash(address: string): string {
  const { pathname, search } = new URL(address, location.origin);
  return pathname + search;
}

const UNREADABLE: LoadFailure = { statusCode: 502, statusMessage: 'Bad Gateway', label: 'foreignAnswer' };
const ENDLESS: LoadFailure = { statusCode: 500, statusMessage: 'Too Many Redirects', label: 'redirectLoop' };

/**
 * Waits for the next paint, so that the pressed link shows its state. Then loads everything in parallel.
 * @param onMissingChunk returns the page to show if a chunk cannot be loaded.
 */
export function createDataStrategy(
  onMissingChunk: () => PagePayload | Promise<PagePayload>,
): DataStrategyFunction {
  return async ({ request, matches }) => {
    await nextPaint();
    request.signal.throwIfAborted();
    const loading = matches.filter(match => match.shouldCallHandler());
    const hasTexts = import('../../shared/ui/rich-text/rich-nodes.tsx').then(
      () => true,
      () => false,
    );
    const results = await Promise.all(
      loading.map(async match => {
        const result = await match.resolve();
        request.signal.throwIfAborted();
        // The loader rejects only on abort, so any other error comes from the chunk.
        const isComplete =
          result.type === 'data' &&
          (await hasTexts) &&
          (await hasParts(match.route.id, result.result).catch(() => false));
        return [match.route.id, isComplete ? result : { type: 'data', result: await onMissingChunk() }];
      }),
    );
    return Object.fromEntries(results);
  };
}

/** Loads the late views that the page's data need. Rejects if one cannot be loaded. */
async function hasParts(id: string, result: unknown): Promise<boolean> {
  const route = routeTable.find(one => one.id === id);
  const page = (result as Partial<PagePayload>).data?.page;
  if (!route || !page) return true;
  // The cast is safe: the page of each route has the data of its loader (`route-contents.ts`).
  const { loadParts } = (await route.page()) as { loadParts?: (data: unknown) => Promise<unknown> };
  await loadParts?.(page);
  return true;
}
