import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { SAMPLE_PATHS, SAMPLE_ROUTES } from './sample-paths.ts';

/** A page of each route, and the pages whose markup depends on more than their route. */
export const CHECKED_PATHS = [
  ...SAMPLE_ROUTES.map(({ id }) => SAMPLE_PATHS[id]),
  '/business-solutions',
  '/contacts',
  '/what-blocks-show',
  '/what-forms-ask',
  // This article has one of each element that a text may have.
  '/blog/engineering/what-a-page-can-show',
  '/no/such/page',
];

export interface View {
  /** Width in CSS pixels. */
  width: number;
  colorScheme: 'light' | 'dark';
}

/** Each width and each colour scheme once, for `npm test`. */
export const TWO_VIEWS: readonly View[] = [
  { width: 360, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
];

/** Each width in each colour scheme, for `npm run test:faults`. */
export const ALL_VIEWS: readonly View[] = [
  ...TWO_VIEWS,
  { width: 360, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
];

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}

let source: Promise<string> | undefined;

/** @returns the violations that axe finds on the current page, one line each. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  if (!(await page.evaluate(() => 'axe' in window))) {
    source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await page.evaluate(await source);
  }
  const results: AxeResults = await page.evaluate(() =>
    window.axe.run(document, { resultTypes: ['violations'] }),
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${help}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}

/** @returns the violations in all views, each with its view. */
export async function violationsIn(views: readonly View[], page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    found.push(...(await violations(page)).map(line => `${width} ${colorScheme}: ${line}`));
  }
  return found;
}
