import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NAVIGATION_DELAY_MS } from '../../shared/constants.ts';
import { routeTable } from '../../shared/routing/routes.ts';
import { hydrated, launchBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { SAMPLE_PATHS } from '../support/sample-site.ts';
import { sendRequest } from '../support/send-request.ts';
import { type Stage, startStage } from '../support/stage.ts';
import { leaveQuietly, settled, type Visitor, type VisitorOptions, visit } from '../support/visitor.ts';

const ARTICLE = SAMPLE_PATHS['blog-article'];
/** The browser says so when a request is given up. */
const ABORTED = /net::ERR_ABORTED/;

let site: Stage;
let browser: Browser;
let visitor: Visitor | null = null;

beforeAll(async () => {
  [site, browser] = await Promise.all([
    startStage({
      pages: {
        links: `${'Text.\n\n'.repeat(60)}[Form](/contacts#contacts) [Nowhere](/about#no-such-place) [Outside](https://outside.example/)`,
        left: 'This one stays.',
      },
    }),
    launchBrowser(),
  ]);
});
afterEach(async () => {
  site.releaseAll();
  await leaveQuietly(visitor);
  visitor = null;
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function open(path = '/', options: VisitorOptions = {}): Promise<Visitor> {
  visitor = await visit(browser, site.url + path, options);
  return visitor;
}

/** Opens a page whose time stands still once it is alive. */
async function openInStillTime(path = '/', options: VisitorOptions = {}): Promise<Visitor> {
  const opened = await open(path, { ...options, prepare: page => page.clock.install() });
  await opened.page.clock.pauseAt(Date.now() + 3_600_000);
  return opened;
}

/** Presses a link without the real time that a real click takes. */
function press({ page }: Visitor, href: string): Promise<void> {
  return page.evaluate(wanted => document.querySelector<HTMLElement>(`a[href="${wanted}"]`)?.click(), href);
}

/** Ends when a request of the page waits for its answer. */
function held(path: string): Promise<void> {
  return eventually(() => expect(site.waiting(path)).toBe(1));
}

const heading = (page: Page) => page.locator('main h1').first();
const indicator = (page: Page) =>
  page.locator('.el-loading-indicator').evaluate(bar => ({
    active: bar.classList.contains('is-active'),
    done: bar.classList.contains('is-done'),
    height: getComputedStyle(bar).height,
  }));
const focused = (page: Page) =>
  page.evaluate(() => `${document.activeElement?.localName} ${document.activeElement?.textContent}`);
const scrollY = (page: Page) => page.evaluate(() => Math.round(window.scrollY));
const entries = (page: Page) => page.evaluate(() => history.length);

describe('a navigation', () => {
  it('costs one request for the payload, and the route’s own chunk the first time', async () => {
    const opened = await open();
    const chunks = () =>
      opened.requests.flatMap(
        request => new URL(request.url()).pathname.match(/^\/assets\/(.+-page)-\w+\.js$/)?.[1] ?? [],
      );
    expect(new Set(chunks())).toEqual(new Set(['home-page']));
    const stops: [path: string, chunk: string][] = [
      [SAMPLE_PATHS.page, 'generic-page'],
      [SAMPLE_PATHS.blog, 'blog-index-page'],
      [SAMPLE_PATHS['blog-category'], 'blog-category-page'],
      [ARTICLE, 'blog-article-page'],
      [SAMPLE_PATHS['business-solution'], 'business-solution-page'],
      [SAMPLE_PATHS.commerce, 'commerce-page'],
      ['/contacts', 'generic-page'],
    ];
    const seen = new Set(['home-page']);
    for (const [path, chunk] of stops) {
      const before = opened.requests.length;
      await opened.go(path);
      expect(opened.payloads().filter(asked => asked === path)).toHaveLength(1);
      const asked = opened.requests.slice(before).filter(request => request.url().includes(`/${chunk}-`));
      expect(asked, `${chunk} for ${path}`).toHaveLength(seen.has(chunk) ? 0 : 1);
      seen.add(chunk);
    }
    expect(opened.payloads()).toHaveLength(stops.length);
    expect(opened.documents()).toEqual(['/']);
  });

  it('brings the head along: title, description, canonical address, og:url', async () => {
    const opened = await open('/', { ignore: ABORTED });
    const read = () =>
      opened.page.evaluate(() => ({
        title: document.title,
        description: document.querySelector('meta[name="description"]')?.getAttribute('content'),
        canonical: document.querySelector('link[rel="canonical"]')?.getAttribute('href'),
        url: document.querySelector('meta[property="og:url"]')?.getAttribute('content'),
        shared: document.querySelector('meta[property="og:title"]')?.getAttribute('content'),
        count: document.querySelectorAll(
          'title, meta[name="description"], link[rel="canonical"], meta[property="og:url"]',
        ).length,
      }));
    const home = await read();
    for (const path of ['/about', ARTICLE, '/contacts']) {
      await opened.go(path === ARTICLE ? '/blog' : path);
      if (path === ARTICLE) {
        await opened.go('/blog/guides');
        await opened.go(ARTICLE);
      }
      const navigated = await read();
      await opened.page.reload();
      await hydrated(opened.page);
      expect(navigated).toEqual(await read());
      expect(navigated.canonical).toBe(site.url + path);
      expect(navigated.url).toBe(site.url + path);
      expect(navigated.title).not.toBe(home.title);
      expect(navigated.count).toBe(4);
    }
  });

  it('moves the focus to the new heading and announces the page', async () => {
    const opened = await open();
    const region = opened.page.locator('body > [role="status"]');
    expect(await region.textContent()).toBe('');
    await opened.go('/about');
    expect(await focused(opened.page)).toBe('h1 A short way between two accounts');
    expect(await region.textContent()).toBe(await opened.page.title());
    await opened.go('/blog');
    expect(await focused(opened.page)).toBe(`h1 ${await heading(opened.page).textContent()}`);
    expect(await region.textContent()).toBe(await opened.page.title());
  });

  it('shows that it is pending, on the page and on the link; the old page stays', async () => {
    const opened = await open();
    const { page } = opened;
    const title = await heading(page).textContent();
    site.hold('/about');
    const link = opened.link('/about');
    await link.click();
    await held('/about');
    expect(await page.locator('#root').getAttribute('aria-busy')).toBe('true');
    expect(await page.locator('a.is-pending').count()).toBe(1);
    expect(await link.getAttribute('class')).toContain('is-pending');
    expect(await heading(page).textContent()).toBe(title);
    expect(new URL(page.url()).pathname).toBe('/');
    site.release('/about');
    await opened.arrived('/about');
    expect(await page.locator('a.is-pending').count()).toBe(0);
    expect(await heading(page).textContent()).not.toBe(title);
  });

  it('that is superseded is given up, its request too, and changes nothing', async () => {
    const opened = await open('/', { ignore: ABORTED });
    const { page } = opened;
    const before = await entries(page);
    const earlier = site.payloads('/about').length;
    site.hold('/about');
    site.hold('/contacts');
    await opened.link('/about').click();
    await held('/about');
    await opened.link('/contacts').click();
    await eventually(() => expect(site.payloads('/about').slice(earlier)).toMatchObject([{ status: 499 }]));
    expect(
      await page.locator('a.is-pending').evaluateAll(links => links.map(link => link.getAttribute('href'))),
    ).toEqual(['/contacts']);
    site.release('/contacts');
    await opened.arrived('/contacts');
    site.release('/about');
    await eventually(() => expect(site.waiting('/about')).toBe(0));
    await settled(page);
    expect(await heading(page).textContent()).toBe('Tell us about one payment');
    expect(page.url()).toBe(`${site.url}/contacts`);
    expect(await entries(page)).toBe(before + 1);
    expect(await page.locator('a.is-pending').count()).toBe(0);
    await page.goBack();
    await opened.arrived('/');
  });

  it('a burst of ten ends at the last target, with one page and one entry of the history', async () => {
    const opened = await open('/', { ignore: ABORTED });
    const { page } = opened;
    const before = await entries(page);
    const targets = [
      '/about',
      '/blog',
      '/contacts',
      '/about',
      '/blog',
      '/contacts',
      '/about',
      '/blog',
      '/about',
      '/contacts',
    ];
    await page.evaluate(async hrefs => {
      for (const [index, href] of hrefs.entries()) {
        document.querySelector<HTMLElement>(`a[href="${href}"]`)?.click();
        // Some within a frame of each other, some with the payload under way.
        if (index % 3 === 2) await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
      }
    }, targets);
    await opened.arrived('/contacts');
    await settled(page);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.locator('main').count()).toBe(1);
    expect(await heading(page).textContent()).toBe('Tell us about one payment');
    // A navigation that was through before the next press has an entry of its own: all but those were given up.
    const through = (await entries(page)) - before;
    expect(through).toBeGreaterThanOrEqual(1);
    expect(through).toBeLessThanOrEqual(4);
    await page.evaluate(by => history.go(by), -through);
    await opened.arrived('/');
  });

  it('presses at once: nothing is asked for that nobody will see', async () => {
    const opened = await open('/', { ignore: ABORTED });
    const before = await entries(opened.page);
    await opened.page.evaluate(() => {
      for (const href of [
        '/about',
        '/blog',
        '/about',
        '/blog',
        '/about',
        '/blog',
        '/about',
        '/blog',
        '/about',
        '/contacts',
      ]) {
        document.querySelector<HTMLElement>(`a[href="${href}"]`)?.click();
      }
    });
    await opened.arrived('/contacts');
    expect(opened.payloads()).toEqual(['/contacts']);
    expect(await entries(opened.page)).toBe(before + 1);
  });

  it('that fails shows the error page, and its second try takes its place', async () => {
    const opened = await open('/', { ignore: /status of 503/ });
    const { page } = opened;
    await page.route('**/about/_payload.json*', route => route.fulfill({ status: 503, body: 'busy' }));
    await opened.go('/about');
    expect(await heading(page).textContent()).toBe('Internal Server Error');
    expect(await page.title()).toBe('Internal Server Error – Corridor');
    expect(await page.locator('main').textContent()).toContain('Service Unavailable');
    expect(await focused(page)).toBe('h1 Internal Server Error');
    expect(await page.locator('nav[aria-label="Footer"]').count()).toBe(1);
    await page.unrouteAll();
    site.hold('/about');
    await page.getByRole('link', { name: 'Try again' }).click();
    await held('/about');
    expect(await page.locator('#root').getAttribute('aria-busy')).toBe('true');
    site.release('/about');
    await opened.arrived('/about');
    expect(await heading(page).textContent()).toBe('A short way between two accounts');
    expect(await page.title()).toContain('About Corridor');
    expect(await page.locator('meta[name="robots"]').count()).toBe(0);
    expect(await focused(page)).toBe('h1 A short way between two accounts');
    expect(opened.documents()).toEqual(['/']);
  });

  it('whose answer breaks off in the middle is an error of the connection, not of the page', async () => {
    const opened = await open('/', { ignore: /ERR_/ });
    await opened.page.evaluate(() => {
      const request = window.fetch;
      window.fetch = async (...input) => {
        const { headers } = await request(...input);
        const body = new ReadableStream({ start: stream => stream.error(new TypeError('network error')) });
        return new Response(body, { headers });
      };
    });
    await opened.go('/about');
    expect(await heading(opened.page).textContent()).toBe('Internal Server Error');
    expect(opened.documents()).toEqual(['/']);
  });

  it('with a hash that the page has not shows its top', async () => {
    const opened = await open('/links');
    await opened.page.evaluate(() => {
      const link = [...document.querySelectorAll('a')].find(({ hash }) => hash === '#no-such-place');
      link?.click();
    });
    await opened.arrived('/about');
    expect(await scrollY(opened.page)).toBe(0);
    expect(await focused(opened.page)).toBe('h1 A short way between two accounts');
  });
});

describe('the wait before a navigation', () => {
  it('is the next paint', async () => {
    const opened = await openInStillTime();
    const { page } = opened;
    await press(opened, '/about');
    await settledRequests(opened);
    expect(opened.payloads()).toEqual([]);
    expect(await page.locator('a.is-pending').count()).toBe(1);
    await page.clock.runFor(17);
    await eventually(() => expect(opened.payloads()).toEqual(['/about']));
  });

  it(`is ${NAVIGATION_DELAY_MS} ms where nothing is painted, as in a hidden tab`, async () => {
    const opened = await openInStillTime();
    const { page } = opened;
    await page.evaluate(() => {
      window.requestAnimationFrame = () => 0;
    });
    await press(opened, '/about');
    await page.clock.runFor(NAVIGATION_DELAY_MS - 1);
    await settledRequests(opened);
    expect(opened.payloads()).toEqual([]);
    await page.clock.runFor(1);
    await eventually(() => expect(opened.payloads()).toEqual(['/about']));
  });

  /** A request that the page had made by now would have been seen before one that is made after it. */
  async function settledRequests({ page, requests }: Visitor): Promise<void> {
    await page.evaluate(() => fetch('/robots.txt').then(response => response.text()));
    expect(requests.some(request => request.url().endsWith('/robots.txt'))).toBe(true);
  }
});

describe('the loading indicator', () => {
  it('comes after 200 ms, is 3 px high, and goes 500 ms after the end', async () => {
    const opened = await openInStillTime();
    const { page } = opened;
    site.hold('/about');
    await press(opened, '/about');
    await page.clock.runFor(199);
    await held('/about');
    expect(await indicator(page)).toEqual({ active: false, done: false, height: '3px' });
    await page.clock.runFor(1);
    expect(await indicator(page)).toEqual({ active: true, done: false, height: '3px' });
    await page.clock.runFor(5_000);
    expect(await indicator(page)).toMatchObject({ active: true, done: false });
    site.release('/about');
    await opened.page.waitForFunction(() => !document.querySelector('#root[aria-busy]'), null, {
      polling: 20,
    });
    expect(await indicator(page)).toMatchObject({ active: true, done: true });
    await page.clock.runFor(499);
    expect(await indicator(page)).toMatchObject({ active: true, done: true });
    await page.clock.runFor(1);
    expect(await indicator(page)).toMatchObject({ active: false, done: false });
  });

  it('does not come for a navigation of less than that', async () => {
    const opened = await openInStillTime();
    const { page } = opened;
    site.hold('/about');
    await press(opened, '/about');
    await page.clock.runFor(150);
    await held('/about');
    site.release('/about');
    await opened.page.waitForFunction(() => !document.querySelector('#root[aria-busy]'), null, {
      polling: 20,
    });
    await page.clock.runFor(1_000);
    expect(await indicator(page)).toMatchObject({ active: false, done: false });
  });

  it.each([
    [
      'an error',
      (page: Page) =>
        page.route('**/about/_payload.json*', route => route.fulfill({ status: 500, body: 'no' })),
    ],
    ['a broken connection', (page: Page) => page.route('**/about/_payload.json*', route => route.abort())],
  ])('ends after %s', async (_what, break_) => {
    const opened = await openInStillTime('/', { ignore: /status of 500|ERR_FAILED/ });
    const { page } = opened;
    let answer = () => {};
    const answered = new Promise<void>(resolve => {
      answer = resolve;
    });
    await break_(page);
    await page.route('**/about/_payload.json*', async route => {
      await answered;
      await route.fallback();
    });
    await press(opened, '/about');
    await page.clock.runFor(200);
    expect(await indicator(page)).toMatchObject({ active: true, done: false });
    answer();
    await opened.arrived('/about');
    expect(await heading(page).textContent()).toBe('Internal Server Error');
    await page.clock.runFor(500);
    expect(await indicator(page)).toMatchObject({ active: false, done: false });
  });

  it('ends when the navigation is given up for a place on the same page', async () => {
    const opened = await openInStillTime('/', { ignore: ABORTED });
    const { page } = opened;
    site.hold('/about');
    await press(opened, '/about');
    await page.clock.runFor(200);
    expect(await indicator(page)).toMatchObject({ active: true });
    await press(opened, '#content');
    await page.clock.runFor(500);
    expect(await indicator(page)).toMatchObject({ active: false, done: false });
    expect(await page.locator('#root').getAttribute('aria-busy')).toBeNull();
    expect(page.url()).toBe(`${site.url}/#content`);
  });

  it('never comes while a page is coming alive, however long that takes', async () => {
    const opened = await open('/', {
      prepare: async page => {
        await page.addInitScript(() => {
          const seen: string[] = [];
          Object.assign(window, { seen });
          new MutationObserver(changes => {
            for (const { target } of changes) {
              if (target instanceof Element && target.matches('.el-loading-indicator'))
                seen.push(target.className);
            }
          }).observe(document, { subtree: true, attributes: true, attributeFilter: ['class'] });
        });
        await page.route('**/assets/home-page-*.js', async route => {
          await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 300)));
          await route.continue();
        });
      },
    });
    expect(await indicator(opened.page)).toMatchObject({ active: false, done: false });
    expect(await opened.page.evaluate(() => Reflect.get(window, 'seen'))).toEqual([]);
  });
});

