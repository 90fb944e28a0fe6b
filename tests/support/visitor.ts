import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import { hydrated, openPage, type WatchedPage } from './browser.ts';

export interface VisitorOptions {
  context?: BrowserContextOptions;
  /** On: links are loaded ahead as ever. Off, the default: as for somebody who saves data, so that a test counts its own requests alone. */
  prefetch?: boolean;
  /** Complaints that the test provokes on purpose. */
  ignore?: RegExp;
  /** Makes the page ready before anything is loaded. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** A visitor: a browser context with one page. */
export interface Visitor extends WatchedPage {
  /** All requests so far. */
  requests: Request[];
  /** The paths of the pages whose payloads were asked for. */
  payloads(): string[];
  /** The paths of the documents that were asked for. */
  documents(): string[];
  /** The first visible link to an address. */
  link(href: string): Locator;
  /** Presses a link and waits until its page, or the one that it leads to, is shown. */
  go(href: string, arrives?: string): Promise<void>;
  /** Resolves when the page of this path is shown and nothing is under way. */
  arrived(path: string): Promise<void>;
}

/** Opens a page and waits until it is alive. */
export async function visit(
  browser: Browser,
  address: string,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const { context, prefetch = false, ignore, prepare } = options;
  const watched = await openPage(browser, context, ignore);
  const { page } = watched;
  const requests: Request[] = [];
  watched.context.on('request', request => void requests.push(request));
  if (!prefetch) await watched.context.addInitScript(saveData);
  await prepare?.(page);
  await page.goto(address);
  await hydrated(page);
  const pathsOf = (wanted: (request: Request, path: string) => boolean) => () =>
    requests.flatMap(request => {
      const { pathname } = new URL(request.url());
      return wanted(request, pathname) ? pathname.replace(PAYLOAD_SUFFIX, '') || '/' : [];
    });
  const link = (href: string) => page.locator(`a[href="${href}"]:visible`).first();
  const arrived = (path: string) =>
    page
      .waitForFunction(
        wanted => {
          const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href;
          // An error page has no address of its own but the one that it would try again.
          const isShown = canonical
            ? new URL(canonical).pathname === wanted
            : Array.from(document.querySelectorAll('main a')).some(
                link =>
                  link instanceof HTMLAnchorElement &&
                  link.textContent === 'Try again' &&
                  link.pathname === wanted,
              );
          return (
            isShown &&
            location.pathname === wanted &&
            document.documentElement.dataset.hydrated === 'true' &&
            !document.querySelector('#root[aria-busy]')
          );
        },
        path,
        // Not by frames: a test may have stopped them.
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

function saveData(): void {
  Object.defineProperty(navigator, 'connection', {
    value: { saveData: true, effectiveType: '4g' },
    configurable: true,
  });
}

/** Ends a visit, and the test with it where the page has complained of anything. */
export async function leaveQuietly(visitor: Visitor | null): Promise<void> {
  const complaints = visitor?.complaints ?? [];
  await visitor?.close();
  expect(complaints).toEqual([]);
}

/** Resolves when what React and the browser had queued is done: then nothing that was to happen at once is still to come. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) {
      // A page behind another one has no frames.
      await new Promise(resolve => {
        requestAnimationFrame(resolve);
        setTimeout(resolve, 100);
      });
    }
    await new Promise(resolve => requestIdleCallback(resolve, { timeout: 500 }));
  });
}
