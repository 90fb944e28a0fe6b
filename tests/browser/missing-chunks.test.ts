import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { RELOAD_GUARD_WINDOW_MS } from '../../shared/constants.ts';
import { hydrated, openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';
import {
  answered,
  EXPECTED,
  newBuildTest as it,
  NEXT,
  refuseStorage,
  reloaded,
} from '../support/new-build-test.ts';
import { SMALL_PATH } from '../support/sample-paths.ts';
import { sendRequest } from '../support/send-request.ts';
import { settled } from '../support/visitor.ts';

describe('a payload', () => {
  it('a payload of another build causes a full load of its page', async ({ site, open }) => {
    const opened = await open('/links');
    await opened.page.route('**/contacts/_payload.json*', async route => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), buildId: NEXT.id, data: { strange: true } } });
    });
    // Each click causes one full load.
    const documents = ['/links'];
    for (let time = 0; time < (inFull ? 4 : 2); time++) {
      await opened.page.evaluate(() => document.querySelector<HTMLElement>('a[href^="/contacts?"]')?.click());
      documents.push('/contacts');
      await reloaded(opened, documents);
      expect(opened.page.url()).toBe(`${site.url}/contacts?from=links#contacts`);
      expect(await opened.page.locator('main h1').textContent()).toBe('Tell us about one payment');
      await opened.page.goBack();
      documents.push('/links');
      await reloaded(opened, documents);
    }
  });

  it('HTML of a sign-in page in place of a payload causes one full load, then an error page', async ({
    open,
  }) => {
    const opened = await open(SMALL_PATH);
    await opened.page.route('**/about/_payload.json*', route =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><title>Sign in to the airport</title>',
      }),
    );
    await opened.link('/about').click();
    await reloaded(opened, [SMALL_PATH, '/about']);
    expect(await opened.page.locator('main h1').textContent()).toBe('A short way between two accounts');
    await opened.go('/contacts');
    await opened.go('/about');
    expect(await opened.page.locator('main').textContent()).toContain('Bad Gateway');
    expect(opened.documents()).toEqual([SMALL_PATH, '/about']);
  });
});

describe('a missing chunk', () => {
  const withoutPageChunks = (page: Page) =>
    page.route('**/assets/page-*.js', route => route.fulfill({ status: 404, body: 'Not found' }));

  it('a missing chunk causes one full load, then the error page, and another full load once the reload guard expires', async ({
    open,
  }) => {
    const opened = await open(SMALL_PATH);
    const { page } = opened;
    await withoutPageChunks(page);
    await opened.link('/about').click();
    await eventually(() => expect(opened.documents()).toEqual([SMALL_PATH, '/about']));
    // The server-rendered page and its links stay.
    await page.getByRole('heading', { name: 'A short way between two accounts' }).waitFor();
    await opened.link(SMALL_PATH).click();
    await eventually(() => expect(opened.documents()).toEqual([SMALL_PATH, '/about', SMALL_PATH]));
    await eventually(() => hydrated(page));
    await opened.go('/about');
    expect(await page.locator('main h1').textContent()).toBe('Internal Server Error');
    expect(await page.title()).toBe('Internal Server Error – Acme');
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h1');
    expect(opened.documents()).toEqual([SMALL_PATH, '/about', SMALL_PATH]);
    await opened.go('/blog');
    await page.unrouteAll();
    await page.evaluate(passed => {
      const guards = Object.entries(
        JSON.parse(sessionStorage.getItem('site:reload') ?? '{}') as Record<string, number>,
      );
      const earlier = Object.fromEntries(guards.map(([guarded, until]) => [guarded, until - passed]));
      sessionStorage.setItem('site:reload', JSON.stringify(earlier));
    }, RELOAD_GUARD_WINDOW_MS);
    await opened.link('/about').click();
    await reloaded(opened, [SMALL_PATH, '/about', SMALL_PATH, '/about']);
  });

  it('a missing chunk of a cancelled navigation has no effect', async ({ open }) => {
    const opened = await open(SMALL_PATH);
    const { page } = opened;
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    await page.route('**/assets/page-*.js', async route => {
      await gone;
      await route.fulfill({ status: 404, body: 'Not found' });
    });
    await opened.link('/about').click();
    await eventually(() => expect(opened.payloads()).toEqual(['/about']));
    await opened.go('/blog');
    resolve();
    await eventually(() => expect(opened.requests.some(made => made.url().includes('/page-'))).toBe(true));
    await answered(opened);
    await settled(page);
    expect(opened.documents()).toEqual([SMALL_PATH]);
    expect(new URL(page.url()).pathname).toBe('/blog');
    expect(await page.evaluate(() => sessionStorage.getItem('site:reload'))).toBeNull();
  });

  const STORAGES = [
    ['where there is storage', async () => {}],
    ['where there is none', refuseStorage],
  ] as const;
  it.for(some(STORAGES, 1))(
    'a missing chunk of the first page causes one reload, after which the server’s page stays, %s',
    async ([_what, prepare], { browser, site }) => {
      const { page, context, complaints } = await openPage(browser, {}, EXPECTED);
      try {
        await prepare(page);
        await withoutPageChunks(page);
        let documents = 0;
        let failures = 0;
        page.on('request', made => {
          if (made.isNavigationRequest()) documents += 1;
        });
        page.on('pageerror', () => {
          failures += 1;
        });
        await page.goto(`${site.url}/about`);
        await eventually(() => expect(failures).toBe(1));
        await settled(page);
        expect(documents).toBe(2);
        expect(await page.locator('main h1').textContent()).toBe('A short way between two accounts');
        expect(complaints).toEqual([]);
      } finally {
        await context.close();
      }
    },
  );

  it('a missing chunk causes at most two full loads where the browser refuses storage', async ({ open }) => {
    const opened = await open(SMALL_PATH, { prepare: refuseStorage });
    await withoutPageChunks(opened.page);
    await opened.link('/about').click();
    await eventually(() => expect(opened.documents().length).toBeGreaterThanOrEqual(3));
    await opened.page.getByRole('heading', { name: 'A short way between two accounts' }).waitFor();
    await settled(opened.page);
    await settled(opened.page);
    // The target is loaded twice, because the guard could not be stored before the first load.
    expect(opened.documents()).toEqual([SMALL_PATH, '/about', '/about']);
  });

  it('a missing chunk is a 404 that is not cached', async ({ site }) => {
    for (const name of ['home-page-AAAAAAAA.js', 'site-AAAAAAAA.css', '..%2f..%2fmanifest.json']) {
      const answer = await sendRequest(site.url, `/assets/${name}`);
      expect([400, 404]).toContain(answer.status);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });
});
