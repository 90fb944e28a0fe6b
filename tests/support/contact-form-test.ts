import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { MIN_FILL_MS } from '../../shared/forms/form-limits.ts';
import { hydrated, openPage, STILL } from './browser.ts';
import { browserTest } from './browser-test.ts';
import { eventually } from './eventually.ts';
import { startRelay } from './relay.ts';
import { startSampleSite } from './sample-site.ts';
import { startSite } from './start-site.ts';
import { testDisk } from './test-disk.ts';

export const SEND = '/api/email/send';

/** Values that the tests type into the contact form. */
export const MESSAGE = {
  name: 'Ada Example',
  email: 'ada@example.com',
  company: 'Example & Sons',
  topic: '"Fees"',
  message: 'First line\nsecond <b>line</b>',
};

/** Opens pages with forms, fills in the forms and reads their state. */
export class FormPage {
  readonly page: Page;
  readonly #siteUrl: string;

  constructor(page: Page, siteUrl: string) {
    this.page = page;
    this.#siteUrl = siteUrl;
  }

  /** Opens a page and advances its clock by `MIN_FILL_MS`, so that the server accepts a form at once. */
  async open(path: string): Promise<void> {
    await this.page.clock.install();
    await this.openJustNow(path);
    await this.page.clock.fastForward(MIN_FILL_MS);
  }

  /**
   * Opens a page without advancing its clock, so that a form sent at once waits for the rest of
   * `MIN_FILL_MS`.
   */
  async openJustNow(path: string): Promise<void> {
    await this.page.goto(this.#siteUrl + path);
    await hydrated(this.page);
  }

  readonly button = () => this.page.locator('#contacts form button[type=submit]');
  readonly notice = () => this.page.locator('#contacts [role=status]');
  readonly field = (name: string) => this.page.locator(`#contact-${name}`);

  readonly subscribeEmail = () => this.page.locator('#subscribe-email');
  readonly subscribeButton = () => this.page.locator('#subscribe form button');
  readonly subscribeNotice = () => this.page.locator('#subscribe [role=status]');

  async fill(values: Partial<typeof MESSAGE>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await this.field(name).fill(value);
  }

  /** @returns the values of all fields of the contact form. */
  async typed(): Promise<Record<string, string>> {
    const entries = Object.keys(MESSAGE).map(
      async name => [name, await this.field(name).inputValue()] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  /** @returns the error that assistive technology reads with a field, or null. */
  async errorOf(id: string): Promise<string | null> {
    const control = this.page.locator(`#${id}`);
    const [invalid, describedBy] = await Promise.all(
      ['aria-invalid', 'aria-describedby'].map(name => control.getAttribute(name)),
    );
    if (invalid === null && describedBy === null) return null;
    expect(invalid).toBe('true');
    return this.page.locator(`#${describedBy}`).innerText();
  }

  async expectFocus(selector: string): Promise<void> {
    await this.page.waitForFunction(target => document.activeElement?.matches(target), selector);
  }
}

/**
 * Gives each test an open page, its forms, a backend and a disk. A test can make the backend and the disk
 * fail.
 */
export const contactFormTest = browserTest
  .extend('backend', { scope: 'file' }, async ({}, { onCleanup }) => {
    const sample = await startSampleSite();
    const relay = await startRelay(sample.backend.url);
    onCleanup(async () => {
      await relay.close();
      await sample.close();
    });
    return relay;
  })
  .extend('disk', { scope: 'file' }, () => testDisk())
  .extend('site', { scope: 'file' }, async ({ backend, disk }, { onCleanup }) => {
    const site = await startSite({
      contentBaseUrl: backend.url,
      // All tests post from one address, so the usual limit would refuse them.
      env: { FORM_RATE_LIMIT: '10000' },
      overrides: { writeFileAtomically: disk.writeFileAtomically },
    });
    onCleanup(() => site.close());
    return site;
  })
  /** Chromium reports each refused form, and each request aborted by leaving the page. */
  .extend(
    'expectedComplaints',
    /server responded with a status of (?:422|429|503)|_payload\.json\S* net::ERR_ABORTED/,
  )
  .extend('watched', async ({ backend, browser, disk, expectedComplaints, site }, { onCleanup }) => {
    disk.reset();
    backend.reset();
    // A message of the previous test may still wait for its delivery.
    await eventually(() => expect(site.site.outbox.state.waiting).toBe(0));
    backend.reset();
    const watched = await openPage(browser, STILL, expectedComplaints);
    onCleanup(async () => {
      await watched.close();
      expect(watched.complaints).toEqual([]);
    });
    return watched;
  })
  .extend('page', async ({ watched }) => watched.page)
  .extend('form', async ({ page, site }) => new FormPage(page, site.url))
  /** Messages that the backend received. */
  .extend('sent', async ({ backend }) => {
    return () => backend.callsTo(SEND).map(({ body }): unknown => JSON.parse(body));
  })
  /** Idempotency keys of the received messages. */
  .extend('keys', async ({ backend }) => {
    return () => backend.callsTo(SEND).map(({ headers }) => headers['idempotency-key']);
  });
