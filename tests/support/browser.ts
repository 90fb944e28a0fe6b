import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { patient } from './patience.ts';

/** Without these flags Chromium contacts hosts of Google, or needs a sandbox that containers do not have. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The limit of one operation, in ms. Shorter than the test's own, so that the error names the operation. */
const OPERATION_LIMIT_MS = patient(20_000);

/**
 * Starts the headless Chromium from an npm package.
 *
 * @param args flags besides the usual ones.
 */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = await sparticuz.executablePath();
  if (!existsSync(executablePath)) throw new Error(`There is no browser at ${executablePath}`);
  return chromium.launch({ executablePath, args: [...ARGUMENTS, ...args], headless: true });
}

/** A page whose unexpected events are recorded. */
export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** Console messages, uncaught errors and failed requests so far. */
  complaints: string[];
  close(): Promise<void>;
}

/** @param ignore complaints that the test provokes on purpose. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  ignore?: RegExp,
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(OPERATION_LIMIT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const complain = (text: string) => {
    if (!ignore?.test(text)) complaints.push(text);
  };
  page.on('console', message => complain(`console.${message.type()}: ${message.text()}`));
  page.on('pageerror', error => complain(`uncaught: ${error.message}`));
  page.on('requestfailed', request => complain(`failed: ${request.url()} ${request.failure()?.errorText}`));
  return { page, context, complaints, close: () => context.close() };
}

/** Resolves when React has hydrated the page. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset.hydrated === 'true');
}
