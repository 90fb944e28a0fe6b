import { setTimeout as delay } from 'node:timers/promises';
import type { ContentReadEvent } from '../content/content-cache.ts';
import { eventLoopDelayMs } from '../ops/event-loop.ts';
import { parsePageKey } from '../page-cache/page-key.ts';
import type { Site } from '../site.ts';
import { lookupOf, type PageLookup } from './find-page.ts';
import { pageRequestOf } from './page-request.ts';
import { type ProducingSite, revalidatePage } from './produce-page.ts';

/** Most pages that are made again after a change. Every other one is made at its next request. */
const MOST_PAGES = 200;
/** Pages that are made at a time. */
const AT_A_TIME = 4;
/** While the event loop is later than this, in ms, no page is made. */
const MAX_DELAY_MS = 20;
const PAUSE_MS = 50;

/** Makes the pages that a change has made stale, those that were read most first, before a visitor asks for them. */
export interface PageRefresher {
  /** Begins with the pages that are stale now. Call it after a change was applied. */
  refresh(): void;
  stop(): void;
}

/** @param delayMs how late the event loop is, in ms. */
export function createPageRefresher(
  site: ProducingSite & Pick<Site, 'routes' | 'log'>,
  delayMs = eventLoopDelayMs,
): PageRefresher {
  const onEvent = ({ kind }: ContentReadEvent) => site.metrics.contentEvent(kind);
  let isRunning = false;
  let isAskedAgain = false;
  let isStopped = false;

  function lookupOfKey(key: string): PageLookup | null {
    const parsed = parsePageKey(key);
    if (!parsed) return null;
    const { form, address, origin, deviceClass } = parsed;
    const asked = { ...pageRequestOf(address), form };
    const { renderRequest } = lookupOf(site.routes, asked, origin, { 'accept-encoding': 'br' });
    return { key, renderRequest: { ...renderRequest, key, deviceClass } };
  }

  async function refreshAll(keys: IterableIterator<string>): Promise<void> {
    for (const key of keys) {
      while (delayMs() > MAX_DELAY_MS && !isStopped) await delay(PAUSE_MS, undefined, { ref: false });
      if (isStopped) return;
      const lookup = lookupOfKey(key);
      if (!lookup) continue;
      const renderRequest = { ...lookup.renderRequest, log: site.log, onEvent };
      await site.pages.revalidateInBackground(key, signal => revalidatePage(site, renderRequest, signal));
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    do {
      isAskedAgain = false;
      const keys = (await site.pages.invalidatedByReads(MOST_PAGES)).values();
      await Promise.all(Array.from({ length: AT_A_TIME }, () => refreshAll(keys)));
    } while (isAskedAgain && !isStopped);
    isRunning = false;
  }

  return {
    refresh() {
      if (isRunning) isAskedAgain = true;
      else void run();
    },
    stop() {
      isStopped = true;
    },
  };
}