describe('what stays the browser’s own', () => {
  it.each([
    ['with Control', { modifiers: ['Control' as const] }],
    ['with Shift', { modifiers: ['Shift' as const] }],
    ['of the middle button', { button: 'middle' as const }],
  ])('a click %s opens the page elsewhere', async (_what, click) => {
    const opened = await open();
    const elsewhere = opened.context.waitForEvent('page');
    await opened.link('/about').click(click);
    const other = await elsewhere;
    await other.waitForURL(`${site.url}/about`, { waitUntil: 'commit' });
    // A navigation of the app's would have begun with the click.
    expect(await opened.page.locator('#root[aria-busy], a.is-pending').count()).toBe(0);
    expect(opened.page.url()).toBe(`${site.url}/`);
    expect(opened.payloads()).toEqual([]);
  });

  it.each([
    ['target=_blank', { target: '_blank', href: '/about' }],
    ['target=_blank with a hash', { target: '_blank', href: '#content' }],
  ])('%s', async (_what, attributes) => {
    const opened = await open();
    await addLink(opened, attributes);
    const elsewhere = opened.context.waitForEvent('page');
    await opened.page.click('#added');
    const other = await elsewhere;
    await other.waitForURL(new URL(attributes.href, `${site.url}/`).href, { waitUntil: 'commit' });
    expect(opened.page.url()).toBe(`${site.url}/`);
    expect(opened.payloads()).toEqual([]);
  });

  it('a download', async () => {
    const opened = await open('/', { ignore: ABORTED });
    await addLink(opened, { href: '/about', download: 'about.html' });
    const [download] = await Promise.all([opened.page.waitForEvent('download'), opened.page.click('#added')]);
    expect(download.suggestedFilename()).toBe('about.html');
    expect(opened.page.url()).toBe(`${site.url}/`);
    expect(opened.payloads()).toEqual([]);
  });

  it('a link to another site', async () => {
    const opened = await open('/links', {
      ignore: ABORTED,
      prepare: page => page.route('https://outside.example/', route => route.fulfill({ body: 'Outside' })),
    });
    await opened.link('https://outside.example/').click();
    await opened.page.waitForURL('https://outside.example/');
    expect(opened.payloads()).toEqual([]);
  });

  /** A link as a custom script of the settings could make it. */
  function addLink({ page }: Visitor, attributes: Record<string, string>): Promise<void> {
    return page.evaluate(given => {
      const link = document.createElement('a');
      for (const [name, value] of Object.entries(given)) link.setAttribute(name, value);
      link.id = 'added';
      link.textContent = 'Added';
      document.querySelector('main')?.prepend(link);
    }, attributes);
  }
});

