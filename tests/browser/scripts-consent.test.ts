import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hydrated, launchBrowser, openPage, STILL, type WatchedPage } from '../support/browser.ts';
import { capture, type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { inFull } from '../support/in-full.ts';
import { close, listen } from '../support/listen.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

/** Each script records that it has run. */
const SCRIPT = (name: string) => `(window.ran ??= []).push('${name}');`;

/** A server of another origin. It records the requests for its scripts. */
interface Elsewhere {
  server: Server;
  url: string;
  asked: string[];
}

async function startElsewhere(): Promise<Elsewhere> {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    res.writeHead(200, { 'Content-Type': 'text/javascript' }).end(SCRIPT(req.url ?? ''));
  });
  return { server, url: await listen(server), asked };
}

let backend: FakeBackend;
let first: Elsewhere;
let second: Elsewhere;
let browser: Browser;
let axe: string;
const running: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  [backend, first, second, browser, axe] = await Promise.all([
    startFakeBackend(),
    startElsewhere(),
    startElsewhere(),
    launchBrowser(),
    readFile(file, 'utf8'),
  ]);
});
beforeEach(() => {
  backend.reset();
  first.asked.length = 0;
  second.asked.length = 0;
});
afterEach(async () => {
  // Visitors close before their sites, because a page may still request files.
  for (const one of running.splice(0).reverse()) await one.close();
});
afterAll(async () => {
  await browser.close();
  await Promise.all([close(first.server), close(second.server), backend.close()]);
});

/** Starts a site whose settings list these scripts. */
async function startWith(
  scripts: readonly string[],
  env: Record<string, string> = {},
  settings: object = {},
): Promise<RunningSite> {
  const { data } = capture('v5-as-v4', 'settings.json') as { data: { attributes: object } };
  const rows = scripts.map((url, index) => ({ id: index + 1, attributes: { url, mime: 'text/javascript' } }));
  backend.on('/api/settings', {
    data: {
      ...data,
      attributes: { ...data.attributes, customCss: { data: [] }, scripts: { data: rows }, ...settings },
    },
  });
  backend.on('/uploads/own.js', (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/javascript' }).end(SCRIPT('own'));
  });
  const site = await startSite({
    contentBaseUrl: backend.url,
    env: { MEDIA_ORIGINS: `${first.url},${second.url}`, ...env },
  });
  running.push(site);
  return site;
}

interface Visit extends WatchedPage {
  page: Page;
  requests: string[];
}

/** Opens a page as a new visitor. Complaints of the browser fail the test at its end. */
async function visit(
  site: RunningSite,
  path = '/about',
  prepare?: (context: BrowserContext) => Promise<unknown>,
): Promise<Visit> {
  // Cancelled requests and missing pictures are no complaints here.
  const watched = await openPage(browser, STILL, /ERR_ABORTED|status of 404/);
  running.push({
    async close() {
      await watched.close();
      expect(watched.complaints).toEqual([]);
    },
  });
  const requests: string[] = [];
  watched.page.on('request', request => requests.push(request.url()));
  await prepare?.(watched.context);
  await watched.page.goto(site.url + path);
  await hydrated(watched.page);
  return { ...watched, requests };
}

const question = (page: Page) => page.getByRole('region', { name: 'May scripts of other sites be loaded?' });
const allow = (page: Page) => question(page).getByRole('button', { name: 'Allow' });
const decline = (page: Page) => question(page).getByRole('button', { name: 'Decline' });
const choice = (page: Page) => page.getByRole('complementary', { name: 'Scripts of other sites' });
const ran = (page: Page) => page.evaluate(() => (window as { ran?: string[] }).ran ?? []);

