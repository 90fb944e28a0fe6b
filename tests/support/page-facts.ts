import type { Page } from 'playwright-core';
import type { Visitor } from './visitor.ts';

/** Chromium's complaint about an aborted request. */
export const ABORTED = /net::ERR_ABORTED/;

/**
 * Clicks a link by script. Playwright's own click waits for real time to pass, which a stopped clock does not
 * allow.
 */
export function press({ page }: Visitor, href: string): Promise<void> {
  return page.evaluate(target => document.querySelector<HTMLElement>(`a[href="${target}"]`)?.click(), href);
}

export const heading = (page: Page) => page.locator('main h1').first();
export const focused = (page: Page) =>
  page.evaluate(() => `${document.activeElement?.localName} ${document.activeElement?.textContent}`);
export const scrollY = (page: Page) => page.evaluate(() => Math.round(window.scrollY));
export const entries = (page: Page) => page.evaluate(() => history.length);
