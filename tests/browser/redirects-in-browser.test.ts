import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { MAX_HOPS } from '../../shared/routing/redirects.ts';
import { STILL } from '../support/browser.ts';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { inFull } from '../support/in-full.ts';
import { ABORTED } from '../support/page-facts.ts';
import type { StageOptions } from '../support/stage.ts';
import { settled, type VisitorOptions } from '../support/visitor.ts';

const LINKS = [
  '/old-about',
  '/old-contacts#contacts',
  '/old-form#subscribe',
  '/articles/reading-a-fee-statement',
  '/About/',
  '/out',
  '/refused',
  '/moved',
  '/moved-out',
  '/broken',
  '/circle',
  '/left',
  '/business-solutions/forbidden',
];
const OUTSIDE = 'https://outside.example/landing';

const it = stageTest
  .extend(
    'stageOptions',
    { scope: 'file' },
    async (): Promise<StageOptions> => ({
      pages: {
        links: `${LINKS.map(href => `- [To ${href}](${href})`).join('\n')}\n\n${'Text.\n\n'.repeat(80)}`,
        left: 'This page may change its mind.',
      },
      redirects: [
        { from: '/old-about', to: '/about', statusCode: 301 },
        { from: '/old-contacts', to: '/contacts' },
        { from: '/old-form', to: '/contacts#contacts' },
        { from: '/articles/**', to: '/blog/guides/**', statusCode: 308 },
        { from: '/out', to: OUTSIDE, statusCode: 302 },
      ],
      route: route => {
        if (route.id === 'commerce') return { ...route, middleware: ['not-there'] };
        if (route.id !== 'business-solution') return route;
        return { ...route, validate: ({ slug }) => slug !== 'forbidden' };
      },
    }),
  )
  .extend('visitorOptions', { scope: 'file' }, { context: STILL, ignore: ABORTED })
  /** Opens the page of links, or another page, in a browser that can also reach the other site. */
  .extend('openLinks', async ({ open }) => (path = '/links', options: VisitorOptions = {}) => {
    return open(path, {
      ...options,
      prepare: page => page.route('https://outside.example/**', route => route.fulfill({ body: 'Outside' })),
    });
  });

const heading = (page: Page) => page.locator('main h1').first().textContent();
const entries = (page: Page) => page.evaluate(() => history.length);

describe('a redirect', () => {
  it('a redirect is followed in the app with two requests and one history entry', async ({ openLinks }) => {
    const opened = await openLinks();
    const before = await entries(opened.page);
    await opened.go('/old-about', '/about');
    expect(await heading(opened.page)).toBe('A short way between two accounts');
    expect(opened.payloads()).toEqual(['/old-about', '/about']);
    expect(opened.documents()).toEqual(['/links']);
    expect(await entries(opened.page)).toBe(before + 1);
    await opened.page.goBack();
    await opened.arrived('/links');
    await opened.page.goForward();
    await opened.arrived('/about');
  });

  if (inFull) {
    it('a redirect keeps the hash of the link', async ({ site, openLinks }) => {
      const opened = await openLinks();
      await opened.go('/old-contacts#contacts', '/contacts');
      expect(opened.page.url()).toBe(`${site.url}/contacts#contacts`);
      expect(await opened.page.evaluate(() => scrollY)).toBeGreaterThan(100);
    });
  }

  if (inFull) {
    it('the hash of a redirect replaces that of the link', async ({ site, openLinks }) => {
      const opened = await openLinks();
      await opened.go('/old-form#subscribe', '/contacts');
      expect(opened.page.url()).toBe(`${site.url}/contacts#contacts`);
    });
  }

  if (inFull) {
    it('a wildcard redirect appends the rest of the path', async ({ openLinks }) => {
      const opened = await openLinks();
      await opened.go('/articles/reading-a-fee-statement', '/blog/guides/reading-a-fee-statement');
      expect(opened.payloads()).toEqual([
        '/articles/reading-a-fee-statement',
        '/blog/guides/reading-a-fee-statement',
      ]);
      expect(opened.documents()).toEqual(['/links']);
    });
  }

  if (inFull) {
    it('a redirect to a canonical address is followed in the app', async ({ site, openLinks }) => {
      const opened = await openLinks();
      const before = await entries(opened.page);
      await opened.go('/About/', '/about');
      expect(opened.payloads()).toEqual(['/About', '/about']);
      expect(opened.page.url()).toBe(`${site.url}/about`);
      expect(await entries(opened.page)).toBe(before + 1);
    });
  }

  it('a redirect to another site is left to the browser', async ({ openLinks }) => {
    const opened = await openLinks();
    const before = await entries(opened.page);
    await opened.link('/out').click();
    await opened.page.waitForURL(OUTSIDE);
    expect(opened.payloads()).toEqual(['/out']);
    expect(await entries(opened.page)).toBe(before + 1);
    await opened.page.goBack();
    await opened.arrived('/links');
    expect(await heading(opened.page)).toBe('links');
  });

  it('Back to a page that now redirects replaces its history entry', async ({
    middlewareResults,
    openLinks,
  }) => {
    const opened = await openLinks();
    const { page } = opened;
    await opened.go('/left');
    await opened.go('/about');
    const before = await entries(page);
    middlewareResults['/left'] = { redirect: '/contacts' };
    await page.goBack();
    await opened.arrived('/contacts');
    expect(await entries(page)).toBe(before);
    await page.goForward();
    await opened.arrived('/about');
    await page.goBack();
    await opened.arrived('/contacts');
    await page.goBack();
    await opened.arrived('/links');
  });

  if (inFull) {
    it('the Back button leads to another site if the previous page now redirects there', async ({
      middlewareResults,
      openLinks,
    }) => {
      const opened = await openLinks();
      const { page } = opened;
      await opened.go('/left');
      await opened.go('/about');
      const before = await entries(page);
      middlewareResults['/left'] = { redirect: OUTSIDE };
      await page.goBack();
      await page.waitForURL(OUTSIDE);
      expect(await entries(page)).toBe(before);
      await page.goBack();
      await opened.arrived('/links');
    });
  }
});

