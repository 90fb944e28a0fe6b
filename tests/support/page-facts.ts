import type { Page } from 'playwright-core';
import type { Visitor } from './visitor.ts';

/** The browser says so when a request is given up. */
export const ABORTED = /net::ERR_ABORTED/;

/** Presses a link without the real time that a real click takes. */
export function press({ page }: Visitor, href: string): Promise<void> {
  return page.evaluate(wanted => document.querySelector<HTMLElement>(`a[href="${wanted}"]`)?.click(), href);
}

export const heading = (page: Page) => page.locator('main h1').first();
export const focused = (page: Page) =>
  page.evaluate(() => `${document.activeElement?.localName} ${document.activeElement?.textContent}`);
export const scrollY = (page: Page) => page.evaluate(() => Math.round(window.scrollY));
export const entries = (page: Page) => page.evaluate(() => history.length);
