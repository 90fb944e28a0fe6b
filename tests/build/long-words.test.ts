import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BuiltSite } from '../faults/built-site.ts';
import { launchBrowser, openPage, STILL } from '../support/browser.ts';
import { buildBrand } from '../support/built-brand.ts';
import { patient } from '../support/patience.ts';

/** German words of 25 to 40 letters. */
const WORDS = [
  'Schüttgutförderbandreinigungsanlage',
  'Instandhaltungsvereinbarungen',
  'Donaudampfschifffahrtsgesellschaft',
  'Geschwindigkeitsüberschreitungsmeldung',
  'Betriebssicherheitsverordnung',
  'Grundstücksverkehrsgenehmigung',
  'Gefahrgutbeförderungsverordnungen',
];
const PAGES = [
  '/',
  '/blog',
  '/blog/instandhaltung/stillstand-planen',
  '/blog/authors/juergen-wessels',
  '/business-solutions',
  '/business-solutions/schwerlastgurtfoerderer',
  '/contacts',
  '/unternehmen',
  '/search?q=Gurt',
  '/nothing-here',
];
const WIDTHS = [320, 360, 768, 1280];

/** Fields whose texts visitors read. */
const FIELDS = [
  'title',
  'text',
  'h1',
  'description',
  'label',
  'note',
  'answer',
  'question',
  'words',
  'caption',
];
const LINE = new RegExp(`^\\s*(?:- )?(?:${FIELDS.join('|')}): `);
const NOUN = /(?<![\p{L}\d/_.#-])\p{Lu}\p{Ll}{4,}(?![\p{L}\d/_.@-])/gu;

/** Replaces the nouns of a JSON or Markdown file with long words. */
function lengthen(file: string): string {
  let at = 0;
  const longer = (text: string) => text.replace(NOUN, () => WORDS[at++ % WORDS.length] ?? '');
  if (!file.startsWith('---'))
    return JSON.stringify(
      JSON.parse(file, (key, value) =>
        typeof value === 'string' && (FIELDS.includes(key) || /^\d+$/.test(key)) ? longer(value) : value,
      ),
    );
  const [, front = '', ...body] = file.split(/^---$/m);
  const lines = front.split('\n').map(line => (LINE.test(line) ? longer(line) : line));
  return ['', lines.join('\n'), ...body.map(longer)].join('---');
}

/** @returns the texts that are partly outside the window, or outside a box around them. */
function outside(): string[] {
  const found = new Set<string>();
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.textContent?.trim() || !parent?.checkVisibility()) continue;
    if (parent.closest('script, svg, .el-visually-hidden, .el-skip-link, [data-scroll-area]')) continue;
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      for (let box: Element | null = parent; box; box = box.parentElement) {
        const { display, overflowX } = getComputedStyle(box);
        // A box that scrolls sideways can show its whole text.
        if (/auto|scroll/.test(overflowX)) break;
        const { left, right } = box.getBoundingClientRect();
        if (display === 'inline' || display === 'contents') continue;
        if (rect.left >= left - 1 && rect.right <= right + 1) continue;
        found.add(`${node.textContent.trim().slice(0, 60)} in ${box.localName}.${box.className}`);
        break;
      }
    }
  }
  if (document.documentElement.scrollWidth > innerWidth)
    found.add(`${document.documentElement.scrollWidth} px wide`);
  return [...found];
}

let browser: Browser;
let site: BuiltSite;
let content: string;
beforeAll(async () => {
  content = await mkdtemp(path.join(os.tmpdir(), 'long-words-'));
  const of = path.resolve(import.meta.dirname, '../brands/kessler/content');
  await cp(of, content, { recursive: true });
  for (const name of await readdir(content, { recursive: true })) {
    if (!/\.(?:json|md)$/.test(name)) continue;
    const file = path.join(content, name);
    await writeFile(file, lengthen(await readFile(file, 'utf8')));
  }
  const brand = await buildBrand('kessler');
  [browser, site] = await Promise.all([launchBrowser(), brand.start({ env: { CONTENT_DIR: content } })]);
}, patient(240_000));
afterAll(async () => {
  await browser?.close();
  await site?.dispose();
  await rm(content, { recursive: true });
});

it.each(PAGES)('words of 25 to 40 letters stay inside their boxes: %s', async address => {
  const { page, close } = await openPage(browser, STILL, /net::ERR_ABORTED|status of 404/);
  const wrong: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(site.url + address);
    await page.evaluate(() => document.fonts.ready);
    for (const text of await page.evaluate(outside)) wrong.push(`${width}: ${text}`);
  }
  const words = await page.locator('body').innerText();
  expect(WORDS.filter(word => words.includes(word)).length).toBeGreaterThan(2);
  expect(wrong).toEqual([]);
  await close();
});
