import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { browserPath } from './find-browser.ts';
import { patient } from './patience.ts';

/**
 * Without these flags Chromium contacts hosts of Google, and needs a sandbox that containers lack. It also
 * starts a process for a missing graphics card, which takes an eighth of the processor time. In a thread, its
 * replacement in software ends one launch in 200 with a SIGSEGV.
 */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-software-rasterizer',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Motion is reduced, because transitions take a fifth of the processor time of tests that follow links. */
export const STILL = { reducedMotion: 'reduce' } as const satisfies BrowserContextOptions;

/** Limit of one operation in ms. It is shorter than the test's, so that the error names the operation. */
const OPERATION_LIMIT_MS = patient(20_000);

/**
 * Starts the headless browser of the machine, or Chromium from an npm package.
 * @param args flags besides the usual ones
 */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = await browserPath();
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

export interface PageOptions extends BrowserContextOptions {
  /** Whether links are prefetched. By default the browser saves data and prefetches nothing. */
  prefetch?: boolean;
}

/**
 * Opens a page, by default without prefetching. A test then counts only its own requests, and no request is
 * pending at the end. The processor time is halved, too.
 * @param ignore complaints that the test provokes deliberately
 */
export async function openPage(
  browser: Browser,
  { prefetch = false, ...options }: PageOptions = {},
  ignore?: RegExp,
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  if (!prefetch) await context.addInitScript(saveData);
  context.setDefaultTimeout(OPERATION_LIMIT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const complain = (text: string) => {
    if (!ignore?.test(text)) complaints.push(text);
  };
  page.on('console', message => complain(`console.${message.type()}: ${message.text()}`));
  page.on('pageerror', error => complain(`uncaught: ${error.message}`));
  page.on('requestfailed', request => {
    const reason = request.failure()?.errorText;
    // A visitor who leaves early cancels pictures, and the list of files that a page reads in idle time.
    // What the server refuses fails for another reason.
    const isLeft = request.resourceType() === 'image' || request.url().includes('/builds/meta/');
    if (!isLeft || reason !== 'net::ERR_ABORTED') complain(`failed: ${request.url()} ${reason}`);
  });
  return { page, context, complaints, close: () => context.close() };
}

function saveData(): void {
  Object.defineProperty(navigator, 'connection', {
    value: { saveData: true, effectiveType: '4g' },
    configurable: true,
  });
}

/** Resolves when React has hydrated the page. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset.hydrated === 'true');
}