describe('route middleware', () => {
  it('middleware that returns false keeps page, address, scroll position and focus', async ({
    site,
    middlewareResults,
    openLinks,
  }) => {
    middlewareResults['/refused'] = false;
    const opened = await openLinks();
    const { page } = opened;
    await page.evaluate(() => scrollTo(0, 40));
    const before = await entries(page);
    await opened.link('/refused').focus();
    const seen = await page.evaluate(() => scrollY);
    await page.keyboard.press('Enter');
    await eventually(() => expect(site.payloads('/refused')).toHaveLength(1));
    await opened.arrived('/links');
    await settled(page);
    expect(await heading(page)).toBe('links');
    expect(page.url()).toBe(`${site.url}/links`);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('/refused');
    expect(await page.evaluate(() => scrollY)).toBe(seen);
    expect(seen).toBeGreaterThan(0);
    expect(await page.locator('body > [role="status"]').textContent()).toBe('');
    expect(await entries(page)).toBe(before);
    expect(opened.payloads()).toEqual(['/refused']);
    expect(await page.locator('#root[aria-busy], a.is-pending').count()).toBe(0);
    await eventually(async () =>
      expect(await page.locator('.el-loading-indicator.is-active').count()).toBe(0),
    );
    // The next navigation works as usual.
    await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/about"]')?.click());
    await opened.arrived('/about');
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h1');
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await opened.arrived('/links');
    expect(await page.evaluate(() => scrollY)).toBe(seen);
  });

  it('middleware that returns false on Back keeps the current history entry', async ({
    site,
    middlewareResults,
    openLinks,
  }) => {
    const opened = await openLinks();
    const { page } = opened;
    await opened.go('/left');
    await opened.go('/about');
    await page.evaluate(() => scrollTo(0, 120));
    const before = await entries(page);
    middlewareResults['/left'] = false;
    const asked = site.payloads('/left').length;
    await page.goBack();
    await eventually(() => expect(site.payloads('/left')).toHaveLength(asked + 1));
    await opened.arrived('/about');
    await settled(page);
    expect(await heading(page)).toBe('A short way between two accounts');
    expect(await page.evaluate(() => scrollY)).toBe(120);
    expect(await entries(page)).toBe(before);
    delete middlewareResults['/left'];
    await page.goBack();
    await opened.arrived('/left');
    await page.goForward();
    await opened.arrived('/about');
    expect(await page.evaluate(() => scrollY)).toBe(120);
  });

  if (inFull) {
    it('a navigation begun while another one runs middleware continues when the middleware returns false', async ({
      middlewareResults,
      openLinks,
    }) => {
      middlewareResults['/refused'] = false;
      const opened = await openLinks();
      await opened.page.evaluate(() => {
        const request = window.fetch;
        window.fetch = async (...input) => {
          const response = await request(...input);
          const json = response.json.bind(response);
          response.json = async () => {
            const body: unknown = await json();
            if (response.url.includes('/refused/')) {
              setTimeout(() => document.querySelector<HTMLElement>('a[href="/about"]')?.click());
            }
            return body;
          };
          return response;
        };
        document.querySelector<HTMLElement>('a[href="/refused"]')?.click();
      });
      await opened.arrived('/about');
      expect(await heading(opened.page)).toBe('A short way between two accounts');
      expect(opened.payloads()).toEqual(['/refused', '/about']);
      await eventually(async () =>
        expect(await opened.page.evaluate(() => document.activeElement?.localName)).toBe('h1'),
      );
    });
  }

  if (inFull) {
    it('a redirect by middleware is followed with one history entry', async ({
      site,
      middlewareResults,
      openLinks,
    }) => {
      middlewareResults['/moved'] = { redirect: '/contacts#contacts' };
      const opened = await openLinks();
      const before = await entries(opened.page);
      await opened.go('/moved', '/contacts');
      expect(opened.page.url()).toBe(`${site.url}/contacts#contacts`);
      expect(opened.payloads()).toEqual(['/moved', '/contacts']);
      expect(await entries(opened.page)).toBe(before + 1);
    });
  }

  if (inFull) {
    it('a redirect by middleware may lead to another site', async ({ middlewareResults, openLinks }) => {
      middlewareResults['/moved-out'] = { redirect: OUTSIDE };
      const opened = await openLinks();
      await opened.link('/moved-out').click();
      await opened.page.waitForURL(OUTSIDE);
    });
  }

  it('middleware that redirects in a circle ends in the error page', async ({
    middlewareResults,
    openLinks,
  }) => {
    middlewareResults['/circle'] = { redirect: '/left' };
    middlewareResults['/left'] = { redirect: '/circle' };
    const opened = await openLinks();
    await opened.link('/circle').click();
    await opened.page.getByRole('heading', { name: 'Internal Server Error' }).waitFor();
    expect(await opened.page.locator('main').textContent()).toContain('Too Many Redirects');
    expect(opened.payloads()).toHaveLength(MAX_HOPS + 1);
    await opened.go('/about');
  });

  it('an error of middleware shows the error page with its status', async ({
    middlewareResults,
    openLinks,
  }) => {
    middlewareResults['/broken'] = Object.assign(new Error('Only for members.'), { statusCode: 403 });
    const opened = await openLinks('/links', { ignore: /status of 403/ });
    await opened.go('/broken');
    const text = await opened.page.locator('main').textContent();
    expect(text).toContain('403');
    expect(text).toContain('Only for members.');
    expect(opened.documents()).toEqual(['/links']);
    await opened.go('/about');
    expect(await heading(opened.page)).toBe('A short way between two accounts');
  });

  if (inFull) {
    it('an unknown middleware name shows the error page and blocks nothing', async ({ openLinks }) => {
      const opened = await openLinks('/links', { ignore: /status of 500/ });
      await opened.page.evaluate(() =>
        document.querySelector<HTMLElement>('a[href="/commerce/marketplaces"]')?.click(),
      );
      await opened.arrived('/commerce/marketplaces');
      expect(await opened.page.locator('main').textContent()).toContain(
        "Unknown route middleware: 'not-there'",
      );
      expect(await opened.page.locator('#root').getAttribute('aria-busy')).toBeNull();
    });
  }

  it('validate() that refuses the parameters shows Page Not Found', async ({ openLinks }) => {
    const opened = await openLinks();
    await opened.go('/business-solutions/forbidden');
    expect(await heading(opened.page)).toBe('Page Not Found');
    expect(await opened.page.locator('main').textContent()).toContain(
      'Page not found: /business-solutions/forbidden',
    );
    expect(await opened.page.title()).toContain('Page Not Found');
    await opened.page.evaluate(() =>
      document.querySelector<HTMLElement>('a[href="/business-solutions/payouts"]')?.click(),
    );
    await opened.arrived('/business-solutions/payouts');
  });
});
