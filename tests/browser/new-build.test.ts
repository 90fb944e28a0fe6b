import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LatestBuild } from '../../client/new-build.ts';
import { RELOAD_GUARD_WINDOW_MS } from '../../shared/constants.ts';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { close, listen } from '../support/listen.ts';
import { makeSecondBuild, type SecondBuild } from '../support/second-build.ts';
import { sendRequest } from '../support/send-request.ts';
import { type Stage, startStage } from '../support/stage.ts';
import { DIST_DIR } from '../support/start-site.ts';
import { leaveQuietly, settled, type Visitor, type VisitorOptions, visit } from '../support/visitor.ts';

const INTERVAL_MS = 60_000;
const START = 1_000_000_000;
const NEXT: LatestBuild = { id: 'another-build', timestamp: 5 };
/** What a reload breaks off, and what a test makes fail. */
const EXPECTED = /net::ERR_|Failed to load resource|Failed to fetch dynamically imported module/;

const TALL = { viewport: { width: 1280, height: 800 } };

let site: Stage;
let browser: Browser;
let visitor: Visitor | null = null;

beforeAll(async () => {
  [site, browser] = await Promise.all([
    startStage({
      env: { BUILD_POLL_INTERVAL_MS: String(INTERVAL_MS) },
      pages: { links: '[Form](/contacts?from=links#contacts)' },
    }),
    launchBrowser(),
  ]);
});
afterEach(async () => {
  await leaveQuietly(visitor);
  visitor = null;
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function open(address: string, options: VisitorOptions = {}): Promise<Visitor> {
  visitor = await visit(browser, new URL(address, site.url).href, {
    ignore: EXPECTED,
    context: TALL,
    ...options,
  });
  return visitor;
}

/** The server's word on which build is the latest, as the test says it. */
class Latest {
  /** The addresses that were asked for. */
  readonly polls: string[] = [];
  answer: (route: Route) => Promise<unknown> = route => route.fallback();

  readonly install = (page: Page) =>
    page.route('**/builds/latest.json*', async route => {
      this.polls.push(route.request().url());
      await this.answer(route);
    });

  says(body: unknown): void {
    this.answer = route => route.fulfill({ json: body });
  }
}

interface Watching extends Visitor {
  latest: Latest;
  /** Lets time pass, and what is asked for in it be answered. */
  pass(ms: number): Promise<void>;
}

/** Opens a page whose time stands still from the first moment on. */
async function watch(
  address = '/contacts',
  { random = 0, prepare }: { random?: number; prepare?: (page: Page) => Promise<unknown> } = {},
): Promise<Watching> {
  const latest = new Latest();
  const opened = await open(address, {
    prepare: async page => {
      await page.clock.install({ time: START });
      await page.clock.pauseAt(START + 1_000);
      await page.addInitScript(value => {
        Math.random = () => value;
      }, random);
      await page.addInitScript(() => {
        const told: unknown[] = [];
        Object.assign(window, { told });
        window.addEventListener('manifest-update', event => told.push((event as CustomEvent).detail));
      });
      await latest.install(page);
      await prepare?.(page);
    },
  });
  return {
    ...opened,
    latest,
    async pass(ms) {
      await opened.page.clock.runFor(ms);
      await answered(opened);
    },
  };
}

/** What the page had asked for by now has been seen, and its answer taken in. */
async function answered({ page }: Visitor): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await page.evaluate(() => fetch('/robots.txt').then(response => response.text()));
  }
}

const told = (page: Page) => page.evaluate(() => Reflect.get(window, 'told') as unknown[]);

