import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { hydrated } from '../support/browser.ts';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { inFull } from '../support/in-full.ts';
import { ABORTED, press, scrollY } from '../support/page-facts.ts';
import { CONTENT_PATHS, SAMPLE_PATHS, SMALL_PATH } from '../support/sample-paths.ts';
import { sendRequest } from '../support/send-request.ts';

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

describe('back and forward', () => {
  it('Back and Forward restore the scroll position of the page', async ({ open }) => {
    const opened = await open('/links');
    const { page } = opened;
    await scrollTo(page, 1_500);
    await press(opened, '/about');
    await opened.arrived('/about');
    expect(await scrollY(page)).toBe(0);
    await scrollTo(page, 300);
    await page.goBack();
    await opened.arrived('/links');
    expect(await scrollY(page)).toBe(1_500);
    await page.goForward();
    await opened.arrived('/about');
    expect(await scrollY(page)).toBe(300);
  });

  it('Back and Forward restore the scroll position across a reload', async ({ open }) => {
    const opened = await open('/links', { ignore: ABORTED });
    const { page } = opened;
    await scrollTo(page, 1_500);
    await press(opened, '/about');
    await opened.arrived('/about');
    await scrollTo(page, 300);
    await page.reload();
    await hydrated(page);
    await eventually(async () => expect(await scrollY(page)).toBe(300));
    await page.goBack();
    await opened.arrived('/links');
    await eventually(async () => expect(await scrollY(page)).toBe(1_500));
    await page.goForward();
    await opened.arrived('/about');
    await eventually(async () => expect(await scrollY(page)).toBe(300));
  });

  if (inFull) {
    it('Back and Forward restore the scroll position after a full load of another page', async ({
      site,
      open,
    }) => {
      const opened = await open('/', { ignore: ABORTED });
      const { page } = opened;
      await scrollTo(page, 1_500);
      await page.goto(`${site.url}/about`);
      await hydrated(page);
      await page.goBack();
      await opened.arrived('/');
      await eventually(async () => expect(await scrollY(page)).toBe(1_500));
    });
  }

  it('Back and Forward keep separate scroll positions for two visits of one page', async ({ open }) => {
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

describe('the browser’s back/forward cache', () => {
  it('no listener, header or connection blocks the browser’s back/forward cache', async ({ site, open }) => {
    const opened = await open(SMALL_PATH, {
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
    for (const path of CONTENT_PATHS) {
      const { headers } = await sendRequest(site.url, path);
      expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=60');
    }
  });
});
