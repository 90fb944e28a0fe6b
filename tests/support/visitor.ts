import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import { hydrated, openPage, type WatchedPage } from './browser.ts';

export interface VisitorOptions {
  context?: BrowserContextOptions;
  /** Whether links are prefetched. By default they are not. */
  prefetch?: boolean;
  /** Complaints that the test provokes deliberately. */
  ignore?: RegExp;
  /** Prepares the page before anything is loaded. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** A visitor: a browser context with one page. */
export interface Visitor extends WatchedPage {
  /** All requests so far. */
  requests: Request[];
  /** @returns the paths of the pages whose payloads were requested. */
  payloads(): string[];
  /** @returns the paths of the requested documents. */
  documents(): string[];
  /** @returns the first visible link to an address. */
  link(href: string): Locator;
  /** Clicks a link and waits until its page is shown, or the page `arrives` after a redirect. */
  go(href: string, arrives?: string): Promise<void>;
  /** Resolves when the page of this path is shown and no navigation is in flight. */
  arrived(path: string): Promise<void>;
}

/** Opens a page and waits until it is hydrated. */
export async function visit(
  browser: Browser,
  address: string,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const { context, prefetch = false, ignore, prepare } = options;
  const watched = await openPage(browser, { ...context, prefetch }, ignore);
  const { page } = watched;
  const requests: Request[] = [];
  watched.context.on('request', request => void requests.push(request));
  await prepare?.(page);
  await page.goto(address);
  await hydrated(page);
  const pathsOf = (matches: (request: Request, path: string) => boolean) => () =>
    requests.flatMap(request => {
      const { pathname } = new URL(request.url());
      return matches(request, pathname) ? pathname.replace(PAYLOAD_SUFFIX, '') || '/' : [];
    });
  const link = (href: string) => page.locator(`a[href="${href}"]:visible`).first();
  const arrived = (path: string) =>
    page
      .waitForFunction(
        expected => {
          const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href;
          // An error page has no canonical address. Its link "Try again" leads to the failed address, unless
          // the page is missing.
          const isShown = canonical
            ? new URL(canonical).pathname === expected
            : ['404', '410'].includes(document.querySelector('main p')?.textContent ?? '') ||
              Array.from(document.querySelectorAll('main a')).some(
                link =>
                  link instanceof HTMLAnchorElement &&
                  link.textContent === 'Try again' &&
                  link.pathname === expected,
              );
          return (
            isShown &&
            location.pathname === expected &&
            document.documentElement.dataset.hydrated === 'true' &&
            !document.querySelector('#root[aria-busy]')
          );
        },
        path,
        // Polls by time, because a test may have stopped the animation frames.
        { polling: 10 },
      )
      .then(() => {});
  return {
    ...watched,
    requests,
    payloads: pathsOf((_request, path) => path.endsWith(PAYLOAD_SUFFIX)),
    documents: pathsOf(request => request.isNavigationRequest()),
    link,
    async go(href, arrives = new URL(href, address).pathname) {
      await link(href).click();
      await arrived(arrives);
    },
    arrived,
  };
}

/** Closes the visitor's page. Complaints of the page fail the test. */
export async function closeWithoutComplaints(visitor: Visitor | null): Promise<void> {
  const complaints = visitor?.complaints ?? [];
  await visitor?.close();
  expect(complaints).toEqual([]);
}

/** Resolves when the queued work of React and the browser is done. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) {
      // A background page has no frames.
      await new Promise(resolve => {
        requestAnimationFrame(resolve);
        setTimeout(resolve, 100);
      });
    }
    await new Promise(resolve => requestIdleCallback(resolve, { timeout: 500 }));
  });
}