describe('a link with a hash', () => {
  it('within the page scrolls to its target, below the header, asks for nothing, and back leads back', async () => {
    const opened = await open(ARTICLE);
    const { page } = opened;
    await page.evaluate(() => scrollTo(0, 120));
    const before = await entries(page);
    const link = page.locator('nav[aria-label="On this page"] a').nth(1);
    const hash = (await link.getAttribute('href')) ?? '';
    await press(opened, hash);
    await page.waitForURL(`${site.url}${ARTICLE}${hash}`);
    const target = page.locator(`[id="${decodeURIComponent(hash.slice(1))}"]`);
    await expectBelowHeader(page, hash);
    await eventually(async () =>
      expect(await target.evaluate(element => element === document.activeElement)).toBe(true),
    );
    expect(await entries(page)).toBe(before + 1);
    const there = await scrollY(page);
    expect(there).toBeGreaterThan(200);
    await page.goBack();
    await eventually(async () => expect(await scrollY(page)).toBe(120));
    await page.goForward();
    await eventually(async () => expect(await scrollY(page)).toBe(there));
    expect(opened.documents()).toEqual([ARTICLE]);
    expect(opened.payloads()).toEqual([]);
    expect(await page.locator('body > [role="status"]').textContent()).toBe('');
  });

  it('pressed twice makes one entry', async () => {
    const opened = await open(ARTICLE);
    const before = await entries(opened.page);
    const link = opened.page.locator('nav[aria-label="On this page"] a').nth(1);
    await link.click();
    await opened.page.evaluate(() => scrollTo(0, 0));
    await link.click();
    await expectBelowHeader(opened.page, (await link.getAttribute('href')) ?? '');
    expect(await entries(opened.page)).toBe(before + 1);
  });

  it('to another page scrolls to its target there, and the keyboard goes on from it', async () => {
    const opened = await open('/links');
    const { page } = opened;
    await opened.go('/contacts#contacts', '/contacts');
    expect(page.url()).toBe(`${site.url}/contacts#contacts`);
    await expectBelowHeader(page, '#contacts');
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('contacts'),
    );
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('#contacts') !== null)).toBe(true);
    expect(await page.locator('#contacts').getAttribute('tabindex')).toBeNull();
  });

  it('that a page is opened with is respected', async () => {
    const opened = await open('/contacts#contacts');
    await expectBelowHeader(opened.page, '#contacts');
  });

  /** The compact header is 3.75rem high; what is scrolled to stands below it, with its scroll margin, and not far. */
  async function expectBelowHeader(page: Page, hash: string): Promise<void> {
    const id = decodeURIComponent(hash.slice(1));
    await eventually(async () => {
      const top = await page.locator(`[id="${id}"]`).evaluate(element => element.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(60);
      expect(top).toBeLessThan(240);
    });
  }
});

