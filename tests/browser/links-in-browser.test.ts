import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { STILL } from '../support/browser.ts';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';
import { ABORTED, entries, focused, press, scrollY } from '../support/page-facts.ts';
import { SAMPLE_PATHS, SMALL_PATH } from '../support/sample-paths.ts';
import type { Visitor } from '../support/visitor.ts';

const it = stageTest
  .extend(
    'stageOptions',
    { scope: 'file' },
    {
      pages: {
        links: `${'Text.\n\n'.repeat(60)}[Form](/contacts#contacts) [Nowhere](/about#no-such-place) [Outside](https://outside.example/)`,
        left: 'This one stays.',
      },
    },
  )
  .extend('visitorOptions', { scope: 'file' }, { context: STILL });

const ARTICLE = SAMPLE_PATHS['blog-article'];

describe('the browser handles', () => {
  const CLICKS: [string, Parameters<Locator['click']>[0]][] = [
    ['with Control', { modifiers: ['Control' as const] }],
    ['of the middle button', { button: 'middle' as const }],
    ['with Shift', { modifiers: ['Shift' as const] }],
  ];
  it.for(some(CLICKS, 1))(
    'the browser, not the app, handles a click %s',
    async ([_what, click], { site, open }) => {
      const opened = await open();
      const before = site.requests('/about').length;
      await opened.link('/about').click(click);
      // Read the site's log, because Playwright may report a page in the background late.
      await eventually(() => expect(site.requests('/about')).toHaveLength(before + 1));
      // The app has begun no navigation.
      expect(await opened.page.locator('#root[aria-busy], a.is-pending').count()).toBe(0);
      expect(opened.page.url()).toBe(site.url + SMALL_PATH);
      expect(opened.payloads()).toEqual([]);
    },
  );

  const TARGETS = [
    ['target=_blank', { target: '_blank', href: '/about' }],
    ['target=_blank with a hash', { target: '_blank', href: '#content' }],
  ] as const;
  it.for(some(TARGETS, 1))(
    'the browser, not the app, handles %s',
    async ([_what, attributes], { site, open }) => {
      const opened = await open();
      await addLink(opened, attributes);
      const elsewhere = opened.context.waitForEvent('page');
      await opened.page.click('#added');
      const other = await elsewhere;
      await other.waitForURL(new URL(attributes.href, site.url + SMALL_PATH).href, { waitUntil: 'commit' });
      expect(opened.page.url()).toBe(site.url + SMALL_PATH);
      expect(opened.payloads()).toEqual([]);
    },
  );

  it('the browser, not the app, handles a download', async ({ site, open }) => {
    const opened = await open(SMALL_PATH, { ignore: ABORTED });
    await addLink(opened, { href: '/about', download: 'about.html' });
    const [download] = await Promise.all([opened.page.waitForEvent('download'), opened.page.click('#added')]);
    expect(download.suggestedFilename()).toBe('about.html');
    expect(opened.page.url()).toBe(site.url + SMALL_PATH);
    expect(opened.payloads()).toEqual([]);
  });

  it('the browser, not the app, handles a link to another site', async ({ open }) => {
    const opened = await open('/links', {
      ignore: ABORTED,
      prepare: page => page.route('https://outside.example/', route => route.fulfill({ body: 'Outside' })),
    });
    await opened.link('https://outside.example/').click();
    await opened.page.waitForURL('https://outside.example/');
    expect(opened.payloads()).toEqual([]);
  });

  /** Adds a link as a custom script could. */
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
  it('a hash link within the page scrolls its target below the header without a request, and Back returns', async ({
    site,
    open,
  }) => {
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

  if (inFull) {
    it('a hash link followed twice makes one history entry', async ({ open }) => {
      const opened = await open(ARTICLE);
      const before = await entries(opened.page);
      const link = opened.page.locator('nav[aria-label="On this page"] a').nth(1);
      await link.click();
      await opened.page.evaluate(() => scrollTo(0, 0));
      await link.click();
      await expectBelowHeader(opened.page, (await link.getAttribute('href')) ?? '');
      expect(await entries(opened.page)).toBe(before + 1);
    });
  }

  it('a hash link to another page scrolls to its target, and keyboard focus continues there', async ({
    site,
    open,
  }) => {
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

  it('a first load scrolls to the target of the hash in its address', async ({ open }) => {
    const opened = await open('/contacts#contacts');
    await expectBelowHeader(opened.page, '#contacts');
  });

  /** Expects the target below the compact header (3.75rem), at the distance of its scroll margin. */
  async function expectBelowHeader(page: Page, hash: string): Promise<void> {
    const id = decodeURIComponent(hash.slice(1));
    await eventually(async () => {
      const top = await page.locator(`[id="${id}"]`).evaluate(element => element.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(60);
      expect(top).toBeLessThan(240);
    });
  }
});

describe('with the keyboard alone', () => {
  it('a link can be followed by keyboard, and focus continues in the new page', async ({ open }) => {
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

  it('the skip link moves the focus into the page', async ({ open }) => {
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
