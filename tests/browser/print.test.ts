import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { hydrated, openPage } from '../support/browser.ts';
import { sampleTest as it } from '../support/browser-test.ts';
import { startFakeBackend } from '../support/fake-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { some } from '../support/in-full.ts';
import { filledSheets, textOfPdf } from '../support/pdf-text.ts';
import { SAMPLE_PATHS, SAMPLE_ROUTES } from '../support/sample-paths.ts';
import { startSite } from '../support/start-site.ts';

const withoutSpaces = (text: string) => text.replace(/\s/g, '');

const ARTICLES = readdirSync(path.join(FIXTURE_CONTENT, 'articles')).flatMap(file => {
  const text = readFileSync(path.join(FIXTURE_CONTENT, 'articles', file), 'utf8');
  const category = /^category: (\w+)$/m.exec(text)?.[1];
  return category && !/^draft: true$/m.test(text) ? [`${category}/${path.parse(file).name}`] : [];
});

/** The landing page takes longest to print. As the last one, it is left out of a short test run. */
const LANDING_LAST = SAMPLE_ROUTES.toSorted((a, b) => Number(a.id === 'home') - Number(b.id === 'home'));

describe('a printed page', () => {
  it.for(some(LANDING_LAST, 1).map(({ id }) => id))(
    'a printed page has its text without skip link, form or overlay: %s',
    async (id, { browser, site }) => {
      const { page, close } = await openPage(browser);
      await page.goto(site.url + SAMPLE_PATHS[id]);
      await hydrated(page);
      // A list such as the archive has no paragraph.
      const [heading, words] = await Promise.all([
        page.locator('main h1').first().innerText(),
        page.locator('main :is(p, h2):visible').first().innerText(),
      ]);
      const text = textOfPdf(await page.pdf());
      expect(text).toContain(withoutSpaces(heading));
      expect(text.toLowerCase()).toContain(withoutSpaces(words).toLowerCase());
      expect(text).not.toContain('Skiptocontent');
      expect(text).not.toContain('Newsbye-mail');
      // The head of the document says whose page it is, where it is, and when it was printed.
      expect(text).toContain(new URL(SAMPLE_PATHS[id], site.url).href);
      expect(text).toContain(String(new Date().getFullYear()));
      // Elements fixed to the window would cover the text of each sheet.
      await page.emulateMedia({ media: 'print' });
      const fixed = await page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>('body *'))
          .filter(element => getComputedStyle(element).position === 'fixed')
          .filter(element => element.getClientRects().length > 0)
          .map(element => `${element.localName}.${element.className}`),
      );
      expect(fixed).toEqual([]);
      await close();
    },
  );

  it('a page printed without scripts has its name, its address and its date', async ({ browser, site }) => {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false }, /csp$/);
    for (const address of [SAMPLE_PATHS['blog-article'], SAMPLE_PATHS['business-solution']]) {
      await page.goto(site.url + address);
      const date = await page.locator('head').getAttribute('data-date');
      expect(date).toMatch(/^\d+ \p{L}+ \d{4}$/u);
      const text = textOfPdf(await page.pdf());
      const { href } = new URL(address, site.url);
      expect(text).toContain(withoutSpaces(`Acme${href}${date}`));
    }
    await close();
  });

  it.for(some(ARTICLES, 4))(
    'the last sheet of an article is at least a quarter full: %s',
    async (slug, { browser, site }) => {
      const { page, close } = await openPage(browser);
      await page.goto(`${site.url}/blog/${slug}`);
      await hydrated(page);
      const sheets = filledSheets(await page.pdf({ format: 'A4' }));
      expect(sheets.length).toBeGreaterThan(0);
      if (sheets.length > 1) expect(sheets.at(-1)).toBeGreaterThanOrEqual(0.25);
      await close();
    },
  );

  it('the landing page is printed in full, on at most four sheets', async ({ browser, site }) => {
    const { page, close } = await openPage(browser);
    await page.goto(site.url);
    await hydrated(page);
    const headings = await page.locator('main :is(h2:not(.el-visually-hidden), h3, summary)').allInnerTexts();
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(4);
    const text = textOfPdf(pdf);
    const isPrinted = (heading: string) => text.includes(withoutSpaces(heading));
    expect(headings.filter(heading => heading.trim() && !isPrinted(heading))).toEqual([]);
    await close();
  });

  it('a printed page has long lines of code and wide tables in full', async ({ browser, onTestFinished }) => {
    const names = Array.from({ length: 60 }, (_, index) => `part${index}`);
    const cells = names.slice(0, 12).map(name => `cell-of-${name}`);
    const code = `const all = ${names.map(name => `${name}("${name}")`).join(' + ')};`;
    const table = `|${cells.join('|')}|\n|${'-|'.repeat(cells.length)}\n|${cells.join('|')}|`;
    const body = ['A page with code.', `~~~js\n${code}\n~~~`, table].join('\n\n');
    const backend = await startFakeBackend();
    onTestFinished(() => backend.close());
    backend.on('/api/pages', { data: [{ id: 7, documentId: 'p7', title: 'Code', slug: 'code', body }] });
    const site = await startSite({ contentBaseUrl: backend.url });
    onTestFinished(() => site.close());
    const { page, close } = await openPage(browser);
    await page.goto(`${site.url}/code`);
    await hydrated(page);
    const text = textOfPdf(await page.pdf());
    for (const whole of [code, ...cells]) expect(text).toContain(withoutSpaces(whole));
    await close();
  });
});
