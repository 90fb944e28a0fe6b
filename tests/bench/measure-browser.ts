import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBuiltSite } from '../faults/built-site.ts';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { DEVICES } from '../support/devices.ts';
import { type MainThread, traceMainThread } from './browser-trace.ts';
import type { BenchSizes, Report } from './figures.ts';
import { median } from './load.ts';

/** A phone with a quarter of this machine's speed. */
const SLOWER = 4;
const MAX_REQUESTS = 25;
const MAX_INTERACTION_MS = 100;
/** Idle time of the page in ms, for late scripts and for the browser's reports of an interaction. */
const REST_MS = 1_000;

interface Action {
  name: string;
  device: BrowserContextOptions;
  /** Element to scroll into view first. */
  at: string;
  act(page: Page, at: string): Promise<unknown>;
}

const press = (page: Page, at: string) => page.locator(at).first().click();

/** Actions that are measured in this order, on one page for each device. */
const ACTIONS: readonly Action[] = [
  { name: 'menu opens', device: DEVICES.mobile, at: 'header button[aria-haspopup=dialog]', act: press },
  { name: 'menu closes', device: DEVICES.mobile, at: 'dialog[open] button', act: press },
  { name: 'colours become dark', device: DEVICES.mobile, at: 'footer label:has([value=dark])', act: press },
  { name: 'colours become light', device: DEVICES.mobile, at: 'footer label:has([value=light])', act: press },
  { name: 'a question opens', device: DEVICES.mobile, at: '#faq summary', act: press },
  { name: 'an empty form is sent', device: DEVICES.mobile, at: '#contacts [type=submit]', act: press },
  { name: 'letters are typed', device: DEVICES.mobile, at: '#contacts textarea', act: type },
  { name: 'a link is followed', device: DEVICES.mobile, at: 'main a[href="/contacts"]', act: press },
  {
    name: 'the search opens',
    device: DEVICES.mobile,
    at: 'header summary:has(+ * [data-suggest])',
    act: press,
  },
  { name: 'a word is searched for', device: DEVICES.mobile, at: 'header [data-suggest]', act: type },
  { name: 'a search is sent', device: DEVICES.mobile, at: 'header search [type=submit]', act: press },
  { name: 'a dropdown opens', device: DEVICES.desktop, at: 'header summary', act: press },
];

/**
 * Measures the landing page in a browser: requests, hydration, and the time from interactions to the next
 * paint.
 */
export async function measureBrowser({ runs }: BenchSizes, report: Report): Promise<void> {
  const site = await startBuiltSite({});
  const browser = await launchBrowser();
  try {
    const first = await repeat(runs, () => firstVisit(browser, site.url, true));
    const plain = await repeat(runs, () => firstVisit(browser, site.url, false));
    const figure = (name: string, unit: string, values: readonly number[], atMost: number | null) =>
      report({
        name,
        unit,
        value: median(values),
        target: atMost === null ? null : { atMost },
        errors: 0,
        details: { values },
      });
    const of = <Key extends keyof FirstVisit>(visits: readonly FirstVisit[], key: Key) =>
      visits.map(visit => visit[key]);
    figure('requests of a first visit of the landing page', 'requests', of(first, 'requests'), MAX_REQUESTS);
    figure(`its scripts on the main thread, ${SLOWER} × slower`, 'ms', of(first, 'scripts'), null);
    figure(`its blocking time, ${SLOWER} × slower`, 'ms', of(first, 'blocking'), null);
    figure('CPU of the browser for it', 'ms', of(first, 'cpuMs'), null);
    figure('CPU of the browser for it, without JavaScript', 'ms', of(plain, 'cpuMs'), null);
    const waits = await repeat(runs, () => interactions(browser, site.url));
    for (const { name } of ACTIONS)
      figure(
        `next paint after: ${name}, ${SLOWER} × slower`,
        'ms',
        waits.map(run => run.get(name) ?? Number.NaN),
        MAX_INTERACTION_MS,
      );
  } finally {
    await browser.close();
    await site.dispose();
  }
}

async function repeat<T>(times: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let time = 0; time < times; time += 1) results.push(await run());
  return results;
}

interface FirstVisit extends MainThread {
  requests: number;
  /** CPU time of all browser processes. */
  cpuMs: number;
}

async function firstVisit(browser: Browser, url: string, javaScriptEnabled: boolean): Promise<FirstVisit> {
  const all = await browser.newBrowserCDPSession();
  const cpuMs = async () => {
    const { processInfo } = await all.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1_000, 0);
  };
  const { page, context, close } = await openPage(browser, { ...DEVICES.mobile, javaScriptEnabled });
  const session = await context.newCDPSession(page);
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  const before = await cpuMs();
  await page.goto(url);
  if (javaScriptEnabled) await hydrated(page);
  await page.waitForTimeout(REST_MS);
  const used = (await cpuMs()) - before;
  // The trace and the slower processor take CPU time themselves, so they get a separate visit.
  await page.goto('about:blank');
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const counted = requests;
  const times = await traceMainThread(session, async () => {
    await page.goto(url);
    if (javaScriptEnabled) await hydrated(page);
    await page.waitForTimeout(REST_MS);
  });
  await close();
  await all.detach();
  return { requests: counted, cpuMs: used, ...times };
}

/** @returns the time in ms from each action to its next paint, as the browser reports it (Event Timing). */
async function interactions(browser: Browser, url: string): Promise<Map<string, number>> {
  const waits = new Map<string, number>();
  for (const device of new Set(ACTIONS.map(action => action.device))) {
    const { page, context, close } = await openPage(browser, device);
    await page.addInitScript(observeEvents);
    await page.goto(url);
    await hydrated(page);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    for (const { name, at, act } of ACTIONS.filter(action => action.device === device)) {
      await page.locator(at).first().scrollIntoViewIfNeeded();
      await page.waitForTimeout(REST_MS);
      await page.evaluate(() => {
        window.eventTimes = [];
      });
      await act(page, at);
      await page.waitForTimeout(REST_MS);
      waits.set(name, Math.max(0, ...(await page.evaluate(() => window.eventTimes))));
    }
    await close();
  }
  return waits;
}

async function type(page: Page, at: string): Promise<void> {
  await press(page, at);
  // The second letter of a search comes when suggestions are shown.
  await page.keyboard.type('ar', { delay: REST_MS / 2 });
}

declare global {
  interface Window {
    /** Durations of the events of interactions, in ms. */
    eventTimes: number[];
  }
}

function observeEvents(): void {
  window.eventTimes = [];
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as PerformanceEventTiming[])
      if (entry.interactionId) window.eventTimes.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}