/** @returns the violations that axe finds. */
async function complaintsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message}`),
  );
}

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}

describe('scripts of the site’s own origin', () => {
  it('scripts of the site’s origin are in the document, and need no consent', async () => {
    const site = await startWith(['/uploads/own.js']);
    const { page, requests } = await visit(site);
    await expect.poll(() => ran(page)).toEqual(['own']);
    await page.waitForLoadState('networkidle');
    expect(requests.filter(url => url.includes('consent'))).toEqual([]);
    expect(await question(page).count()).toBe(0);
    expect(await choice(page).count()).toBe(0);
    const { headers, text } = await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    expect(text).toContain('<script defer src="/uploads/own.js"></script>');
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
  });
});

describe('scripts of other origins', () => {
  it('scripts of other origins run in order once allowed, on this page and all later ones', async () => {
    const site = await startWith([
      `${first.url}/a.js`,
      '/uploads/own.js',
      `${second.url}/b.js`,
      `${first.url}/c.js`,
    ]);
    const { text, headers } = await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    expect(text).not.toMatch(/<script[^>]* src="http/);
    expect(headers['content-security-policy']).toContain(`script-src 'self' ${first.url} ${second.url};`);
    expect(headers['content-security-policy']).not.toContain('trusted-types');

    const { page } = await visit(site);
    await question(page).waitFor();
    expect(await ran(page)).toEqual(['own']);
    expect([...first.asked, ...second.asked]).toEqual([]);
    for (const { url } of [first, second])
      expect(await question(page).textContent()).toContain(new URL(url).host);

    await allow(page).click();
    await expect.poll(() => ran(page)).toEqual(['own', '/a.js', '/b.js', '/c.js']);
    await choice(page).waitFor();
    expect(await choice(page).textContent()).toContain('are allowed');

    await page.reload();
    await expect.poll(() => ran(page)).toEqual(['own', '/a.js', '/b.js', '/c.js']);
    expect(await question(page).count()).toBe(0);
    // A navigation inside the app loads nothing twice.
    await page.locator('footer a[href="/terms"]').first().click();
    await page.waitForURL(`${site.url}/terms`);
    expect(await ran(page)).toEqual(['own', '/a.js', '/b.js', '/c.js']);
  });

  if (inFull) {
    it('scripts of other origins are not loaded once declined, until the visitor changes the choice', async () => {
      const site = await startWith([`${first.url}/a.js`]);
      const { page } = await visit(site);
      await decline(page).click();
      await choice(page).waitFor();
      expect(await choice(page).textContent()).toContain('are not allowed');
      await page.reload();
      await choice(page).waitFor();
      expect(await question(page).count()).toBe(0);
      expect(first.asked).toEqual([]);

      await choice(page).getByRole('button', { name: 'Change' }).click();
      await allow(page).click();
      await expect.poll(() => ran(page)).toEqual(['/a.js']);
    });
  }

  it('scripts of other origins are gone after a reload when the visitor revokes the consent', async () => {
    const site = await startWith([`${first.url}/a.js`]);
    const { page } = await visit(site);
    await allow(page).click();
    await expect.poll(() => ran(page)).toEqual(['/a.js']);
    await choice(page).getByRole('button', { name: 'Change' }).click();
    const loaded = page.waitForEvent('load');
    await decline(page).click();
    await loaded;
    await choice(page).waitFor();
    expect(await choice(page).textContent()).toContain('are not allowed');
    expect(await ran(page)).toEqual([]);
    expect(first.asked).toEqual(['/a.js']);
  });

  it('a script from a new host needs a new consent', async () => {
    const site = await startWith([`${first.url}/a.js`]);
    const { page, context } = await visit(site);
    await allow(page).click();
    await choice(page).waitFor();
    const stored = await context.storageState();

    const other = await startWith([`${first.url}/a.js`, `${second.url}/b.js`]);
    // The storage is copied to the second site's origin, so that the visitor is the same.
    const [entries] = stored.origins;
    const again = await visit(other, '/about', context =>
      context.addInitScript(items => {
        for (const { name, value } of items) localStorage.setItem(name, value);
      }, entries?.localStorage ?? []),
    );
    await question(again.page).waitFor();
    expect(second.asked).toEqual([]);
    expect(await ran(again.page)).toEqual([]);
  });

  if (inFull) {
    it('scripts of other origins need consent on each page where storage is refused', async () => {
      const site = await startWith([`${first.url}/a.js`]);
      const { page } = await visit(site, '/about', context =>
        context.addInitScript(() => {
          Object.defineProperty(window, 'localStorage', {
            get() {
              throw new DOMException('refused', 'SecurityError');
            },
          });
        }),
      );
      await allow(page).click();
      await expect.poll(() => ran(page)).toEqual(['/a.js']);
      await page.reload();
      await question(page).waitFor();
      expect(await ran(page)).toEqual([]);
    });
  }

  it('with SCRIPTS_CONSENT=off scripts of other origins are in the document, without a consent question', async () => {
    const site = await startWith([`${first.url}/a.js`], { SCRIPTS_CONSENT: 'off' });
    const { page, requests } = await visit(site);
    await expect.poll(() => ran(page)).toEqual(['/a.js']);
    await page.waitForLoadState('networkidle');
    expect(requests.filter(url => url.includes('consent'))).toEqual([]);
    expect(await question(page).count()).toBe(0);
    expect((await sendRequest(site.url, '/about')).text).toContain(
      `<script defer src="${first.url}/a.js"></script>`,
    );
  });
});

describe('the question', () => {
  it('the consent question has title, purposes, link and way back from the content', async () => {
    const labels = [
      { name: 'scriptsQuestion', text: 'May we count visits?' },
      { name: 'scriptsTitle', text: 'Counting' },
      { name: 'scriptsChange', text: 'Choose again' },
    ];
    const scriptsConsent = 'They **count** visits, as [the page about data](/privacy) says.';
    const site = await startWith([`${first.url}/a.js`], {}, { labels, scriptsConsent });
    const { page } = await visit(site);
    const asked = page.getByRole('region', { name: 'May we count visits?' });
    await asked.getByText('They count visits').waitFor();
    expect(await asked.locator('strong').innerText()).toBe('count');
    await asked.getByRole('button', { name: 'Decline' }).click();
    const counting = page.getByRole('complementary', { name: 'Counting' });
    await counting.getByRole('button', { name: 'Choose again' }).click();
    await asked.getByRole('link', { name: 'the page about data' }).click();
    await page.waitForURL(`${site.url}/privacy`);
    await asked.waitFor();
  });

  it('the consent question passes axe, works by keyboard, and hides no content', async () => {
    const site = await startWith([`${first.url}/a.js`]);
    const { page } = await visit(site);
    await question(page).waitFor();
    expect(await complaintsOf(page)).toEqual([]);
    // The consent question does not take the focus.
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);

    await decline(page).focus();
    await page.keyboard.press('Tab');
    expect(await allow(page).evaluate(button => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const change = choice(page).getByRole('button', { name: 'Change' });
    await change.waitFor();
    expect(await change.evaluate(button => button === document.activeElement)).toBe(true);
    expect(await complaintsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await decline(page).waitFor();
    expect(await decline(page).evaluate(button => button === document.activeElement)).toBe(true);
  });

  if (inFull) {
    it('the consent question does not change the stored page', async () => {
      const site = await startWith([`${first.url}/a.js`]);
      const { page } = await visit(site);
      const page1 = await sendRequest(site.url, '/about');
      await allow(page).click();
      await choice(page).waitFor();
      await page.reload();
      const cookies = await page.context().cookies();
      expect(cookies).toEqual([]);
      const page2 = await sendRequest(site.url, '/about');
      expect(page2.headers['cache-status']).toContain('hit');
      expect(page2.text).toBe(page1.text);
    });
  }

  if (inFull) {
    it('the consent question fits the screen of a phone', async () => {
      const site = await startWith([`${first.url}/a.js`]);
      const { page } = await visit(site);
      await page.setViewportSize({ width: 320, height: 568 });
      await question(page).waitFor();
      const box = await question(page).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
      // Half of the page stays readable.
      expect(box?.height).toBeLessThan(568 / 2);
    });
  }
});
