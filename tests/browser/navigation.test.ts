import { describe, expect } from 'vitest';
import { routeTable } from '../../shared/routing/routes.ts';
import { hydrated } from '../support/browser.ts';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';
import { ABORTED, entries, focused, heading, scrollY } from '../support/page-facts.ts';
import { SAMPLE_PATHS, SMALL_PATH } from '../support/sample-paths.ts';
import { settled } from '../support/visitor.ts';

const it = stageTest.extend(
  'stageOptions',
  { scope: 'file' },
  {
    pages: {
      links: `${'Text.\n\n'.repeat(60)}[Form](/contacts#contacts) [Nowhere](/about#no-such-place) [Outside](https://outside.example/)`,
    },
  },
);

const ARTICLE = SAMPLE_PATHS['blog-article'];

describe('a navigation', () => {
  it('a navigation requests the payload once, and the route’s chunk only if it is new', async ({ open }) => {
    const opened = await open();
    const chunks = () =>
      opened.requests
        .flatMap(
          request =>
            new URL(request.url()).pathname.match(/^\/assets\/(.+?)(?:-page)?-\w{8}\.js$/)?.[1] ?? [],
        )
        .filter(name => routeTable.some(({ id }) => id === name));
    expect(new Set(chunks())).toEqual(new Set(['commerce']));
    const stops: [path: string, chunk: string][] = [
      [SAMPLE_PATHS.page, 'page'],
      ['/contacts', 'page'],
      [SAMPLE_PATHS['business-solution'], 'business-solution'],
      [SAMPLE_PATHS.blog, 'blog'],
      [SAMPLE_PATHS['blog-category'], 'blog-category'],
      [ARTICLE, 'blog-article'],
      [SAMPLE_PATHS.home, 'home'],
    ];
    const seen = new Set(['commerce']);
    const tour = inFull ? stops : stops.slice(0, 3);
    for (const [path, chunk] of tour) {
      const before = opened.requests.length;
      await opened.go(path);
      expect(opened.payloads().filter(asked => asked === path)).toHaveLength(1);
      const asked = opened.requests.slice(before).filter(request => request.url().includes(`/${chunk}-`));
      expect(asked, `${chunk} for ${path}`).toHaveLength(seen.has(chunk) ? 0 : 1);
      seen.add(chunk);
    }
    expect(opened.payloads()).toHaveLength(tour.length);
    expect(opened.documents()).toEqual([SMALL_PATH]);
  });

  it('a navigation updates title, description, canonical address and og:url', async ({ site, open }) => {
    const opened = await open(SMALL_PATH, { ignore: ABORTED });
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
    const pictures = () => opened.page.locator('meta[property^="og:image"]').count();
    expect(await pictures()).toBe(5);
    for (const path of some(['/about', ARTICLE, '/contacts'], 1)) {
      await opened.go(path === ARTICLE ? '/blog' : path);
      if (path === ARTICLE) {
        await opened.go('/blog/guides');
        await opened.go(ARTICLE);
      }
      const navigated = await read();
      // The shared picture of the first page must not stay.
      expect(await pictures()).toBe(0);
      await opened.page.reload();
      await hydrated(opened.page);
      expect(navigated).toEqual(await read());
      expect(navigated.canonical).toBe(site.url + path);
      expect(navigated.url).toBe(site.url + path);
      expect(navigated.title).not.toBe(home.title);
      expect(navigated.count).toBe(4);
    }
  });

  it('a navigation moves the focus to the new heading and announces the page', async ({ open }) => {
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

  it('a navigation marks page and link as pending while the old page stays', async ({ site, open, held }) => {
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
    expect(new URL(page.url()).pathname).toBe(SMALL_PATH);
    site.release('/about');
    await opened.arrived('/about');
    expect(await page.locator('a.is-pending').count()).toBe(0);
    expect(await heading(page).textContent()).not.toBe(title);
  });

  it('a superseded navigation is cancelled with its request', async ({ site, open, held }) => {
    const opened = await open(SMALL_PATH, { ignore: ABORTED });
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
    await opened.arrived(SMALL_PATH);
  });

  it('a burst of ten navigations ends at the last target, with one page and at most four history entries', async ({
    open,
  }) => {
    const opened = await open(SMALL_PATH, { ignore: ABORTED });
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
        // Some clicks follow within a frame, and some while a payload is in flight.
        if (index % 3 === 2) await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
      }
    }, targets);
    await opened.arrived('/contacts');
    await settled(page);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.locator('main').count()).toBe(1);
    expect(await heading(page).textContent()).toBe('Tell us about one payment');
    // A navigation that ended before the next click has a history entry. Superseded navigations have none.
    const through = (await entries(page)) - before;
    expect(through).toBeGreaterThanOrEqual(1);
    expect(through).toBeLessThanOrEqual(4);
    await page.evaluate(by => history.go(by), -through);
    await opened.arrived(SMALL_PATH);
  });

  if (inFull) {
    it('ten navigations in one task request only the last target', async ({ open }) => {
      const opened = await open(SMALL_PATH, { ignore: ABORTED });
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
  }

  it('a failed navigation shows the error page, and a successful retry replaces it', async ({
    site,
    open,
    held,
  }) => {
    const opened = await open(SMALL_PATH, { ignore: /status of 503/ });
    const { page } = opened;
    await page.route('**/about/_payload.json*', route => route.fulfill({ status: 503, body: 'busy' }));
    await opened.go('/about');
    expect(await heading(page).textContent()).toBe('Internal Server Error');
    expect(await page.title()).toBe('Internal Server Error – Acme');
    expect(await page.locator('main').textContent()).toContain('Service Unavailable');
    expect(await focused(page)).toBe('h1 Internal Server Error');
    expect(await page.locator('nav[aria-label="Footer"]').count()).toBe(1);
    await page.unrouteAll();
    site.hold('/about');
    await page.getByRole('link', { name: 'Try again' }).click();
    await held('/about');
    expect(await page.locator('#root').getAttribute('aria-busy')).toBe('true');
    site.release('/about');
    await page.locator('main h1', { hasText: 'A short way between two accounts' }).waitFor();
    await opened.arrived('/about');
    expect(await page.title()).toContain('About Acme');
    expect(await page.locator('meta[name="robots"]').count()).toBe(0);
    expect(await focused(page)).toBe('h1 A short way between two accounts');
    expect(opened.documents()).toEqual([SMALL_PATH]);
  });

  it('a navigation whose response is cut off shows the error page without a full load', async ({ open }) => {
    const opened = await open(SMALL_PATH, { ignore: /ERR_/ });
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
    expect(opened.documents()).toEqual([SMALL_PATH]);
  });

  it('a navigation with an unknown hash shows the top of the page', async ({ open }) => {
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
