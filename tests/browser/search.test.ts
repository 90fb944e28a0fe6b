import type { Browser, Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { TWO_VIEWS, violationsIn } from '../support/axe.ts';
import { hydrated, openPage, STILL } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { ABORTED } from '../support/page-facts.ts';
import { startSampleSite } from '../support/sample-site.ts';

const it = browserTest.extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
  const sample = await startSampleSite();
  onCleanup(() => sample.close());
  sample.site.search.begin();
  await eventually(async () => {
    const query = { text: 'reconciling', type: null, category: null, page: 1, size: 1, hasSnippets: false };
    expect((await sample.site.search.find(query)).total).toBeGreaterThan(0);
  });
  return sample;
});

const DESKTOP = { ...STILL, viewport: { width: 1_280, height: 800 } };
const SUGGESTIONS = /\/search\/suggestions\.json/;

/**
 * Opens a page and the search field in its header. The suggestion code loads when the field gets the focus.
 */
async function openField(browser: Browser, url: string, ignore?: RegExp) {
  const opened = await openPage(browser, DESKTOP, ignore);
  const { page } = opened;
  await page.goto(`${url}/about`);
  await hydrated(page);
  await page.locator('header summary[aria-label="Search"]').click();
  const field = page.locator('header input[name=q]');
  await expect.poll(() => field.evaluate(input => input === document.activeElement)).toBe(true);
  await expect.poll(() => field.getAttribute('role')).toBe('combobox');
  return { ...opened, field, options: page.locator('header [role=option]') };
}

/** @returns the text announced to assistive technology. */
const announced = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('body > [role=status]')].map(it => it.textContent));

it('the header suggests pages, chosen by keyboard and hidden by Escape', async ({ browser, site }) => {
  // Each letter cancels the request before it, which may still be in flight.
  const cancelled = /suggestions\.json\?q=[a-z]+ net::ERR_ABORTED/;
  const { page, complaints, close, field, options } = await openField(browser, site.url, cancelled);
  await field.pressSequentially('reconc');
  await options.first().waitFor();
  expect(await field.getAttribute('aria-expanded')).toBe('true');
  const count = await options.count();
  expect(await announced(page)).toContain(count === 1 ? '1 suggestion' : `${count} suggestions`);
  await field.press('ArrowDown');
  expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));
  expect(await violationsIn(TWO_VIEWS, page)).toEqual([]);
  await field.press('ArrowUp');
  expect(await field.getAttribute('aria-activedescendant')).toBeNull();
  await field.press('Escape');
  expect(await options.count()).toBe(0);
  expect(await field.isVisible()).toBe(true);
  await field.press('s');
  await field.press('Backspace');
  await options.first().waitFor();
  await field.press('ArrowDown');
  await field.press('Enter');
  await page.waitForURL(/\/blog\/[\w-]+\/reconciling-payouts/);
  expect(complaints).toEqual([]);
  await close();
});

it('the search field sends one request, 150 ms after the last letter, and says when nothing was found', async ({
  browser,
  site,
}) => {
  const { page, complaints, close, field, options } = await openField(browser, site.url);
  const answered = page.waitForResponse(SUGGESTIONS);
  const typedAt = await field.evaluate((input: HTMLInputElement) => {
    for (const letter of 'qqzzqq') {
      input.value += letter;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    return performance.now();
  });
  expect((await answered).url()).toContain('q=qqzzqq');
  await expect.poll(() => announced(page)).toContain('No suggestions');
  const asked = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/search/suggestions.json'))
      .map(({ startTime }) => startTime),
  );
  expect(asked).toHaveLength(1);
  // Clocks of browsers are rounded.
  expect((asked[0] ?? 0) - typedAt).toBeGreaterThan(149);
  expect(await options.count()).toBe(0);
  expect(await field.getAttribute('aria-expanded')).toBe('false');
  expect(complaints).toEqual([]);
  await close();
});

it('the suggestions never show a superseded answer', async ({ browser, site }) => {
  const { page, complaints, close, field, options } = await openField(browser, site.url, /suggestions\.json/);
  const held: Route[] = [];
  await page.route(SUGGESTIONS, route => {
    if (new URL(route.request().url()).searchParams.get('q') === 'pay') held.push(route);
    else void route.continue();
  });
  await field.fill('pay');
  await expect.poll(() => held.length).toBe(1);
  await page.evaluate(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    const note = () => shown.push(document.querySelector('[role=listbox]')?.textContent ?? '');
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
  });
  await field.fill('reconciling');
  await options.first().waitFor();
  const late = { title: ['A late answer'], href: '/about', snippet: [], label: 'Page', date: null };
  // The browser may have aborted the request.
  await held[0]?.fulfill({ json: { results: [late], status: 'Late' } }).catch(() => {});
  // The answer to a further query comes after the late one.
  await field.fill('qqzzqq');
  await expect.poll(() => announced(page)).toContain('No suggestions');
  const shown = await page.evaluate(() => (window as unknown as { shown: string[] }).shown.join());
  expect(shown).toContain('Reconciling payouts');
  expect(shown).not.toContain('A late answer');
  expect(complaints).toEqual([]);
  await close();
});

