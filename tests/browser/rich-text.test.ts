import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ALL_VIEWS, TWO_VIEWS } from '../support/axe.ts';
import { hydrated, launchBrowser, openPage, type WatchedPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';
import { SAMPLE_PATHS, SAMPLE_ROUTES } from '../support/sample-site.ts';
import { type Stage, startStage } from '../support/stage.ts';

const LONG =
  'an alternative text that is much too long for the screen of any telephone, with ' +
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung in it';

const WORDS = `---
title: Words
questions:
  - question: With code?
    answer: "\`\`\`json\\n{}\\n\`\`\`"
  - question: With code, again?
    answer: "\`\`\`json\\n{}\\n\`\`\`"
---
## Money moves

Text, [elsewhere](https://elsewhere.example/), [a page](/about) and
<a href="https://elsewhere.example/" target="_blank">a window of its own</a>.

\`\`\`json
{ "id": "pay_01", "amount": 1250, "captured": true, "a": "line that is so long that it has to scroll on a telephone" }
\`\`\`

### Then a message

\`\`\`ts
// A comment.
export const verify = async (body: string): Promise<boolean> => body.length < 65_536 && (await check(body, 'sha256'));
\`\`\`

\`\`\`diff
- a
+ b
\`\`\`

| One | Two | Three | Four | Five |
|---|--:|---|---|---|
| a | b | c | d | e |

- [x] Done
- [ ] To be done, in a line that is so long that on a telephone it has a second one
- A point

> A quotation. <cite>Somebody</cite>

| One | Two |
|---|---|
| a | b |
`;

const PICTURES = `
![Missing one, ${LONG}](/uploads/none.png)

![Missing two, ${LONG}](/uploads/none.svg "A caption")

<figure><img src="/uploads/none.jpg" width="1600" height="1000" alt="Missing three, ${LONG}"><figcaption>A caption</figcaption></figure>

Text ![Missing four, ${LONG}](/uploads/none.gif) and text.

![A photograph](/uploads/ceramics-shelf.jpg "A caption")
`;

let site: Stage;
let browser: Browser;
let axe: string;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  [site, browser, axe] = await Promise.all([
    startStage({ pages: { words: WORDS, pictures: PICTURES } }),
    launchBrowser(),
    readFile(file, 'utf8'),
  ]);
});
afterEach(() => watched.close());
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function open(path: string, options: BrowserContextOptions = {}, ignore?: RegExp): Promise<void> {
  watched = await openPage(browser, { reducedMotion: 'reduce', ...options }, ignore);
  page = watched.page;
  await page.goto(site.url + path);
  if (options.javaScriptEnabled !== false) await hydrated(page);
}

