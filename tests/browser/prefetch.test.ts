import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { MANIFEST_PREFETCH_DELAY_MS } from '../../shared/constants.ts';
import { STILL } from '../support/browser.ts';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { some } from '../support/in-full.ts';
import { ABORTED } from '../support/page-facts.ts';
import type { StageOptions } from '../support/stage.ts';
import { settled, type Visitor } from '../support/visitor.ts';

const TARGETS = Array.from({ length: 100 }, (_, index) => `/p-${index + 1}`);

const it = stageTest
  .extend('stageOptions', { scope: 'file' }, async (): Promise<StageOptions> => {
    // Text between the links keeps few of them in view, so that the byte limit also allows later ones.
    const list = TARGETS.map(href => `- [${href}](${href})\n\n  Words below the link.`).join('\n');
    // The first target has two links.
    return { pages: { many: `[Again](/p-1)\n\n${list}`, few: '[One](/p-1)' } };
  })
  .extend('visitorOptions', { scope: 'file' }, { ignore: ABORTED, prefetch: true, context: STILL });

const AT_ONCE = 4;

/** Holds all responses to prefetches of the targets. The test releases them one by one. */
class Turnstile {
  readonly waiting = new Map<string, Route>();
  most = 0;

  readonly install = (page: Page) =>
    page.route('**/_payload.json*', route => {
      const path = new URL(route.request().url()).pathname.replace('/_payload.json', '') || '/';
      this.waiting.set(path, route);
      this.most = Math.max(this.most, this.waiting.size);
    });

  /** Releases one response, by default the one that has waited longest. */
  async pass(path = [...this.waiting.keys()][0] ?? ''): Promise<void> {
    const route = this.waiting.get(path);
    if (!route) throw new Error(`Nothing waits for ${path}`);
    this.waiting.delete(path);
    await route.continue();
  }
}

/** Replaces the browser's information about its connection. */
const connection = (facts: Record<string, unknown>) => (page: Page) =>
  page.addInitScript(given => {
    Object.defineProperty(navigator, 'connection', { value: given, configurable: true });
  }, facts);

const targetsOf = (opened: Visitor) => opened.payloads().filter(path => path.startsWith('/p-'));
/** Releases the prefetches of the header's links until those of the list fill all slots. */
const fullOf = (turnstile: Turnstile) =>
  eventually(async () => {
    for (const path of turnstile.waiting.keys()) if (!path.startsWith('/p-')) await turnstile.pass(path);
    expect(turnstile.waiting.size).toBe(AT_ONCE);
  });

describe('links in view', () => {
  it('links in view are prefetched once, four at a time, and links below when they come into view', async ({
    open,
  }) => {
    const turnstile = new Turnstile();
    const opened = await open('/many', { prepare: turnstile.install });
    const { page } = opened;
    await fullOf(turnstile);
    await settled(page);
    expect(turnstile.waiting.size).toBe(AT_ONCE);
    const visible = await page
      .locator('main a')
      .evaluateAll(links => links.filter(link => link.getBoundingClientRect().top < innerHeight).length);
    expect(visible).toBeGreaterThan(AT_ONCE);
    await eventually(async () => {
      if (turnstile.waiting.size > 0) await turnstile.pass();
      expect(turnstile.waiting.size).toBe(0);
      // A prefetched link loads its chunks before its slot is free.
      for (let round = 0; round < 5; round++) await settled(page);
      expect(turnstile.waiting.size).toBe(0);
    }, 15_000);
    const first = targetsOf(opened);
    expect(first).toContain('/p-1');
    expect(new Set(first).size).toBe(first.length);
    expect(first.length).toBeGreaterThanOrEqual(visible - 4);
    expect(first.length).toBeLessThan(60);
    expect(first).not.toContain('/p-100');
    await page.locator('main a[href="/p-100"]').scrollIntoViewIfNeeded();
    await eventually(async () => {
      if (turnstile.waiting.size > 0) await turnstile.pass();
      expect(targetsOf(opened)).toContain('/p-100');
    }, 15_000);
    expect(turnstile.most).toBe(AT_ONCE);
  });

  it.for(some(['hover', 'focus', 'touch'], 1))(
    'a link under %s is prefetched before waiting links in view',
    async (trigger, { open }) => {
      const turnstile = new Turnstile();
      const opened = await open('/many', { prepare: turnstile.install });
      await fullOf(turnstile);
      const link = opened.page.locator('main a[href="/p-9"]');
      expect(turnstile.waiting.has('/p-9')).toBe(false);
      if (trigger === 'hover') await link.hover();
      else if (trigger === 'focus') await link.focus();
      else await link.dispatchEvent('touchstart');
      await settled(opened.page);
      expect(turnstile.waiting.size).toBe(AT_ONCE);
      const before = new Set(turnstile.waiting.keys());
      await eventually(async () => {
        const oldest = [...before].find(path => turnstile.waiting.has(path));
        if (oldest) await turnstile.pass(oldest);
        // The link under the pointer is prefetched even if the budget for links in view is spent.
        expect([...turnstile.waiting.keys()].find(path => !before.has(path))).toBeDefined();
      }, 10_000);
      expect([...turnstile.waiting.keys()].find(path => !before.has(path))).toBe('/p-9');
    },
  );

  it('prefetching skips links that have left the page', async ({ open }) => {
    const turnstile = new Turnstile();
    const opened = await open('/many', { prepare: turnstile.install });
    const { page } = opened;
    await fullOf(turnstile);
    const failed = new Set<string>();
    page.on('requestfailed', request =>
      failed.add(new URL(request.url()).pathname.replace('/_payload.json', '')),
    );
    const held = [...turnstile.waiting.keys()].filter(path => path.startsWith('/p-'));
    expect(held.length).toBeGreaterThan(0);
    await page.evaluate(() => {
      for (const link of document.querySelectorAll('main a')) link.remove();
    });
    await eventually(() => expect(failed).toEqual(new Set(held)));
    await settled(page);
    // No prefetch waits for these links.
    expect(targetsOf(opened)).toHaveLength(held.length);
  });
});