describe('back and forward', () => {
  it('return to where the page was left', async () => {
    const opened = await open();
    const { page } = opened;
    await scrollTo(page, 1_500);
    await press(opened, '/about');
    await opened.arrived('/about');
    expect(await scrollY(page)).toBe(0);
    await scrollTo(page, 300);
    await page.goBack();
    await opened.arrived('/');
    expect(await scrollY(page)).toBe(1_500);
    await page.goForward();
    await opened.arrived('/about');
    expect(await scrollY(page)).toBe(300);
  });

  it('do so over a reload in between, and after it the page itself is where it was', async () => {
    const opened = await open('/', { ignore: ABORTED });
    const { page } = opened;
    await scrollTo(page, 1_500);
    await press(opened, '/about');
    await opened.arrived('/about');
    await scrollTo(page, 300);
    await page.reload();
    await hydrated(page);
    await eventually(async () => expect(await scrollY(page)).toBe(300));
    await page.goBack();
    await opened.arrived('/');
    await eventually(async () => expect(await scrollY(page)).toBe(1_500));
    await page.goForward();
    await opened.arrived('/about');
    await eventually(async () => expect(await scrollY(page)).toBe(300));
  });

  it('do so after a full load of another page', async () => {
    const opened = await open('/', { ignore: ABORTED });
    const { page } = opened;
    await scrollTo(page, 1_500);
    await page.goto(`${site.url}/about`);
    await hydrated(page);
    await page.goBack();
    await opened.arrived('/');
    await eventually(async () => expect(await scrollY(page)).toBe(1_500));
  });

  it('know two visits of one page apart', async () => {
    const opened = await open('/blog/guides');
    const { page } = opened;
    await scrollTo(page, 400);
    await press(opened, ARTICLE);
    await opened.arrived(ARTICLE);
    await press(opened, '/blog/guides');
    await opened.arrived('/blog/guides');
    await scrollTo(page, 200);
    await press(opened, '/about');
    await opened.arrived('/about');
    await page.goBack();
    await opened.arrived('/blog/guides');
    expect(await scrollY(page)).toBe(200);
    await page.goBack();
    await opened.arrived(ARTICLE);
    await page.goBack();
    await opened.arrived('/blog/guides');
    expect(await scrollY(page)).toBe(400);
  });

  async function scrollTo(page: Page, y: number): Promise<void> {
    await page.evaluate(to => window.scrollTo(0, to), y);
    expect(await scrollY(page)).toBe(y);
  }
});

