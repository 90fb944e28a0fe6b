import { setTimeout as delay } from 'node:timers/promises';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { startDevLoop } from '../support/dev-loop.ts';
import { pinLoad, pinNothing } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { median } from './load.ts';

/** The pause after an edit, in ms, in which the loop checks types and scripts. */
const CHECKS_MS = 8_000;

/** An edit, its place, and what an open page shows of it. `n` is the number of the edit. */
interface Edit {
  readonly name: string;
  readonly atMost: number;
  readonly file: string;
  readonly source: (n: number) => string;
  readonly shown: (n: number) => boolean;
}

const EDITS: readonly (Edit & { readonly first: string })[] = [
  {
    name: 'a component',
    atMost: 300,
    file: 'site/blocks/contacts/contacts.tsx',
    first: '<div className={styles.card}>',
    source: n => `<div className={styles.card}><p id="edited">Component ${n}</p>`,
    shown: n => document.querySelector('#edited')?.textContent === `Component ${n}`,
  },
  {
    name: 'a style',
    atMost: 300,
    file: 'site/blocks/contacts/contacts.module.css',
    first: '.card {',
    source: n => `.card { outline: ${n + 10}px solid red;`,
    shown: n => {
      const card = document.querySelector('#contacts form')?.parentElement;
      return card ? getComputedStyle(card).outlineWidth === `${n + 10}px` : false;
    },
  },
  {
    name: 'content',
    atMost: 500,
    file: 'content/pages/contacts.md',
    first: 'h1: Tell us about one payment',
    source: n => `h1: Content ${n}`,
    shown: n => document.querySelector('h1')?.textContent === `Content ${n}`,
  },
  {
    name: 'the server',
    atMost: 1_500,
    file: 'site/routes/page/page.load.server.ts',
    first: 'page: shown,',
    source: n => `page: { ...shown, h1: 'Server ${n}' },`,
    shown: n => document.querySelector('h1')?.textContent === `Server ${n}`,
  },
];

/** Measures `npm run dev`: the time from a saved file until an open page shows the edit. */
export async function measureDev({ runs }: BenchSizes, report: Report): Promise<void> {
  pinNothing();
  const [dev, browser] = await Promise.all([startDevLoop(), launchBrowser()]);
  try {
    const { page } = await openPage(browser);
    await page.goto(`${dev.url}/contacts`);
    await hydrated(page);
    await page.evaluate(() => void document.documentElement.setAttribute('data-marked', ''));
    for (const { name, atMost, file, first, source, shown } of EDITS) {
      const times: number[] = [];
      // Leave out the first edit, after which the code of the loop is compiled.
      for (let n = 1; n <= runs + 1; n += 1) {
        await delay(CHECKS_MS);
        const from = await dev.edit(file, n === 1 ? first : source(n - 1), source(n));
        await page.waitForFunction(shown, n, { polling: 'raf' });
        if (n > 1) times.push(performance.now() - from);
      }
      const isSame = await page.evaluate(() => document.documentElement.hasAttribute('data-marked'));
      report({
        name: `npm run dev: from an edit of ${name} to the open page`,
        value: median(times),
        unit: 'ms',
        target: { atMost },
        errors: isSame ? 0 : 1,
        details: { times },
      });
    }
  } finally {
    await browser.close();
    await dev.close();
    pinLoad();
  }
}
