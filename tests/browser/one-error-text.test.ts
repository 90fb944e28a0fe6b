import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { MAX_LENGTHS, MIN_FILL_MS } from '../../shared/forms/form-limits.ts';
import { hydrated, openPage, STILL } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { capture, startFakeBackend } from '../support/fake-backend.ts';
import { startSite } from '../support/start-site.ts';

type Fields = Readonly<Record<string, string>>;

const ADA = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
/** Invalid values for the contact form, by what is wrong. */
const CONTACT: Readonly<Record<string, Fields>> = {
  'nothing is filled in': {},
  'only spaces': { name: '  ', email: ' ', message: '\n' },
  'half an address': { ...ADA, email: 'ada@example' },
  'a name that is too long': { ...ADA, name: 'a'.repeat(MAX_LENGTHS.name + 1) },
  'a message that is too long': { ...ADA, message: 'a'.repeat(MAX_LENGTHS.message + 1) },
  'a sign that turns the direction': { ...ADA, company: 'a\u202eb' },
  'a control character': { ...ADA, message: 'a\u0007b' },
  'stacked marks': { ...ADA, name: `a${'\u0301'.repeat(40)}` },
  'something in the trap': { ...ADA, website: 'x' },
};
const SUBSCRIBE: Readonly<Record<string, Fields>> = {
  'nothing is filled in': {},
  'half an address': { email: 'ada@example' },
  'no consent': { email: 'ada@example.com' },
};

const withBackend = browserTest.extend('backend', { scope: 'file' }, async ({}, { onCleanup }) => {
  const backend = await startFakeBackend();
  onCleanup(() => backend.close());
  return backend;
});
const it = withBackend.extend('site', { scope: 'file' }, async ({ backend }, { onCleanup }) => {
  const settings = structuredClone(capture('v5-as-v4', 'settings.json')) as {
    data: { attributes: Record<string, unknown> };
  };
  // Remove the recorded stylesheets and scripts, which do not exist on disk.
  const changed = { customCss: [], scripts: [], subscribeConsent: 'I agree to get news by e-mail.' };
  Object.assign(settings.data.attributes, changed);
  backend.on('/api/settings', settings);
  const site = await startSite({ contentBaseUrl: backend.url, env: { FORM_RATE_LIMIT: '10000' } });
  onCleanup(() => site.close());
  return site;
});

/** @returns all that a form says after it was sent. */
async function saidBy(page: Page, section: string, prefix: string, values: Fields): Promise<string[]> {
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`${section} form [name="${name}"]`);
    // Set the value as a robot does, which may exceed `maxlength` and fill the hidden trap.
    await field.evaluate((element, text) => {
      (element as HTMLInputElement).value = text;
    }, value);
  }
  await page.locator(`${section} form [type=submit]`).click();
  const notice = page.locator(`${section} [role=status].is-invalid`);
  await notice.waitFor();
  const errors = await page
    .locator(`${section} form [aria-invalid=true]`)
    .evaluateAll(fields =>
      fields.map(
        field =>
          `${field.id}: ${document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent}`,
      ),
    );
  expect(errors.length, prefix).toBeGreaterThan(0);
  return [await notice.innerText(), ...errors];
}

describe.each([
  ['contact', '/', '#contacts', CONTACT],
  ['subscribe', '/', '#subscribe', SUBSCRIBE],
] as const)('the form %s', (form, path, section, cases) => {
  it.for(Object.entries(cases))(
    `the form ${form} says the same with and without JavaScript: %s`,
    async ([wrong, values], { browser, site }) => {
      const said: string[][] = [];
      for (const javaScriptEnabled of [true, false]) {
        const { page, close } = await openPage(
          browser,
          { ...STILL, javaScriptEnabled },
          /status of 422|csp$/,
        );
        if (javaScriptEnabled) await page.clock.install();
        await page.goto(site.url + path);
        if (javaScriptEnabled) {
          await hydrated(page);
          await page.clock.fastForward(MIN_FILL_MS);
        }
        said.push(await saidBy(page, section, `${wrong}: ${javaScriptEnabled}`, values));
        await close();
      }
      expect(said[0]).toEqual(said[1]);
    },
  );
});