describe('prefetching leaves out', () => {
  it('only plain links are prefetched: no downloads, other windows, ports or sites, files and feeds', async ({
    site,
    open,
  }) => {
    const opened = await open('/few');
    await eventually(() => expect(targetsOf(opened)).toEqual(['/p-1']));
    await opened.page.evaluate(
      port => {
        const links: Record<string, string>[] = [
          { href: '/p-2', target: '_blank' },
          { href: '/p-3', download: '' },
          { href: `http://127.0.0.1:${port}/p-4` },
          { href: 'https://outside.example/p-5' },
          { href: '/uploads/cover-fees.svg' },
          { href: '/blog/feed.xml' },
          { href: '/sitemap.xml' },
          { href: '/few' },
          { href: '#content' },
          { href: '/p-6' },
        ];
        for (const attributes of links) {
          const link = document.createElement('a');
          for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
          link.textContent = 'A link ';
          document.querySelector('main h1')?.append(link);
          link.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
        }
      },
      Number(new URL(site.url).port) + 1,
    );
    await eventually(() => expect(targetsOf(opened)).toEqual(['/p-1', '/p-6']));
    await settled(opened.page);
    expect(opened.payloads().filter(path => /few|sitemap|feed|uploads|p-[2-5]/.test(path))).toEqual([]);
    expect(opened.requests.filter(request => /outside|:\d+\/p-4/.test(request.url()))).toEqual([]);
  });

  const CONNECTIONS = [
    [{ saveData: true, effectiveType: '4g' }, 0],
    [{ saveData: false, effectiveType: '2g' }, 0],
    [{ saveData: false, effectiveType: '3g' }, 1],
    [{ saveData: false, effectiveType: 'slow-2g' }, 0],
  ] as const;
  it.for(some(CONNECTIONS, 2))(
    'a connection of %o prefetches %i targets',
    async ([facts, count], { open }) => {
      const opened = await open('/few', { prepare: connection(facts) });
      const link = opened.page.locator('main a[href="/p-1"]');
      await link.scrollIntoViewIfNeeded();
      await settled(opened.page);
      await link.hover();
      await link.focus();
      await settled(opened.page);
      if (count > 0) await eventually(() => expect(targetsOf(opened)).toHaveLength(count));
      expect(targetsOf(opened)).toHaveLength(count);
      if (count === 0) expect(opened.payloads()).toEqual([]);
    },
  );
});

