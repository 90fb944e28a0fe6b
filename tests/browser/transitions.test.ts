import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { settled, type Visitor, type VisitorOptions } from '../support/visitor.ts';

/** The last transition: which elements moved, whether the page faded, and the longest duration in ms. */
interface Motion {
  moved: string[];
  fades: boolean;
  ms: number;
}

/** Counts calls that reach the browser's `startViewTransition`. The site's wrapper drops other calls. */
function countTransitions(): void {
  let started = 0;
  let motion: Motion | null = null;
  const start = document.startViewTransition;
  Object.defineProperty(window, 'transitions', { get: () => started });
  Object.defineProperty(window, 'motion', { get: () => motion });
  document.startViewTransition = function (this: Document, ...input: Parameters<typeof start>) {
    started += 1;
    motion = null;
    const transition = start.apply(this, input);
    void transition.ready.then(() => {
      const effects = document
        .getAnimations()
        .map(({ effect }) => effect as KeyframeEffect)
        .filter(({ pseudoElement }) => pseudoElement?.startsWith('::view-transition'));
      const pseudos = effects.map(({ pseudoElement }) => pseudoElement ?? '');
      motion = {
        moved: pseudos.flatMap(pseudo => /group\((el-[a-z]+)\)/.exec(pseudo)?.[1] ?? []).sort(),
        fades: pseudos.some(pseudo => pseudo.includes('(root)')),
        ms: Math.max(...effects.map(effect => Number(effect.getComputedTiming().endTime))),
      };
    });
    return transition;
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

/** Follows a link, by default the first to its address. @returns the number of transitions that start. */
async function follow(
  opened: Visitor,
  href: string,
  link = opened.page.locator(`a[href="${href}"]`).first(),
): Promise<number> {
  const before = await started(opened.page);
  // A click by script reaches links of a closed menu, too.
  await link.evaluate(element => (element as HTMLElement).click());
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

/** Pages with cards, and the cards that have a picture. */
const CARDS: [page: string, path: string, card: string][] = [
  ['an article with related ones', ARTICLE, 'article:has(img)'],
  ['an author', SAMPLE_PATHS['blog-author'], 'article:has(img)'],
  ['a tag', SAMPLE_PATHS['blog-tag'], 'article:has(img)'],
  ['the list of products', '/business-solutions', 'li:has(img)'],
];
/** An article among the search results, which show no covers. */
const FOUND = 'ol li:has(a[href^="/blog/guides/"])';

/** Follows the link of a card. @returns the motion of the last transition, if one has started. */
async function openCard(opened: Visitor, card: string): Promise<Motion | null> {
  const link = opened.page.locator(`main ${card} a.el-covering`).first();
  const href = (await link.getAttribute('href')) ?? '';
  if ((await follow(opened, href, link)) === 0) return null;
  const motion = await opened.page.waitForFunction(() => Reflect.get(window, 'motion') as Motion | null);
  return motion.jsonValue();
}

it.for(some(CARDS, 2))(
  'cover and headline of a card on %s become those of its page',
  async ([, path, card], { openCounting }) => {
    const opened = await openCounting(path);
    const { moved, fades, ms } = (await openCard(opened, card)) ?? {};
    expect(moved).toEqual(['el-cover', 'el-headline']);
    expect(fades).toBe(true);
    expect(ms).toBeLessThanOrEqual(300);
    // Expect the names of this transition to be removed, so that the next one starts without them.
    await opened.page.waitForFunction(() => !document.querySelector('[style*="view-transition-name"]'));
  },
);

it('the headline of a search result moves into its page, whose layout appears without a fade', async ({
  site,
  openCounting,
}) => {
  site.site.search.begin();
  await eventually(async () => {
    const page = await fetch(`${site.url}/search?q=fee+statement`);
    expect(await page.text()).toContain('<ol');
  });
  const opened = await openCounting('/search?q=fee+statement');
  expect(await openCard(opened, FOUND)).toMatchObject({ moved: ['el-headline'], fades: false });
});

it('a pressed card of the blog index or of a category does not move', async ({ openCounting }) => {
  for (const path of [BLOG, CATEGORY]) {
    const opened = await openCounting(path);
    expect((await openCard(opened, 'article:has(img)'))?.moved).toEqual([]);
  }
});

it('reduced motion moves no card', async ({ openCounting }) => {
  const opened = await openCounting(ARTICLE, { context: { reducedMotion: 'reduce' } });
  expect(await openCard(opened, 'article:has(img)')).toBe(null);
});