function setHidden(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate(value => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    Object.defineProperty(document, 'visibilityState', {
      value: value ? 'hidden' : 'visible',
      configurable: true,
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

/** Resolves when the page has been loaded anew and is alive. */
async function reloaded(opened: Visitor, documents: readonly string[]): Promise<void> {
  await eventually(() => expect(opened.documents()).toEqual(documents));
  await eventually(() => hydrated(opened.page));
}

const draft = (page: Page) => page.locator('#contact-message');

describe('asking for the latest build', () => {
  it('happens one interval after the load, and then every interval', async () => {
    const { latest, pass, page } = await watch();
    await pass(INTERVAL_MS - 1);
    expect(latest.polls).toEqual([]);
    await pass(1);
    expect(latest.polls).toEqual([`${site.url}/builds/latest.json?${START + 1_000 + INTERVAL_MS}`]);
    await pass(INTERVAL_MS - 1);
    expect(latest.polls).toHaveLength(1);
    await pass(1);
    expect(latest.polls).toHaveLength(2);
    expect(await told(page)).toEqual([]);
  });

  it('is spread by up to a tenth of the interval', async () => {
    const { latest, pass } = await watch('/contacts', { random: 0.999 });
    await pass(INTERVAL_MS * 1.09);
    expect(latest.polls).toEqual([]);
    await pass(INTERVAL_MS * 0.01);
    expect(latest.polls).toHaveLength(1);
  });

  it('pauses while the tab is hidden, and happens at once when it is shown after an interval', async () => {
    const { latest, pass, page } = await watch('/contacts', { random: 0.999 });
    await pass(INTERVAL_MS / 2);
    await setHidden(page, true);
    await pass(INTERVAL_MS / 2 - 1);
    await setHidden(page, false);
    await setHidden(page, true);
    await pass(1);
    expect(latest.polls).toEqual([]);
    await setHidden(page, false);
    await pass(0);
    expect(latest.polls).toHaveLength(1);
    await setHidden(page, true);
    await pass(INTERVAL_MS * 10);
    expect(latest.polls).toHaveLength(1);
    await setHidden(page, false);
    await pass(0);
    expect(latest.polls).toHaveLength(2);
  });

  it.each<[what: string, answer: (route: Route) => Promise<unknown>]>([
    ['no connection', route => route.abort()],
    ['an error', route => route.fulfill({ status: 503, json: NEXT })],
    ['no JSON', route => route.fulfill({ body: '<!doctype html>' })],
    ['null', route => route.fulfill({ json: null })],
    ['no id', route => route.fulfill({ json: { timestamp: 5 } })],
    ['an empty id', route => route.fulfill({ json: { id: '', timestamp: 5 } })],
    ['an id that is no text', route => route.fulfill({ json: { id: 5, timestamp: 5 } })],
    ['no time', route => route.fulfill({ json: { id: NEXT.id } })],
    ['the same build', route => route.fulfill({ json: { id: site.site.manifest.id, timestamp: 5 } })],
  ])('%s is no news, and the next time counts', async (_what, answer) => {
    const opened = await watch();
    const { latest, pass, page } = opened;
    latest.answer = answer;
    await pass(INTERVAL_MS);
    expect(latest.polls).toHaveLength(1);
    expect(await told(page)).toEqual([]);
    latest.says(NEXT);
    await pass(INTERVAL_MS);
    expect(await told(page)).toEqual([NEXT]);
    expect(opened.documents()).toEqual(['/contacts']);
  });

  it('ends with the first difference, of which the page is told', async () => {
    const { latest, pass, page } = await watch();
    latest.says(NEXT);
    await pass(INTERVAL_MS);
    expect(await told(page)).toEqual([NEXT]);
    await pass(INTERVAL_MS * 3);
    expect(latest.polls).toHaveLength(1);
    expect(await told(page)).toEqual([NEXT]);
  });
});

describe('a new build', () => {
  /** A page that has been told of a new build. */
  async function outdated(address = '/contacts', options?: Parameters<typeof watch>[1]): Promise<Watching> {
    const watching = await watch(address, options);
    watching.latest.says(NEXT);
    await watching.pass(INTERVAL_MS);
    expect(await told(watching.page)).toEqual([NEXT]);
    return watching;
  }

  it('does nothing under the hands of somebody who types', async () => {
    const opened = await watch();
    opened.latest.says(NEXT);
    await draft(opened.page).pressSequentially('Half a sen');
    await opened.pass(INTERVAL_MS);
    expect(await told(opened.page)).toEqual([NEXT]);
    await draft(opened.page).pressSequentially('tence');
    await opened.pass(INTERVAL_MS * 2);
    expect(await draft(opened.page).inputValue()).toBe('Half a sentence');
    expect(opened.documents()).toEqual(['/contacts']);
  });

  it('makes the next navigation a full load of its target, with its query and hash', async () => {
    const opened = await outdated('/links');
    const before = await opened.page.evaluate(() => history.length);
    await opened.page.evaluate(() => document.querySelector<HTMLElement>('a[href^="/contacts?"]')?.click());
    await opened.page.clock.runFor(100);
    await reloaded(opened, ['/links', '/contacts']);
    expect(opened.page.url()).toBe(`${site.url}/contacts?from=links#contacts`);
    expect(opened.payloads()).toEqual([]);
    expect(await opened.page.evaluate(() => history.length)).toBe(before + 1);
  });

  it('makes going back one, too, and the entry stays the same', async () => {
    const opened = await watch('/links');
    await opened.page.evaluate(() => document.querySelector<HTMLElement>('a[href="/about"]')?.click());
    await opened.page.clock.runFor(100);
    await opened.arrived('/about');
    const before = await opened.page.evaluate(() => history.length);
    opened.latest.says(NEXT);
    await opened.pass(INTERVAL_MS);
    await opened.page.evaluate(() => history.back());
    await eventually(() => expect(new URL(opened.page.url()).pathname).toBe('/links'));
    await opened.page.clock.runFor(100);
    await reloaded(opened, ['/links', '/links']);
    expect(await opened.page.evaluate(() => history.length)).toBe(before);
  });

  it('reloads a hidden page at once, its drafts, open questions and place kept', async () => {
    const opened = await watch();
    const { page } = opened;
    opened.latest.says(NEXT);
    await page.locator('#contact-name').fill('Zoë');
    await draft(page).fill('One payment,\ntwo lines');
    await page.locator('#subscribe-email').fill('zoe@example.com');
    await page.locator('details[data-persistent] summary').nth(1).click();
    await page.evaluate(() => scrollTo(0, 333));
    await opened.pass(INTERVAL_MS);
    expect(opened.documents()).toEqual(['/contacts']);
    await setHidden(page, true).catch(() => {});
    await reloaded(opened, ['/contacts', '/contacts']);
    expect(await page.locator('#contact-name').inputValue()).toBe('Zoë');
    expect(await draft(page).inputValue()).toBe('One payment,\ntwo lines');
    expect(await page.locator('#subscribe-email').inputValue()).toBe('zoe@example.com');
    expect(
      await page
        .locator('details[data-persistent]')
        .evaluateAll(all => all.flatMap((item, index) => (Reflect.get(item, 'open') ? index : []))),
    ).toEqual([1]);
    await eventually(async () => expect(await page.evaluate(() => Math.round(scrollY))).toBe(333));
    expect(await page.evaluate(() => sessionStorage.getItem('site:reload:state'))).toBeNull();
    // Once: somebody who loads the page again wants it afresh.
    await page.reload();
    await hydrated(page);
    expect(await draft(page).inputValue()).toBe('');
  });

  it('does not reload while a form is being sent', async () => {
    const opened = await watch();
    const { page } = opened;
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/email/send', async route => {
      await gate.promise;
      await route.fulfill({ status: 202, json: { sent: 'subscribe' } });
    });
    opened.latest.says(NEXT);
    await opened.pass(INTERVAL_MS);
    await page.locator('#subscribe-email').fill('zoe@example.com');
    await page.locator('#subscribe-email').press('Enter');
    await page.getByRole('button', { name: 'Sending…' }).waitFor();
    await setHidden(page, true);
    await setHidden(page, false);
    gate.resolve();
    await page.getByText('You are on the list').waitFor();
    expect(opened.documents()).toEqual(['/contacts']);
    await setHidden(page, true).catch(() => {});
    await reloaded(opened, ['/contacts', '/contacts']);
  });

  it('reloads a page that was hidden while the answer was on its way, also at an address with a hash', async () => {
    const opened = await watch('/contacts#contacts');
    const { page } = opened;
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    opened.latest.answer = async route => {
      await asked;
      await route.fulfill({ json: NEXT });
    };
    await opened.pass(INTERVAL_MS);
    await setHidden(page, true);
    resolve();
    await reloaded(opened, ['/contacts', '/contacts']);
    expect(page.url()).toBe(`${site.url}/contacts#contacts`);
  });

  it('reloads without the state where that is larger than 64 KiB', async () => {
    const opened = await outdated();
    const { page } = opened;
    // Half as many characters as bytes.
    await draft(page).evaluate(field => Object.assign(field, { value: 'ö'.repeat(33_000) }));
    await setHidden(page, true).catch(() => {});
    await reloaded(opened, ['/contacts', '/contacts']);
    expect(await draft(page).inputValue()).toBe('');
  });

  it('reloads with a state that is just smaller', async () => {
    const opened = await outdated();
    const { page } = opened;
    await draft(page).evaluate(field => Object.assign(field, { value: 'ö'.repeat(32_000) }));
    await setHidden(page, true).catch(() => {});
    await reloaded(opened, ['/contacts', '/contacts']);
    await eventually(async () => expect((await draft(page).inputValue()).length).toBe(32_000));
  });

  it.each([
    ['is no JSON', 'half {'],
    ['is of another version', JSON.stringify({ version: 0, forms: { contact: { message: 'Old' } } })],
    ['has another shape', JSON.stringify({ version: 1, page: '/contacts' })],
  ])('comes up with a kept state that %s as if there were none', async (_what, state) => {
    const opened = await open('/contacts', {
      prepare: page => page.addInitScript(text => sessionStorage.setItem('site:reload:state', text), state),
    });
    expect(await draft(opened.page).inputValue()).toBe('');
    await opened.go('/about');
  });

  it('reloads where storage is refused, without the state, and does not go on doing so', async () => {
    const opened = await outdated('/contacts', { prepare: refuseStorage });
    const { page } = opened;
    await draft(page).fill('Lost, alas');
    await setHidden(page, true).catch(() => {});
    await reloaded(opened, ['/contacts', '/contacts']);
    expect(await draft(page).inputValue()).toBe('');
    await opened.pass(INTERVAL_MS);
    expect(await told(page)).toEqual([NEXT]);
    await page.evaluate(by => {
      const now = Date.now;
      Date.now = () => now() - by;
    }, INTERVAL_MS);
    await setHidden(page, true);
    await answered(opened);
    expect(opened.documents()).toEqual(['/contacts', '/contacts']);
    // Somebody's own navigation is a full load all the same.
    await setHidden(page, false);
    await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/about"]')?.click());
    await page.clock.runFor(100);
    await reloaded(opened, ['/contacts', '/contacts', '/about']);
  });
});

async function refuseStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied', 'SecurityError');
        },
      });
    }
  });
}

