import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { LatestBuild } from '../../client/reloads/new-build.ts';
import { hydrated, STILL } from './browser.ts';
import { stageTest } from './browser-test.ts';
import { eventually } from './eventually.ts';
import type { Visitor } from './visitor.ts';

export const INTERVAL_MS = 60_000;
export const START = 1_000_000_000;
export const NEXT: LatestBuild = { id: 'another-build', timestamp: Date.UTC(3000, 0) };
export const EARLIER: LatestBuild = { id: 'an-earlier-build', timestamp: 5 };
/** Complaints about requests that a reload aborts or that a test makes fail. */
export const EXPECTED = /net::ERR_|Failed to load resource|Failed to fetch dynamically imported module/;

const CONTEXT = { viewport: { width: 1280, height: 800 }, ...STILL };

/** Replaces `/builds/latest.json` in a page. The test sets the answer. */
export class Latest {
  /** Addresses of all polls. */
  readonly polls: string[] = [];
  answer: (route: Route) => Promise<unknown> = route => route.fallback();

  readonly install = (page: Page) =>
    page.route('**/builds/latest.json*', async route => {
      this.polls.push(route.request().url());
      await this.answer(route);
    });

  reply(body: unknown): void {
    this.answer = route => route.fulfill({ json: body });
  }
}

export interface Watching extends Visitor {
  latest: Latest;
  /** Advances the page's clock and waits for the answers to the resulting requests. */
  pass(ms: number): Promise<void>;
}

/** Resolves when the page has handled the answers to all its earlier requests. */
export async function answered({ page }: Visitor): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await page.evaluate(() => fetch('/robots.txt').then(response => response.text()));
  }
}

/** @returns the details of the `manifest-update` events so far. */
export const told = (page: Page) => page.evaluate(() => Reflect.get(window, 'told') as unknown[]);

export function setHidden(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate(value => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    Object.defineProperty(document, 'visibilityState', {
      value: value ? 'hidden' : 'visible',
      configurable: true,
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

/** Resolves when the visitor has loaded these documents and the last one is hydrated. */
export async function reloaded(opened: Visitor, documents: readonly string[]): Promise<void> {
  await eventually(() => expect(opened.documents()).toEqual(documents));
  await eventually(() => hydrated(opened.page));
}

export const draft = (page: Page) => page.locator('#contact-message');

/** Enters a draft longer than the field accepts from a keyboard. */
export function enter(page: Page, text: string): Promise<void> {
  return draft(page).evaluate((field: HTMLTextAreaElement, value) => {
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);
}

export async function refuseStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied', 'SecurityError');
        },
      });
    }
  });
}

export interface WatchOptions {
  /** Value of `Math.random()`. */
  random?: number;
  prepare?: (page: Page) => Promise<unknown>;
}

/** Gives each test a stage whose pages poll for new builds. Functions open a page with a stopped clock. */
export const newBuildTest = stageTest
  .extend(
    'stageOptions',
    { scope: 'file' },
    {
      env: { BUILD_POLL_INTERVAL_MS: String(INTERVAL_MS) },
      pages: { links: '[Form](/contacts?from=links#contacts)' },
    },
  )
  .extend('visitorOptions', { scope: 'file' }, { ignore: EXPECTED, context: CONTEXT })
  /** Opens a page whose clock stops before the page loads. */
  .extend(
    'watch',
    async ({ open }) =>
      async (address = '/contacts', { random = 0, prepare }: WatchOptions = {}): Promise<Watching> => {
        const latest = new Latest();
        const opened = await open(address, {
          prepare: async page => {
            await page.clock.install({ time: START });
            await page.clock.pauseAt(START + 1_000);
            await page.addInitScript(value => {
              Math.random = () => value;
            }, random);
            await page.addInitScript(() => {
              const told: unknown[] = [];
              Object.assign(window, { told });
              window.addEventListener('manifest-update', event => told.push((event as CustomEvent).detail));
            });
            await latest.install(page);
            await prepare?.(page);
          },
        });
        return {
          ...opened,
          latest,
          async pass(ms) {
            await opened.page.clock.runFor(ms);
            await answered(opened);
          },
        };
      },
  )
  /** Opens a page that finds a new build. */
  .extend('outdated', async ({ watch }) => async (address = '/contacts', options?: WatchOptions) => {
    const watching = await watch(address, options);
    watching.latest.reply(NEXT);
    await watching.pass(INTERVAL_MS);
    expect(await told(watching.page)).toEqual([NEXT]);
    return watching;
  });
