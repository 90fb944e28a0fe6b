import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { MIN_FILL_MS } from '../../shared/forms/form-limits.ts';
import { TWO_VIEWS, violationsIn } from '../support/axe.ts';
import { hydrated, launchBrowser, openPage, STILL } from '../support/browser.ts';
import { ADDRESSEE, BROCHURE, PAGE, pageFormTest, VISIT } from '../support/page-form-test.ts';

/** Expected complaints: refused forms, requests cancelled by leaving a page, and styles that axe tries. */
const EXPECTED = /status of (?:404|422)|net::ERR_ABORTED|Applying inline style|preload assets|\.js csp$/;

const it = pageFormTest
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('open', async ({ browser, site }, { onCleanup }) => async (javaScriptEnabled: boolean) => {
    const options = { ...STILL, javaScriptEnabled, viewport: { width: 360, height: 800 } };
    const watched = await openPage(browser, options, EXPECTED);
    onCleanup(async () => {
      await watched.close();
      expect(watched.complaints).toEqual([]);
    });
    const { page } = watched;
    await page.clock.install();
    await page.goto(site.url + PAGE);
    if (javaScriptEnabled) await hydrated(page);
    await page.clock.fastForward(MIN_FILL_MS);
    return page;
  });

const visitOf = (page: Page) => page.locator('form', { hasText: 'Your name' });

async function fill(page: Page): Promise<void> {
  const form = visitOf(page);
  await form.getByLabel('Your name').fill('Ada Byron');
  await form.getByLabel('Your e-mail').fill('ada@example.com');
  await form.getByLabel('Telephone').fill('+49 30 1234567');
  await form.getByLabel('Where').selectOption('By video');
  await form.getByLabel('You may call me').check();
}

it.for([true, false])(
  'an editor’s form is sent, and thanks take its place (JavaScript: %s)',
  async (javaScript, { open, messages }) => {
    const page = await open(javaScript);
    await fill(page);
    await visitOf(page).getByLabel('What else').fill(`JavaScript: ${javaScript}`);
    await visitOf(page).getByRole('button').click();
    await page.getByText('A date follows.').waitFor();
    expect(await page.getByRole('heading', { name: 'Ask for a visit' }).count()).toBe(1);
    expect(await visitOf(page).count()).toBe(0);
    expect(await page.getByLabel('Postal address').count()).toBe(1);
    expect(await messages()).toMatchObject([
      {
        to: ADDRESSEE,
        message: expect.stringContaining(`What else, "in short"?: JavaScript: ${javaScript}`),
      },
    ]);
  },
);

it('a refused form moves the focus to its problems, whose links lead to the fields', async ({ open }) => {
  const page = await open(true);
  const form = visitOf(page);
  await form.getByLabel('Your e-mail').fill('ada@example');
  await form.getByRole('button').click();
  await page.waitForFunction(() => document.activeElement?.matches('[role=status].is-invalid'));
  await form.getByRole('link', { name: 'Your e-mail: Please enter a complete' }).click();
  const email = form.getByLabel('Your e-mail');
  await page.waitForFunction(() => document.activeElement?.matches('input[inputmode=email]'));
  expect(await email.inputValue()).toBe('ada@example');
  const [invalid, describedBy] = await Promise.all(
    ['aria-invalid', 'aria-describedby'].map(name => email.getAttribute(name)),
  );
  expect(invalid).toBe('true');
  const error = await page.locator(`[id="${describedBy}"]`).innerText();
  expect(error).toContain('Please enter a complete e-mail address');
  expect(await violationsIn(TWO_VIEWS, page)).toEqual([]);
});

it('a form that has changed since it was opened is shown anew, with all typed words', async ({
  open,
  publish,
  messages,
}) => {
  const page = await open(true);
  await fill(page);
  const [name, email, , ...others] = VISIT.items;
  await publish([{ ...VISIT, items: [name, email, { label: 'Budget', needed: true }, ...others] }, BROCHURE]);
  await visitOf(page).getByRole('button').click();
  await page.getByText('This form has changed since you opened it.').waitFor();
  const form = visitOf(page);
  expect(await form.getByLabel('Your name').inputValue()).toBe('Ada Byron');
  expect(await form.getByLabel('Where').inputValue()).toBe('By video');
  expect(await form.getByLabel('You may call me').isChecked()).toBe(true);
  expect(await form.innerText()).toContain('Telephone: +49 30 1234567');
  await form.getByLabel('Budget').fill('100');
  await form.getByRole('button').click();
  await page.getByText('A date follows.').waitFor();
  expect(await messages()).toMatchObject([{ message: expect.stringContaining('Budget: 100') }]);
});

it('text typed into a form is still there after a reload, and no other form gets it', async ({ open }) => {
  const page = await open(true);
  await visitOf(page).getByLabel('Your name').fill('Ada Byron');
  await page.reload();
  await hydrated(page);
  expect(await visitOf(page).getByLabel('Your name').inputValue()).toBe('Ada Byron');
  expect(await page.getByLabel('Postal address').inputValue()).toBe('');
});
