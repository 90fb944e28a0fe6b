import fc from 'fast-check';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser.ts';
import { patient } from '../../support/patience.ts';
import { type BuiltSite, startBuiltSite } from '../built-site.ts';
import { type HostileBackend, RECORDED_PATHS, startHostileBackend } from '../hostile-backend.ts';
import { type HostileContent, hostileContent, shiftedVectors, VECTORS } from '../hostile-vectors.ts';

export interface HostileSizes {
  /** Number of rotations of the vectors. As many rotations as vectors put each vector into each field. */
  shifts: number;
  /** Number of random contents from fast-check, and their seed. */
  contents: number;
  seed: number;
}

export interface HostileOutcome {
  pages: number;
  /**
   * Pages with status 200. An entry with an empty title counts as a backend failure, so its page is a 503.
   */
  shown: number;
  /** Observed harm, with the content that caused it. */
  harm: { path: string; what: string[]; content: HostileContent }[];
}

/** Fault 11: visits the pages of hostile content in a browser. */
export async function hostileContents({ shifts, contents, seed }: HostileSizes): Promise<HostileOutcome> {
  const backend = await startHostileBackend();
  const [site, browser] = await Promise.all([
    // Caches are off, so each page is rendered from the current content.
    startBuiltSite({
      contentBaseUrl: backend.url,
      env: { PAGE_CACHE_BYTES: '0', CONTENT_TTL_MS: '0', STALE_IF_ERROR_MS: '0' },
    }),
    launchBrowser(),
  ]);
  const outcome: HostileOutcome = { pages: 0, shown: 0, harm: [] };
  try {
    const visitor = await openVisitor(browser, site);
    const step = Math.max(1, Math.floor(VECTORS.length / shifts));
    const random = fc.sample(hostileContent, { numRuns: contents, seed });
    const fixed = Array.from({ length: Math.min(shifts, VECTORS.length) }, (_, index) =>
      shiftedVectors(index * step),
    ).flat();
    for (const [index, content] of [...fixed, ...random].entries()) {
      // All pages get the vectors. Random content is shown on the landing page, which has most fields, and on
      // one other page in turn.
      const others = RECORDED_PATHS.slice(1);
      const paths = index < fixed.length ? RECORDED_PATHS : ['/', others[index % others.length] ?? '/'];
      await visitor.see(backend, content, paths, outcome);
    }
  } finally {
    await browser.close();
    await site.dispose();
    await backend.close();
  }
  return outcome;
}

/** Events that the page records. */
interface Witness {
  ran: string[];
  violations: string[];
}

async function openVisitor(browser: Browser, { url, lines }: BuiltSite) {
  const context: BrowserContext = await browser.newContext();
  let happened: string[] = [];
  await context.addInitScript(recordEvents);
  context.on('request', request => {
    if (new URL(request.url()).origin !== url) happened.push(`request: ${request.url()}`);
  });
  const page: Page = await context.newPage();
  context.on('page', other => void happened.push(`window: ${other.url()}`));
  page.on('dialog', dialog => {
    happened.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', error => happened.push(`uncaught: ${error.message}`));
  let reports = 0;

  return {
    async see(
      backend: HostileBackend,
      content: HostileContent,
      paths: readonly string[],
      outcome: HostileOutcome,
    ) {
      backend.infect(content);
      for (const path of paths) {
        happened = [];
        let response = await page.goto(url + path);
        // A late machine answers with a 503 without scripts. Visit the page again, as its header asks for.
        while (response?.status() === 503 && (await page.locator('#root').count()) === 0)
          response = await page.goto(url + path);
        const status = response?.status() ?? 0;
        if (![200, 404, 503].includes(status)) happened.push(`status: ${status}`);
        await page
          .waitForFunction(() => document.documentElement.dataset.hydrated === 'true', null, {
            timeout: patient(10_000),
          })
          .catch(() => happened.push('the page is not hydrated'));
        if (page.url() !== url + path) happened.push(`location: ${page.url()}`);
        const what = [...happened, ...(await page.evaluate(findHarm))];
        outcome.pages += 1;
        if (status === 200) outcome.shown += 1;
        if (what.length > 0) outcome.harm.push({ path, what, content });
      }
      const told = lines().filter(({ code }) => code === 'browser-csp-report' || code === 'browser-error');
      if (told.length > reports)
        outcome.harm.push({ path: '*', what: told.map(line => JSON.stringify(line)), content });
      reports = told.length;
    },
  };
}

/** Records events in the page. Runs before the page's scripts. */
function recordEvents(): void {
  const witness: Witness = { ran: [], violations: [] };
  Object.assign(window, { witness });
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'])
    Object.assign(window, {
      [name]: (...values: unknown[]) => void witness.ran.push(`${name} ${values.join()}`),
    });
  document.addEventListener('securitypolicyviolation', event =>
    witness.violations.push(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  );
}

/** Runs in the page. @returns the recorded events, and all elements and attributes that may be harmful. */
function findHarm(): string[] {
  const { ran, violations } = (window as unknown as { witness: Witness }).witness;
  const found = [...ran, ...violations];
  if ('polluted' in {}) found.push('Object.prototype has been written to');
  const allowed = ['http:', 'https:', 'mailto:', 'tel:'];
  for (const element of document.querySelectorAll('*')) {
    const name = element.localName;
    if (['iframe', 'object', 'embed', 'base', 'applet', 'style', 'frame', 'portal'].includes(name))
      found.push(`<${name}>`);
    if (name === 'meta' && element.hasAttribute('http-equiv')) found.push('<meta http-equiv>');
    if (element instanceof HTMLScriptElement) {
      const isData = ['application/json', 'application/ld+json'].includes(element.type);
      if (!isData && (element.text !== '' || new URL(element.src).origin !== location.origin))
        found.push('<script>');
      if (isData) {
        try {
          JSON.parse(element.text);
        } catch {
          found.push(`invalid JSON in a script of type ${element.type}`);
        }
      }
    }
    for (const { name: attribute, value } of element.attributes) {
      // The scrollbar package places its rails through the DOM, which the policy allows.
      const isRail = attribute === 'style' && element.matches('[class^="ps__"]');
      if (/^on|^style$|^srcdoc$/i.test(attribute) && !isRail) found.push(`<${name} ${attribute}>`);
      if (/^(?:href|src|action|formaction|poster|xlink:href|data|ping|background|cite)$/i.test(attribute)) {
        const address = URL.parse(value, document.baseURI);
        if (!address || !allowed.includes(address.protocol) || address.username !== '')
          found.push(`${attribute}=${value}`);
      }
    }
  }
  if (document.querySelectorAll('#root').length !== 1 || document.querySelectorAll('#page-data').length !== 1)
    found.push('an id of the page is missing or occurs twice');
  if (!document.querySelector('main')) found.push('the page has no <main>');
  return found;
}
