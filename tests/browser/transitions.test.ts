import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { stageTest } from '../support/browser-test.ts';
import { inFull } from '../support/in-full.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { settled, type Visitor, type VisitorOptions } from '../support/visitor.ts';

/** Counts calls of the browser's function, without calls that the site's wrapper drops. */
function countTransitions(): void {
  let started = 0;
  const start = document.startViewTransition;
  Object.defineProperty(window, 'transitions', { get: () => started });
  document.startViewTransition = function (this: Document, ...input: Parameters<typeof start>) {
    started += 1;
    return start.apply(this, input);
  };
}

const it = stageTest.extend(
  'openCounting',
  async ({ open }) =>
    (path: string, options: VisitorOptions = {}) => {
      return open(path, {
        ...options,
        prepare: async page => {
          await page.addInitScript(countTransitions);
          await options.prepare?.(page);
        },
      });
    },
);

const {
  page: PAGE,
  blog: BLOG,
  'blog-category': CATEGORY,
  'blog-article': ARTICLE,
  'business-solution': SOLUTION,
  commerce: COMMERCE,
} = SAMPLE_PATHS;

/** Pages of both layouts. The last step leads from a category to one of its articles. */
const TOUR = inFull ? [PAGE, BLOG, CATEGORY, ARTICLE] : [CATEGORY, ARTICLE];

const started = (page: Page) => page.evaluate(() => Reflect.get(window, 'transitions') as number);

/** Follows a link. @returns the number of transitions that start. */
async function follow(opened: Visitor, href: string): Promise<number> {
  const before = await started(opened.page);
  await opened.page.evaluate(address => {
    const link = document.querySelector<HTMLElement>(`a[href="${address}"]`);
    if (!link) throw new Error(`No link to ${address}`);
    link.click();
  }, href);
  return counted(opened, new URL(href, opened.page.url()).pathname, before);
}

async function back(opened: Visitor, path: string): Promise<number> {
  const before = await started(opened.page);
  await opened.page.goBack();
  return counted(opened, path, before);
}

async function counted(opened: Visitor, path: string, before: number): Promise<number> {
  await opened.arrived(path);
  await settled(opened.page);
  return (await started(opened.page)) - before;
}

it('pages of the default layout change with a transition, with links and with Back', async ({
  openCounting,
}) => {
  const opened = await openCounting(PAGE);
  expect(await follow(opened, SOLUTION)).toBe(1);
  if (inFull) {
    expect(await follow(opened, COMMERCE)).toBe(1);
    expect(await back(opened, SOLUTION)).toBe(1);
  }
  expect(await back(opened, PAGE)).toBe(1);
});

it('an article changes with a transition inside the blog, and without one from outside', async ({
  openCounting,
}) => {
  const opened = await openCounting(CATEGORY);
  expect(await follow(opened, ARTICLE)).toBe(1);
  expect(await follow(opened, PAGE)).toBe(1);
  expect(await back(opened, ARTICLE)).toBe(0);
});

it('the blog and its categories change without a transition', async ({ openCounting }) => {
  const opened = await openCounting(PAGE);
  expect(await follow(opened, BLOG)).toBe(0);
  expect(await follow(opened, CATEGORY)).toBe(0);
  if (inFull) {
    expect(await follow(opened, ARTICLE)).toBe(1);
    expect(await back(opened, CATEGORY)).toBe(0);
  }
  expect(await back(opened, BLOG)).toBe(0);
  if (inFull) {
    expect(await follow(opened, CATEGORY)).toBe(0);
    expect(await follow(opened, `${CATEGORY}?page=2`)).toBe(0);
  }
});

it('the layout changes with a transition from the blog to the rest of the site', async ({ openCounting }) => {
  const opened = await openCounting(CATEGORY);
  expect(await follow(opened, COMMERCE)).toBe(1);
  expect(await back(opened, CATEGORY)).toBe(0);
});

it('a hash link on the same page starts no transition', async ({ site, openCounting }) => {
  const opened = await openCounting(COMMERCE);
  expect(await follow(opened, '#content')).toBe(0);
  expect(opened.page.url()).toBe(`${site.url}${COMMERCE}#content`);
});

it('reduced motion disables all transitions, and each page is reached', async ({ openCounting }) => {
  const opened = await openCounting(COMMERCE, { context: { reducedMotion: 'reduce' } });
  for (const path of TOUR) expect(await follow(opened, path)).toBe(0);
  expect(await back(opened, CATEGORY)).toBe(0);
});

it('a browser without view transitions navigates at once and without complaints', async ({
  openCounting,
}) => {
  const opened = await openCounting(COMMERCE, {
    prepare: page =>
      page.addInitScript(() => {
        Reflect.deleteProperty(document, 'startViewTransition');
        Reflect.deleteProperty(Document.prototype, 'startViewTransition');
        if ('startViewTransition' in document) throw new Error('The API is still there');
      }),
  });
  for (const path of TOUR) expect(await follow(opened, path)).toBe(0);
  await opened.page.goBack();
  await opened.arrived(CATEGORY);
});