describe('a text', () => {
  it('axe finds nothing in a text, in light and dark, at 360 and 1440 px', async () => {
    await open('/words');
    await page.evaluate(axe);
    for (const { width, colorScheme } of inFull ? ALL_VIEWS : TWO_VIEWS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate(() => window.axe.run(document));
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    }
    expect(watched.complaints).toEqual([]);
  });

  it.each([true, false])(
    'a heading has a link to it beside it (with JavaScript: %s)',
    async javaScriptEnabled => {
      await open('/words', { javaScriptEnabled, viewport: { width: 800, height: 300 } });
      const heading = page.getByRole('heading', { name: 'Then a message', exact: true });
      expect(await heading.getByRole('link').count()).toBe(0);
      const link = page.locator('main header').getByRole('link', { name: 'Then a message', exact: true });
      const { width = 0, height = 0 } = (await link.boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
      await link.click();
      await page.waitForURL(`${site.url}/words#then-a-message`);
      const { top } = await heading.evaluate(node => node.getBoundingClientRect());
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(300);
    },
  );

  it('the link beside a heading copies its address', async () => {
    await open('/words', { permissions: ['clipboard-read', 'clipboard-write'] });
    const link = page.locator('main header').getByRole('link', { name: 'Then a message' });
    await page.waitForFunction(() => document.documentElement.dataset.copies !== undefined);
    await link.click();
    await expect.poll(() => link.textContent()).toBe('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${site.url}/words#then-a-message`,
    );
    await expect.poll(() => link.textContent(), { timeout: 10_000 }).toBe('');
  });

  it('only code and tables that scroll take the focus, and tables are named after their heading', async () => {
    await open('/words', { viewport: { width: 360, height: 700 } });
    const focusable = () =>
      page
        .locator('main [role=region]:visible')
        .evaluateAll(all => all.filter(area => area.tabIndex === 0).map(area => area.ariaLabel));
    await expect.poll(focusable).toEqual(['Code 1, JSON', 'Code 2, TypeScript', 'Table 1: Then a message']);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(focusable).toEqual(['Code 1, JSON', 'Code 2, TypeScript']);
  });

  it('no two regions of a text with questions have the same name', async () => {
    await open('/words');
    for (const summary of await page.locator('main section details summary').all()) await summary.click();
    const names = await page
      .locator('main [role=region]')
      .evaluateAll(regions => regions.map(region => region.getAttribute('aria-label')));
    expect(names).toContain('Code 1, JSON');
    expect(names).toContain('Code 1, JSON – With code, again?');
    expect(names).toHaveLength(7);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(some(['rtl', 'ltr'], 1))('a task list has check boxes in place of bullets (%s)', async dir => {
    await open('/words', { viewport: { width: 360, height: 700 } });
    // The text has a fixed direction. Otherwise its English letters would decide.
    await page.evaluate(value => {
      for (const element of [document.documentElement, ...document.querySelectorAll('main [dir=auto]')])
        element.setAttribute('dir', value);
    }, dir);
    const items = await page.locator('main li:has(> input), main li:has-text("A point")').evaluateAll(list =>
      list.map(item => {
        const text = Array.from(item.childNodes).find(node => node.textContent?.trim());
        const range = document.createRange();
        range.selectNodeContents(text ?? item);
        const lines = Array.from(range.getClientRects());
        const box = item.querySelector('input')?.getBoundingClientRect();
        const isLtr = document.documentElement.dir === 'ltr';
        const start = ({ left, right }: DOMRect) => (isLtr ? left : innerWidth - right);
        const end = ({ left, right }: DOMRect) => (isLtr ? right : innerWidth - left);
        return {
          mark: getComputedStyle(item).listStyleType,
          starts: lines.filter(({ width }) => width > 8).map(line => Math.round(start(line))),
          boxEnd: box ? end(box) : null,
        };
      }),
    );
    expect(items.map(({ mark }) => mark)).toEqual(['none', 'none', 'disc']);
    const edge = items[2]?.starts[0] ?? Number.NaN;
    for (const { starts, boxEnd } of items) {
      for (const start of starts) expect(Math.abs(start - edge)).toBeLessThanOrEqual(6);
      if (boxEnd !== null) expect(boxEnd).toBeLessThan(edge);
    }
    expect(items[1]?.starts.length).toBeGreaterThan(1);
  });

  it('without JavaScript, code is coloured, and code and tables scroll by keyboard in a window of 360 px', async () => {
    await open('/words', { javaScriptEnabled: false, viewport: { width: 360, height: 700 } });
    const code = page.getByRole('region', { name: 'Code 1, JSON' });
    expect(await code.evaluate(node => getComputedStyle(node, '::before').content)).toContain('JSON');
    const colours = await code.evaluate(node =>
      [node, ...node.querySelectorAll('span')].map(part => getComputedStyle(part).color),
    );
    expect(new Set(colours).size).toBeGreaterThanOrEqual(4);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await code.focus();
    await page.keyboard.press('ArrowRight');
    await eventually(
      async () => expect(await code.evaluate(node => node.scrollLeft)).toBeGreaterThan(0),
      20_000,
    );
    const table = page.getByRole('region', { name: 'Table 1' });
    await table.focus();
    await page.keyboard.press('ArrowRight');
    await eventually(
      async () => expect(await table.evaluate(node => node.scrollLeft)).toBeGreaterThan(0),
      20_000,
    );
  });

  it('a link in a text opens a window only with target=_blank, and gives other sites no opener or referrer', async () => {
    await open('/words');
    const links = page.locator('main a[href^="https:"], main a[href="/about"]');
    expect(
      await links.evaluateAll(nodes =>
        nodes.map(node => [node.getAttribute('rel'), node.getAttribute('target')]),
      ),
    ).toEqual([
      ['noopener noreferrer', null],
      [null, null],
      ['noopener noreferrer', '_blank'],
    ]);
  });
});

describe('a picture', () => {
  it('a picture loads in the smallest supported format, at the width that it needs', async () => {
    await open('/pictures', { viewport: { width: 360, height: 700 } }, /404|none\./);
    const photograph = page.getByRole('img', { name: 'A photograph' });
    await photograph.scrollIntoViewIfNeeded();
    await eventually(
      async () =>
        expect(await photograph.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(
          0,
        ),
      20_000,
    );
    const { currentSrc, width, height } = await photograph.evaluate(image => {
      const { currentSrc, width, height } = image as HTMLImageElement;
      return { currentSrc, width, height };
    });
    expect(currentSrc).toBe(`${site.url}/images/uploads/ceramics-shelf.jpg/640.avif`);
    // The site has read the picture's size from the file: 1600 × 1000.
    expect(height).toBe(Math.round((width * 1000) / 1600));
    expect(watched.complaints).toEqual([]);
  });

  it('a picture reserves its space before it loads', async () => {
    await open('/pictures', { viewport: { width: 360, height: 700 } }, /404|none\./);
    const boxes = () =>
      page
        .locator('main figure')
        .evaluateAll(figures => figures.map(figure => Math.round((figure as HTMLElement).offsetHeight)));
    const before = await boxes();
    await page.getByRole('img', { name: 'A photograph' }).scrollIntoViewIfNeeded();
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('main figure img')].every(image => image.complete),
    );
    expect(await boxes()).toEqual(before);
    expect(Math.min(...before)).toBeGreaterThan(180);
  });

  const everyPath = [
    '/pictures',
    ...SAMPLE_ROUTES.map(({ id }) => SAMPLE_PATHS[id]),
    ...['/business-solutions', '/contacts', '/blog/cases/ceramics-from-lodz'],
  ];

  it.each(some(everyPath, 1))('a missing picture does not widen %s at 320 and 360 px', async path => {
    const ignore = /Failed to load resource|failed: /;
    watched = await openPage(
      browser,
      { reducedMotion: 'reduce', viewport: { width: 360, height: 700 } },
      ignore,
    );
    page = watched.page;
    let refused = 0;
    await page.route(/\/(?:uploads|images)\//, route => {
      refused += 1;
      return /\.css$/.test(route.request().url()) ? route.continue() : route.abort();
    });
    await page.goto(site.url + path);
    await hydrated(page);
    // Load all pictures, not only those near the window.
    await page.evaluate(() => {
      for (const image of document.images) image.loading = 'eager';
    });
    await page.waitForFunction(() =>
      Array.from(document.images).every(image => image.complete && image.naturalWidth === 0),
    );
    expect(refused).toBeGreaterThan(0);
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBe(width);
      const tooWide = await page.evaluate(() =>
        Array.from(document.images).flatMap(image => {
          const { left, right } = image.getBoundingClientRect();
          return left < -1 || right > innerWidth + 1 ? image.outerHTML : [];
        }),
      );
      expect(tooWide, `${width} px`).toEqual([]);
    }
  });
});
