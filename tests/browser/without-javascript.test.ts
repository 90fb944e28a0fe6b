import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import overlayStyles from '../../site/layouts/initial-overlay.module.css';
import { launchBrowser, openPage, STILL, type WatchedPage } from '../support/browser.ts';
import { DEVICES } from '../support/devices.ts';
import { failing } from '../support/fake-backend.ts';
import { inFull, some } from '../support/in-full.ts';
import { parsePage } from '../support/parse-page.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { SAMPLE_PATHS, SAMPLE_ROUTES, type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';
import { testDisk } from '../support/test-disk.ts';

let site: SampleSite;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
});
beforeEach(() => open(360));
afterEach(async () => {
  const { complaints } = watched;
  await watched.close();
  expect(complaints).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function open(width: number): Promise<void> {
  const device = width < 800 ? DEVICES.mobile : DEVICES.desktop;
  // Chromium reports missing pages, refused forms and blocked scripts.
  const expected =
    /server responded with a status of (?:404|422|429|503)|failed: \S+\/assets\/\S+\.js csp$|failed: \S+\/api\/email\/send net::ERR_ABORTED$/;
  const options = { ...device, viewport: { width, height: 800 }, javaScriptEnabled: false, ...STILL };
  watched = await openPage(browser, options, expected);
  page = watched.page;
}

async function reopen(width: number): Promise<void> {
  await watched.close();
  await open(width);
}

const heading = () => page.locator('main h1').innerText();

describe('reading', () => {
  it.each(some(SAMPLE_ROUTES, 1).map(({ id }) => [id, SAMPLE_PATHS[id]]))(
    'a browser without JavaScript shows the page of %s',
    async (_id, path) => {
      await page.goto(site.url + path);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.locator('h1').isVisible()).toBe(true);
      // The shortest pages are the archive and an empty search.
      expect((await page.locator('main').innerText()).length).toBeGreaterThan(150);
      expect(
        await page
          .locator(`.${overlayStyles.root}`)
          .first()
          .isVisible()
          .catch(() => false),
      ).toBe(false);
      // Pictures are shown without a script, and have alternative texts.
      for (const image of await page.locator('main img').all()) {
        expect(await image.getAttribute('src')).toMatch(/^\/uploads\/|^\/media\/|^\/api\//);
        expect(await image.getAttribute('alt')).not.toBeNull();
      }
    },
  );

  it('a page without JavaScript has working links in all places', async () => {
    const targets = new Set<string>();
    for (const { id } of SAMPLE_ROUTES) {
      const { text } = await sendRequest(site.url, SAMPLE_PATHS[id], { headers: AS_BROWSER });
      for (const { properties } of parsePage(text).all('a')) {
        const href = String(properties.href ?? '');
        if (!('download' in properties) && /^\/(?!\/)/.test(href)) targets.add(href.replace(/#.*/, ''));
      }
    }
    expect(targets.size).toBeGreaterThan(25);
    // Requests run one after another, because concurrent renders could exceed the deadline of a content call.
    const broken: string[] = [];
    for (const path of some([...targets], 10)) {
      const { status } = await sendRequest(site.url, path, { headers: AS_BROWSER });
      if (status >= 400) broken.push(`${status} ${path}`);
    }
    expect(broken).toEqual([]);
  });

  if (inFull) {
    it('a link is followed by a full load without JavaScript', async () => {
      await page.goto(`${site.url}/blog`);
      const documents: string[] = [];
      page.on('request', request => {
        if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
      });
      const link = page.locator('main article a, main li a').first();
      const href = await link.getAttribute('href');
      await link.click();
      await page.waitForURL(site.url + href);
      expect(documents).toEqual([href]);
      expect(await heading()).not.toBe('');
    });
  }

  it('the pages of a category work without JavaScript', async () => {
    await page.goto(site.url + SAMPLE_PATHS['blog-category']);
    const first = await page.locator('main h2').allInnerTexts();
    await page.getByRole('link', { name: 'Older' }).click();
    await page.waitForURL(/\?page=2$/);
    const second = await page.locator('main h2').allInnerTexts();
    expect(first.filter(title => second.includes(title) && title !== 'Questions and answers')).toEqual([]);
    await page.getByRole('link', { name: 'Newer' }).click();
    await page.waitForURL(site.url + SAMPLE_PATHS['blog-category']);
    expect(await page.locator('main h2').allInnerTexts()).toEqual(first);
  });

  if (inFull) {
    it('a question opens without JavaScript', async () => {
      await page.goto(`${site.url}/about`);
      const question = page.locator('main details').first();
      const answer = question.locator('p').first();
      expect(await answer.isVisible()).toBe(false);
      await question.locator('summary').click();
      await answer.waitFor({ state: 'visible' });
    });
  }

  it('an error page has a link home without JavaScript', async () => {
    await page.goto(`${site.url}/no/such/page`);
    expect(await heading()).toBe('Page Not Found');
    expect(await page.getByText('Page not found: /no/such/page').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Back to the start' }).click();
    await page.waitForURL(`${site.url}/`, { waitUntil: 'commit' });
  });
});

describe('getting around', () => {
  it('the menu works at 360 px without JavaScript', async () => {
    await page.goto(`${site.url}/commerce/marketplaces`);
    const about = page.locator('header').getByRole('link', { name: 'About' }).locator('visible=true');
    expect(await about.count()).toBe(0);
    await page.locator('summary', { hasText: 'Menu' }).click();
    expect(await about.count()).toBe(1);
    // A click fails if another element covers the link.
    await about.click();
    await page.waitForURL(`${site.url}/about`);
  });

  it('the dropdowns work at 1280 px without JavaScript', async () => {
    await reopen(1280);
    await page.goto(`${site.url}/about`);
    const payouts = page.locator('header').getByRole('link', { name: 'Payouts' }).locator('visible=true');
    expect(await payouts.count()).toBe(0);
    await page.locator('header summary', { hasText: 'Solutions' }).click();
    await payouts.click();
    await page.waitForURL(`${site.url}/business-solutions/payouts`);
  });

  it('the table of contents of an article opens without JavaScript', async () => {
    await page.goto(site.url + SAMPLE_PATHS['blog-article']);
    const contents = page.getByRole('navigation', { name: 'On this page' });
    const link = contents.getByRole('link').first();
    expect(await link.isVisible()).toBe(false);
    await contents.locator('summary').click();
    await link.click();
    const { hash } = new URL(page.url());
    expect(await page.locator(`[id="${decodeURIComponent(hash.slice(1))}"]`).count()).toBe(1);
  });
});

describe('forms', () => {
  const disk = testDisk();
  let backend: Relay;
  let plain: RunningSite;
  beforeAll(async () => {
    backend = await startRelay(site.backend.url);
    plain = await startSite({
      contentBaseUrl: backend.url,
      env: { FORM_RATE_LIMIT: '10000' },
      overrides: { writeFileAtomically: disk.writeFileAtomically },
    });
  });
  beforeEach(() => {
    backend.reset();
    disk.reset();
  });
  afterAll(async () => {
    await plain.close();
    await backend.close();
  });

  const field = (label: string) => page.getByLabel(label, { exact: true });
  const contact = () => page.locator('form', { has: page.locator('#contact-message') });
  const subscribe = () => page.locator('form', { has: page.locator('#subscribe-email') });
  const sent = () => backend.callsTo('/api/email/send').map(({ body }) => JSON.parse(body));
  /** @returns the error that a field refers to by `aria-describedby`. */
  async function errorOf(id: string): Promise<string> {
    const control = page.locator(`#${id}`);
    expect(await control.getAttribute('aria-invalid')).toBe('true');
    return page.locator(`#${await control.getAttribute('aria-describedby')}`).innerText();
  }
  async function fillContact(values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await page.locator(`#contact-${name}`).fill(value);
  }
  async function typed(names: readonly string[]): Promise<Record<string, string>> {
    const entries = names.map(async name => [name, await page.locator(`#contact-${name}`).inputValue()]);
    return Object.fromEntries(await Promise.all(entries));
  }
  /** Each message has different words, because equal messages count as one. */
  const words = () => ({
    name: 'Ada Example',
    email: 'ada@example.com',
    company: 'Example & Sons',
    topic: `"Fees" ${randomUUID()}`,
    message: 'First line\nsecond <b>line</b>',
  });

  it('a message is sent once without JavaScript, and thanks are shown', async () => {
    const message = words();
    await page.goto(`${plain.url}/contacts`);
    await fillContact(message);
    await contact().getByRole('button').click();
    await page.waitForURL(/\?sent=contact/);
    expect(await page.locator('#contacts [role=status]').innerText()).toContain('Thank you');
    expect(await contact().count()).toBe(0);
    expect(await subscribe().count()).toBe(1);
    await page.reload();
    await expect.poll(sent).toEqual([{ form: 'contact', ...message }]);
  });

  it('errors without JavaScript are shown beside the fields, and the text is kept', async () => {
    await page.goto(`${plain.url}/contacts`);
    // The browser accepts these values, and the server does not.
    const message = words();
    const refused = { ...message, name: '   ', email: 'ada@example' };
    await fillContact(refused);
    await contact().getByRole('button').click();
    await page.waitForURL(/\/api\/email\/send$/);
    expect(await errorOf('contact-name')).toBe('Please enter your name.');
    expect(await errorOf('contact-email')).toContain('e-mail address');
    expect(await page.locator('#contact-message').getAttribute('aria-invalid')).toBeNull();
    expect(await typed(Object.keys(refused))).toEqual(refused);
    const summary = page.locator('#contacts [role=status]');
    expect(await summary.getByRole('link').count()).toBe(2);
    expect(await summary.evaluate(element => element === document.activeElement)).toBe(true);
    expect(sent()).toEqual([]);

    // The returned page works, so the corrected message can be sent.
    await fillContact({ name: message.name, email: message.email });
    await contact().getByRole('button').click();
    await page.waitForURL(/\?sent=contact/);
    await expect.poll(sent).toEqual([{ form: 'contact', ...message }]);
  });

  if (inFull) {
    it('a message without JavaScript is accepted during an outage, and delivered later', async () => {
      const message = words();
      await page.goto(`${plain.url}/contacts`);
      backend.on('/api/email/send', failing(500));
      await fillContact(message);
      await contact().getByRole('button').click();
      await page.waitForURL(/\?sent=contact/);
      await expect.poll(() => sent().length).toBeGreaterThan(0);
      backend.reset();
      await expect.poll(sent).toEqual([{ form: 'contact', ...message }]);
    });
  }

  if (inFull) {
    it('a message without JavaScript keeps its text while the disk is full', async () => {
      const message = words();
      await page.goto(`${plain.url}/contacts`);
      disk.fill();
      await fillContact(message);
      await contact().getByRole('button').click();
      await page.waitForURL(/\/api\/email\/send$/);
      expect(await page.locator('#contacts [role=status]').innerText()).toContain(
        'Nothing you typed is lost',
      );
      expect(await typed(Object.keys(message))).toEqual(message);
      disk.reset();
      await contact().getByRole('button').click();
      await page.waitForURL(/\?sent=contact/);
      await expect.poll(sent).toHaveLength(1);
    });
  }

  it('a subscription without JavaScript returns to the reader’s page', async () => {
    await page.goto(`${plain.url}/about`);
    await subscribe().locator('#subscribe-email').fill('ada@example');
    await subscribe().getByRole('button').click();
    await page.waitForURL(/\/api\/email\/send$/);
    expect(await errorOf('subscribe-email')).toContain('e-mail address');
    expect(await field('E-mail').last().inputValue()).toBe('ada@example');
    disk.fill();
    await subscribe().locator('#subscribe-email').fill('ada@example.com');
    await subscribe().getByRole('button').click();
    expect(await page.locator('#subscribe [role=status]').innerText()).toContain('could not be sent');
    expect(await subscribe().locator('#subscribe-email').inputValue()).toBe('ada@example.com');
    disk.reset();
    await subscribe().getByRole('button').click();
    await page.waitForURL(`${plain.url}/about?sent=subscribe#subscribe`);
    expect(await page.locator('#subscribe [role=status]').innerText()).toContain('Thank you');
    await expect.poll(sent).toEqual([{ form: 'subscribe', email: 'ada@example.com' }]);
  });

  it('the rate limit is reported without JavaScript, and the text is kept', async () => {
    const strict = await startSite({ contentBaseUrl: backend.url, env: { FORM_RATE_LIMIT: '1' } });
    try {
      await page.goto(`${strict.url}/contacts`);
      await fillContact(words());
      await contact().getByRole('button').click();
      await page.waitForURL(/\?sent=contact/);
      const message = words();
      await page.goto(`${strict.url}/contacts`);
      await fillContact(message);
      await contact().getByRole('button').click();
      await page.waitForURL(/\/api\/email\/send$/);
      // The answer contains only the form.
      expect(await page.locator('[role=status]').innerText()).toContain('Too many messages');
      const fields = Object.keys(message).map(name => page.locator(`[name="${name}"]`).inputValue());
      expect(await Promise.all(fields)).toEqual(Object.values(message));
    } finally {
      await strict.close();
    }
  });

  it('a double click without JavaScript sends one message', async () => {
    await page.goto(`${plain.url}/about`);
    const email = `${randomUUID()}@münchen.example`;
    await subscribe().locator('#subscribe-email').fill(email);
    disk.hold();
    await subscribe().getByRole('button').dblclick({ noWaitAfter: true });
    await expect.poll(() => disk.waiting()).toBeGreaterThan(0);
    disk.reset();
    await page.waitForURL(/\?sent=subscribe/);
    await expect.poll(sent).toEqual([{ form: 'subscribe', email }]);
    await expect.poll(() => plain.site.outbox.state.waiting).toBe(0);
    expect(sent()).toHaveLength(1);
  });
});