describe('the build manifest', () => {
  const manifests = (opened: Visitor) =>
    opened.requests.filter(request => request.url().includes('/builds/meta/'));
  const preloads = (page: Page) =>
    page
      .locator('head > link[rel="modulepreload"]')
      .evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''));

  /** The clock stops before the page loads. */
  const stillTime = async (page: Page) => {
    await page.clock.install({ time: 1_000_000_000 });
    await page.clock.pauseAt(1_000_001_000);
  };

  /** Counts how often the page has waited for idle time. */
  const countIdleWaits = (page: Page) =>
    page.addInitScript(() => {
      const wait = window.requestIdleCallback;
      const counted = Object.assign(window, { idleWaits: 0 });
      window.requestIdleCallback = (work, options) => {
        counted.idleWaits += 1;
        return wait(work, options);
      };
    });
  const idleWaits = (page: Page) =>
    page.evaluate(() => (window as Window & { idleWaits?: number }).idleWaits);

  it(`the build manifest is fetched ${MANIFEST_PREFETCH_DELAY_MS} ms after the page is idle, and lists chunks to preload`, async ({
    site,
    open,
  }) => {
    const opened = await open('/many', {
      prepare: async page => {
        await stillTime(page);
        await countIdleWaits(page);
      },
    });
    const { page } = opened;
    // The prefetch code is a separate chunk, which starts waiting later than the hydration.
    await eventually(async () => expect(await idleWaits(page)).toBe(2));
    const before = await preloads(page);
    await page.clock.runFor(MANIFEST_PREFETCH_DELAY_MS - 1);
    await settledByFetch(opened);
    expect(manifests(opened)).toEqual([]);
    // The page becomes idle shortly after the clock has stopped.
    await page.clock.runFor(101);
    await eventually(() => expect(manifests(opened)).toHaveLength(1));
    expect(new URL(manifests(opened)[0]?.url() ?? '').pathname).toBe(
      `/builds/meta/${site.site.manifest.id}.json`,
    );
    const [chunk = ''] = site.site.manifest.routes.blog;
    expect(before).not.toContain(chunk);
    await page.clock.resume();
    await eventually(async () => expect(await preloads(page)).toContain(chunk));
    await eventually(() =>
      expect(opened.requests.filter(request => request.url().endsWith(chunk))).toHaveLength(1),
    );
    await opened.go('/blog');
    expect(opened.requests.filter(request => request.url().endsWith(chunk))).toHaveLength(1);
    expect(manifests(opened)).toHaveLength(1);
  });

  it('the build manifest is not fetched on slow-2g', async ({ open }) => {
    const opened = await open('/few', {
      prepare: async page => {
        await connection({ effectiveType: 'slow-2g' })(page);
        await stillTime(page);
      },
    });
    await opened.page.clock.runFor(60_000);
    await settledByFetch(opened);
    expect(manifests(opened)).toEqual([]);
  });

  const FAILURES = [
    ['fails', 503, 'busy'],
    [
      'comes from a server that does not know the build',
      404,
      JSON.stringify({ error: true, statusCode: 404 }),
    ],
  ] as const;
  it.for(some(FAILURES, 1))(
    'the build manifest is fetched again when the response %s',
    async ([_what, status, body], { site, open }) => {
      let answers = 0;
      const opened = await open('/few', {
        ignore: /status of (?:503|404)|ERR_ABORTED/,
        prepare: async page => {
          await page.route('**/builds/meta/*', async route => {
            answers += 1;
            if (answers > 1) return route.fallback();
            await route.fulfill({ status, body });
          });
        },
      });
      await eventually(() => expect(answers).toBe(1));
      await eventually(async () => {
        await opened.page.mouse.move(0, 0);
        await opened.link('/blog').hover();
        expect(answers).toBe(2);
      });
      await eventually(async () =>
        expect(await preloads(opened.page)).toContain(site.site.manifest.routes.blog[0]),
      );
    },
  );

  async function settledByFetch({ page, requests }: Visitor): Promise<void> {
    await page.evaluate(() => fetch('/robots.txt').then(response => response.text()));
    expect(requests.some(request => request.url().endsWith('/robots.txt'))).toBe(true);
  }
});

describe('a prefetched target', () => {
  it('a prefetched target is fetched again only after a failure', async ({ open }) => {
    let answers = 0;
    const opened = await open('/few', {
      ignore: /status of 503|ERR_ABORTED/,
      prepare: page =>
        page.route('**/p-1/_payload.json*', async route => {
          answers += 1;
          if (answers === 1) return route.fulfill({ status: 503, body: 'busy' });
          await route.continue();
        }),
    });
    const link = opened.page.locator('main a[href="/p-1"]');
    const hover = async () => {
      await opened.page.mouse.move(0, 0);
      await link.hover();
    };
    await eventually(() => expect(answers).toBe(1));
    await eventually(async () => {
      await hover();
      expect(answers).toBe(2);
    });
    // The prefetch also waits for its chunks.
    await settled(opened.page);
    await eventually(async () =>
      expect(await opened.page.locator('head > link[rel="modulepreload"]').count()).toBeGreaterThan(3),
    );
    for (let time = 0; time < 5; time++) {
      await hover();
      await settled(opened.page);
    }
    expect(answers).toBe(2);
  });

  it('a prefetched target serves the next navigation without a request, and a later one revalidates it', async ({
    site,
    open,
  }) => {
    const opened = await open('/few');
    const before = site.payloads('/about').length;
    const statuses = () =>
      site
        .payloads('/about')
        .slice(before)
        .map(({ status }) => status);
    await opened.link('/about').hover();
    await eventually(() => expect(statuses()).toEqual([200]));
    // Requests get no answer here, so the page must come from the prefetch.
    site.hold('/about');
    await opened.go('/about');
    expect(await opened.page.locator('main h1').textContent()).toBe('A short way between two accounts');
    expect(site.waiting('/about')).toBe(0);
    site.release('/about');
    await opened.page.goBack();
    await opened.arrived('/few');
    await opened.go('/about');
    await eventually(() => expect(statuses()).toEqual([200, 304]));
    expect(await opened.page.locator('main h1').textContent()).toBe('A short way between two accounts');
  });

  it('a prefetch in flight serves the navigation without a second request', async ({ site, open }) => {
    const opened = await open('/few');
    const before = site.payloads('/contacts').length;
    site.hold('/contacts');
    await opened.link('/contacts').hover();
    await eventually(() => expect(site.waiting('/contacts')).toBe(1));
    await opened.link('/contacts').click();
    await eventually(async () => expect(await opened.page.locator('#root[aria-busy]').count()).toBe(1));
    site.release('/contacts');
    await opened.arrived('/contacts');
    expect(site.payloads('/contacts').length - before).toBe(1);
  });
});