describe('a payload', () => {
  it('of another build is not shown: its page is loaded in full', async () => {
    const opened = await open('/links');
    await opened.page.route('**/contacts/_payload.json*', async route => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), buildId: NEXT.id, data: { strange: true } } });
    });
    // As often as somebody goes there: each of these is a navigation of theirs, and ends.
    const documents = ['/links'];
    for (let time = 0; time < 4; time++) {
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

  it('that is a page of somebody else is loaded in full once, then it is an error', async () => {
    const opened = await open('/');
    await opened.page.route('**/about/_payload.json*', route =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><title>Sign in to the airport</title>',
      }),
    );
    await opened.link('/about').click();
    await reloaded(opened, ['/', '/about']);
    expect(await opened.page.locator('main h1').textContent()).toBe('A short way between two accounts');
    await opened.go('/contacts');
    await opened.go('/about');
    expect(await opened.page.locator('main').textContent()).toContain('Bad Gateway');
    expect(opened.documents()).toEqual(['/', '/about']);
  });
});

describe('a chunk that is gone', () => {
  const withoutPageChunks = (page: Page) =>
    page.route('**/assets/generic-page-*.js', route => route.fulfill({ status: 404, body: 'Not found' }));

  it('loads its page in full once, then shows the error page, and after the window tries once more', async () => {
    const opened = await open('/');
    const { page } = opened;
    await withoutPageChunks(page);
    await opened.link('/about').click();
    await eventually(() => expect(opened.documents()).toEqual(['/', '/about']));
    // What the server has rendered stays, and so do its links.
    await page.getByRole('heading', { name: 'A short way between two accounts' }).waitFor();
    await opened.link('/').click();
    await eventually(() => expect(opened.documents()).toEqual(['/', '/about', '/']));
    await eventually(() => hydrated(page));
    await opened.go('/about');
    expect(await page.locator('main h1').textContent()).toBe('Internal Server Error');
    expect(await page.title()).toBe('Internal Server Error – Corridor');
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h1');
    expect(opened.documents()).toEqual(['/', '/about', '/']);
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
    await reloaded(opened, ['/', '/about', '/', '/about']);
  });

  it('does nothing for a navigation that was given up', async () => {
    const opened = await open('/');
    const { page } = opened;
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    await page.route('**/assets/generic-page-*.js', async route => {
      await gone;
      await route.fulfill({ status: 404, body: 'Not found' });
    });
    await opened.link('/about').click();
    await eventually(() => expect(opened.payloads()).toEqual(['/about']));
    await opened.go('/blog');
    resolve();
    await eventually(() =>
      expect(opened.requests.some(made => made.url().includes('/generic-page-'))).toBe(true),
    );
    await answered(opened);
    await settled(page);
    expect(opened.documents()).toEqual(['/']);
    expect(new URL(page.url()).pathname).toBe('/blog');
    expect(await page.evaluate(() => sessionStorage.getItem('site:reload'))).toBeNull();
  });

  it.each([
    ['where there is storage', async () => {}],
    ['where there is none', refuseStorage],
  ])(
    'of the first page: one reload, then the page stays as the server made it, %s',
    async (_what, prepare) => {
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

  it('loads its page in full where storage is refused, and goes on to no third load', async () => {
    const opened = await open('/', { prepare: refuseStorage });
    await withoutPageChunks(opened.page);
    await opened.link('/about').click();
    await eventually(() => expect(opened.documents().length).toBeGreaterThanOrEqual(3));
    await opened.page.getByRole('heading', { name: 'A short way between two accounts' }).waitFor();
    await settled(opened.page);
    await settled(opened.page);
    // Its target, and that once more: the mark could not be made before.
    expect(opened.documents()).toEqual(['/', '/about', '/about']);
  });

  it('and any other missing asset is a 404 that nobody remembers', async () => {
    for (const name of ['home-page-AAAAAAAA.js', 'site-AAAAAAAA.css', '..%2f..%2fmanifest.json']) {
      const answer = await sendRequest(site.url, `/assets/${name}`);
      expect([400, 404]).toContain(answer.status);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });
});

describe('two builds', () => {
  let second: SecondBuild;
  let assetsDir: string;
  const running: Stage[] = [];
  let front: Server | null = null;

  beforeAll(async () => {
    second = await makeSecondBuild();
  });
  afterEach(async () => {
    if (front) await close(front);
    front = null;
    await Promise.all(running.splice(0).map(stage => stage.close()));
    await rm(assetsDir, { recursive: true, force: true });
  });
  afterAll(() => second.remove());

  /** Starts a build as `server/main.ts` does, with the assets of all builds in one folder. */
  async function deploy(distDir: string, port = 0): Promise<Stage> {
    const stage = await startStage({
      distDir,
      port,
      env: { BUILD_POLL_INTERVAL_MS: String(INTERVAL_MS), ASSETS_DIR: assetsDir },
    });
    await stage.site.keptAssets.keep(stage.site.manifest.id, path.join(distDir, 'client/assets'));
    running.push(stage);
    return stage;
  }

  async function replace(stage: Stage, distDir: string): Promise<Stage> {
    running.splice(running.indexOf(stage), 1);
    await stage.close();
    return deploy(distDir, Number(new URL(stage.url).port));
  }

  it('one after the other under an open tab: the draft survives, no chunk is missed, old assets are answered', async () => {
    assetsDir = await mkdtemp(path.join(os.tmpdir(), 'assets-'));
    const old = await deploy(DIST_DIR);
    const opened = await open(`${old.url}/contacts`, {
      prepare: page => page.clock.install({ time: START }),
    });
    const { page } = opened;
    await draft(page).fill('Half a letter');
    await page.locator('#subscribe-email').fill('zoe@example.com');
    const current = await replace(old, second.distDir);
    expect(current.url).toBe(old.url);

    // Nothing happens until somebody looks away.
    await page.clock.runFor(INTERVAL_MS * 1.1);
    await answered(opened);
    expect(await draft(page).inputValue()).toBe('Half a letter');
    await setHidden(page, true).catch(() => {});
    await reloaded(opened, ['/contacts', '/contacts']);
    expect(await draft(page).inputValue()).toBe('Half a letter');
    expect(await page.locator('script[data-entry]').getAttribute('data-entry')).toBe(
      current.site.manifest.entry,
    );
    await opened.go('/about');
    expect(opened.payloads()).toEqual(['/about']);

    for (const name of await readdir(path.join(DIST_DIR, 'client/assets'))) {
      if (!/\.(?:js|css|woff2)$/.test(name)) continue;
      const answer = await sendRequest(current.url, `/assets/${name}`);
      expect(answer.status, name).toBe(200);
      expect(answer.headers['cache-control']).toContain('immutable');
    }
    const chunk =
      (await readdir(path.join(DIST_DIR, 'client/assets'))).find(name => name.startsWith('hydrate-')) ?? '';
    expect(await readdir(path.join(second.distDir, 'client/assets'))).not.toContain(chunk);
    expect(opened.complaints).toEqual([]);
  });

  it('one after the other, and the tab goes on at once: its next page is the new build’s, and a draft comes along', async () => {
    assetsDir = await mkdtemp(path.join(os.tmpdir(), 'assets-'));
    const old = await deploy(DIST_DIR);
    const watched = await open(`${old.url}/contacts`);
    const failed: string[] = [];
    watched.page.on('response', response => {
      if (response.status() >= 400) failed.push(new URL(response.url()).pathname);
    });
    await watched.page.locator('#subscribe-email').fill('zoe@example.com');
    const current = await replace(old, second.distDir);
    await watched.page.evaluate(() => document.querySelector<HTMLElement>('a[href="/about"]')?.click());
    await reloaded(watched, ['/contacts', '/about']);
    expect(await watched.page.locator('script[data-entry]').getAttribute('data-entry')).toBe(
      current.site.manifest.entry,
    );
    expect(await watched.page.locator('#subscribe-email').inputValue()).toBe('zoe@example.com');
    await watched.go('/blog');
    expect(watched.documents()).toEqual(['/contacts', '/about']);
    // What the old page wanted to load ahead it does without.
    expect(failed.filter(address => !address.startsWith('/builds/meta/'))).toEqual([]);
  });

  it('answering in turns: every page is reached, and nothing goes round in circles', async () => {
    assetsDir = await mkdtemp(path.join(os.tmpdir(), 'assets-'));
    const stages = [await deploy(DIST_DIR), await deploy(second.distDir)];
    let turn = 0;
    front = createServer((req, res) => {
      const { hostname, port } = new URL(stages[turn++ % 2]?.url ?? '');
      const { url: target, method, headers } = req;
      const onward = request({ hostname, port, path: target, method, headers }, answer => {
        res.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(res);
      });
      onward.on('error', () => res.destroy());
      res.on('close', () => onward.destroy());
      req.pipe(onward);
    });
    const opened = await open(await listen(front), { prefetch: true });
    const tour = ['/about', '/contacts', '/blog', '/about', '/', '/about', '/contacts', '/blog'];
    for (const target of tour) {
      await opened.page.evaluate(
        href => document.querySelector<HTMLElement>(`a[href="${href}"]`)?.click(),
        target,
      );
      await eventually(() => opened.arrived(target));
      expect(await opened.page.locator('main h1').textContent()).not.toBe('Internal Server Error');
    }
    const loads = opened.documents().length;
    expect(loads).toBeLessThanOrEqual(tour.length + 1);
    await settled(opened.page);
    await settled(opened.page);
    expect(opened.documents()).toHaveLength(loads);
  });
});