describe('with the keyboard alone', () => {
  it('a link is reached, followed, and the way goes on in the new page', async () => {
    const opened = await open();
    const { page } = opened;
    const onLink = () => page.evaluate(() => document.activeElement?.getAttribute('href') === '/about');
    for (let step = 0; step < 20 && !(await onLink()); step++) await page.keyboard.press('Tab');
    expect(await onLink()).toBe(true);
    await page.keyboard.press('Enter');
    await opened.arrived('/about');
    expect(await focused(page)).toBe('h1 A short way between two accounts');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  });

  it('the skip link leads into the page', async () => {
    const opened = await open('/about');
    await opened.page.keyboard.press('Tab');
    expect(await focused(opened.page)).toBe('a Skip to content');
    await opened.page.keyboard.press('Enter');
    await opened.page.waitForURL(/#content$/);
    await eventually(async () =>
      expect(await opened.page.evaluate(() => document.activeElement?.id)).toBe('content'),
    );
  });
});

describe('the browser’s back/forward cache', () => {
  it('is not blocked: no listener, no answer and no connection stands in its way', async () => {
    const opened = await open('/', {
      prepare: page =>
        page.addInitScript(() => {
          const types: string[] = [];
          Object.assign(window, { types });
          const add = EventTarget.prototype.addEventListener;
          EventTarget.prototype.addEventListener = function (
            this: EventTarget,
            ...input: Parameters<typeof add>
          ) {
            types.push(input[0]);
            add.apply(this, input);
          };
        }),
    });
    await opened.go('/about');
    const types = await opened.page.evaluate(() => Reflect.get(window, 'types') as string[]);
    expect(types).toContain('pagehide');
    expect(types.filter(type => type === 'unload' || type === 'beforeunload')).toEqual([]);
    expect(await opened.page.evaluate(() => [window.onunload, window.onbeforeunload])).toEqual([null, null]);
    for (const { id } of routeTable) {
      const { headers } = await sendRequest(site.url, SAMPLE_PATHS[id]);
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    }
  });
});
