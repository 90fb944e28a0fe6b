import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../ops/log.ts';
import { eventLoopDelayMs } from '../../ops/process/process-facts.ts';
import { partsOfKey } from '../../page-cache/page-key.ts';
import { lookupOf } from '../find-page.ts';
import { type PageLookup, pageRequestOf } from '../page-request.ts';
import { type ProduceParts, revalidateInBackground } from './produce-page.ts';

/** Limit for the pages of one change. Other pages are generated at their next request. */
const MOST_PAGES = 200;
const AT_A_TIME = 4;
const MAX_DELAY_MS = 20;
const PAUSE_MS = 50;

export function createPageRefresher(
  parts: ProduceParts & { readonly log: Logger },
  delayMs = eventLoopDelayMs,
) {
  let isRunning = false;
  let isAskedAgain = false;
  let isStopped = false;

  function lookupAgain(key: string): PageLookup | null {
    const made = partsOfKey(key);
    if (!made) return null;
    const { form, address, origin, deviceClass } = made;
    const request = { ...pageRequestOf(address), form };
    const lookup = lookupOf(parts.routes, request, origin, { 'accept-encoding': 'br' });
    return { ...lookup, key, deviceClass };
  }

  async function refreshAll(keys: IterableIterator<string>): Promise<void> {
    for (const key of keys) {
      while (delayMs() > MAX_DELAY_MS && !isStopped) await delay(PAUSE_MS, undefined, { ref: false });
      if (isStopped) return;
      const lookup = lookupAgain(key);
      if (lookup) await revalidateInBackground(parts, lookup);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    do {
      isAskedAgain = false;
      const keys = (await parts.pages.invalidatedByReads(MOST_PAGES)).values();
      await Promise.all(Array.from({ length: AT_A_TIME }, () => refreshAll(keys)));
    } while (isAskedAgain && !isStopped);
    isRunning = false;
  }

  return {
    /** Generates the stale pages, the most read first. Call it after applying a change. */
    refresh() {
      if (isRunning) isAskedAgain = true;
      else void run();
    },
    stop() {
      isStopped = true;
    },
  };
}