it('the suggestions use text typed before their code was loaded', async ({ browser, site }) => {
  const { page, complaints, close } = await openPage(browser, DESKTOP);
  await page.goto(`${site.url}/about`);
  await hydrated(page);
  const typed = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async route => {
    await typed.promise;
    await route.continue();
  });
  await page.locator('header summary[aria-label="Search"]').click();
  const field = page.locator('header input[name=q]');
  await field.fill('reconc');
  expect(await field.getAttribute('role')).toBeNull();
  typed.resolve();
  await page.locator('header [role=option]').first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});

it('the highlight of a hit is no higher than its line, and each title is close to its text', async ({
  browser,
  site,
}) => {
  // A visit that ends at once cancels requests that the page makes in idle time.
  const { page, complaints, close } = await openPage(
    browser,
    { ...STILL, viewport: { width: 320, height: 800 } },
    ABORTED,
  );
  await page.goto(`${site.url}/search?q=payment`);
  await hydrated(page);
  const hits = await page.locator('main h2 mark').evaluateAll(marks =>
    marks.map(mark => {
      const { backgroundColor, backgroundSize } = getComputedStyle(mark);
      const line = Number.parseFloat(getComputedStyle(mark.closest('h2') ?? mark).lineHeight);
      const height = Number.parseFloat(backgroundSize.split(' ')[1] ?? '');
      return { backgroundColor, isWithin: height <= line };
    }),
  );
  expect(hits.length).toBeGreaterThan(0);
  for (const hit of hits) expect(hit).toEqual({ backgroundColor: 'rgba(0, 0, 0, 0)', isWithin: true });
  for (const [path, texts] of [
    ['/search?q=payment', 'main ol li :is(h2, p[dir])'],
    ['/blog', 'main ul article :is(h2, h3, p[dir])'],
  ] as const) {
    await page.goto(`${site.url}${path}`);
    await hydrated(page);
    // The text has the opposite direction of the page.
    const offsets = await page.locator(texts).evaluateAll(elements =>
      elements.slice(0, 4).map(element => {
        (element.querySelector('a') ?? element).textContent = 'مدفوعات';
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().left - element.getBoundingClientRect().left;
      }),
    );
    expect(offsets.length, path).toBe(4);
    for (const offset of offsets) expect(Math.abs(offset), path).toBeLessThan(2);
  }
  expect(complaints).toEqual([]);
  await close();
});

it('axe finds nothing on a page of hits, nor on one without hits', async ({ browser, site }) => {
  const { page, complaints, close } = await openPage(browser, DESKTOP, ABORTED);
  for (const query of ['q=payouts', 'q=zebrafishes&type=pages']) {
    await page.goto(`${site.url}/search?${query}`);
    await hydrated(page);
    expect(await violationsIn(TWO_VIEWS, page), query).toEqual([]);
  }
  expect(complaints).toEqual([]);
  await close();
});

it('Escape in an empty field closes the search, and its button gets the focus', async ({ browser, site }) => {
  const { page, complaints, close, field } = await openField(browser, site.url);
  await field.press('Escape');
  await expect.poll(() => field.isVisible()).toBe(false);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search');
  expect(complaints).toEqual([]);
  await close();
});

it('the search works without JavaScript', async ({ browser, site }) => {
  const { page, complaints, close } = await openPage(
    browser,
    { ...DESKTOP, javaScriptEnabled: false },
    /404|early-/,
  );
  await page.goto(`${site.url}/about`);
  await page.locator('header summary[aria-label="Search"]').click();
  await page.locator('header input[name=q]').fill('reconciling');
  await page.locator('header input[name=q]').press('Enter');
  await page.waitForURL(/\/search\?q=reconciling$/);
  expect(await page.locator('main mark').count()).toBeGreaterThan(0);
  await page.locator('main select[name=type]').selectOption('articles');
  await page.locator('main form button').click();
  await page.waitForURL(/type=articles/);
  expect(await page.locator('main ol a').first().getAttribute('href')).toMatch(/^\/blog\//);
  await page.goto(`${site.url}/no-such-page`);
  await page.locator('main input[name=q]').fill('reconciling');
  await page.locator('main form button').click();
  await page.waitForURL(/\/search\?q=reconciling$/);
  expect(complaints).toEqual([]);
  await close();
});

it('forced colours show matches and the current page', async ({ browser, site }) => {
  const { page, close } = await openPage(browser, { ...STILL, forcedColors: 'active' });
  await page.goto(`${site.url}/search?q=payment`);
  const styleOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(element => {
        const { color, backgroundColor, textDecorationLine } = getComputedStyle(element);
        return { color, backgroundColor, textDecorationLine };
      });
  const match = await styleOf('main h2 mark');
  // A colour with a fourth part, as in `rgba(…)`, is transparent.
  expect(match.backgroundColor).toMatch(/^rgb\(/);
  expect(match.backgroundColor).not.toBe(match.color);
  expect((await styleOf('main nav [aria-current]')).textDecorationLine).toBe('underline');
  await close();
});
