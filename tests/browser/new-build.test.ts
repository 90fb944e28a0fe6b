import type { Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { hydrated } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';
import {
  answered,
  draft,
  EARLIER,
  enter,
  INTERVAL_MS,
  newBuildTest as it,
  NEXT,
  refuseStorage,
  reloaded,
  START,
  setHidden,
  told,
} from '../support/new-build-test.ts';
import type { Stage } from '../support/stage.ts';

describe('polling for the latest build', () => {
  it('polls for a new build come one interval after the load, and then every interval', async ({
    site,
    watch,
  }) => {
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

  if (inFull) {
    it('polls for a new build are delayed at random by up to a tenth of the interval', async ({ watch }) => {
      const { latest, pass } = await watch('/contacts', { random: 0.999 });
      await pass(INTERVAL_MS * 1.09);
      expect(latest.polls).toEqual([]);
      await pass(INTERVAL_MS * 0.01);
      expect(latest.polls).toHaveLength(1);
    });
  }

  it('polls for a new build pause in a hidden tab, and resume when it is shown after an interval', async ({
    watch,
  }) => {
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

  const NO_NEWS: [what: string, answer: (route: Route, site: Stage) => Promise<unknown>][] = [
    ['the same build', (route, site) => route.fulfill({ json: { id: site.site.manifest.id, timestamp: 5 } })],
    ['no connection', route => route.abort()],
    ['an error', route => route.fulfill({ status: 503, json: NEXT })],
    ['no JSON', route => route.fulfill({ body: '<!doctype html>' })],
    ['no id', route => route.fulfill({ json: { timestamp: 5 } })],
    ['null', route => route.fulfill({ json: null })],
    ['an empty id', route => route.fulfill({ json: { id: '', timestamp: 5 } })],
    ['an id that is no text', route => route.fulfill({ json: { id: 5, timestamp: 5 } })],
    ['no time', route => route.fulfill({ json: { id: NEXT.id } })],
  ];
  it.for(some(NO_NEWS, 1))(
    'polling treats %s as no news, and continues',
    async ([_what, answer], { site, watch }) => {
      const opened = await watch();
      const { latest, pass, page } = opened;
      latest.answer = route => answer(route, site);
      await pass(INTERVAL_MS);
      expect(latest.polls).toHaveLength(1);
      expect(await told(page)).toEqual([]);
      latest.reply(NEXT);
      await pass(INTERVAL_MS);
      expect(await told(page)).toEqual([NEXT]);
      expect(opened.documents()).toEqual(['/contacts']);
    },
  );

  it('polling ends with the first new build, and an event reports that build', async ({ watch }) => {
    const { latest, pass, page } = await watch();
    latest.reply(NEXT);
    await pass(INTERVAL_MS);
    expect(await told(page)).toEqual([NEXT]);
    await pass(INTERVAL_MS * 3);
    expect(latest.polls).toHaveLength(1);
    expect(await told(page)).toEqual([NEXT]);
  });
});

describe('an earlier build', () => {
  it('an earlier build counts as a new one when two polls, 60 s apart, find it', async ({ watch }) => {
    const { latest, pass, page } = await watch();
    latest.reply(EARLIER);
    await pass(INTERVAL_MS);
    expect([latest.polls.length, await told(page)]).toEqual([1, []]);
    await pass(59_999);
    expect([latest.polls.length, await told(page)]).toEqual([1, []]);
    await pass(1);
    expect([latest.polls.length, await told(page)]).toEqual([2, [EARLIER]]);
  });

  it('an earlier build does not count as a new one when a poll between the two finds the page’s build', async ({
    site,
    watch,
  }) => {
    const { latest, pass, page } = await watch();
    const { id, timestamp } = site.site.manifest;
    for (const answer of [
      EARLIER,
      { id, timestamp },
      EARLIER,
      { ...EARLIER, id: 'one-more' },
      { id, timestamp },
    ]) {
      latest.reply(answer);
      await pass(INTERVAL_MS);
    }
    expect([latest.polls.length, await told(page)]).toEqual([5, []]);
  });

  it('the second poll for an earlier build is repeated one interval later if it fails', async ({ watch }) => {
    const { latest, pass, page } = await watch();
    latest.reply(EARLIER);
    await pass(INTERVAL_MS);
    latest.answer = route => route.abort();
    await pass(INTERVAL_MS);
    expect([latest.polls.length, await told(page)]).toEqual([2, []]);
    latest.reply(EARLIER);
    await pass(INTERVAL_MS - 1);
    expect(latest.polls).toHaveLength(2);
    await pass(1);
    expect([latest.polls.length, await told(page)]).toEqual([3, [EARLIER]]);
  });
});

describe('a new build', () => {
  if (inFull) {
    it('a new build does not reload a page in which the visitor types', async ({ watch }) => {
      const opened = await watch();
      opened.latest.reply(NEXT);
      await draft(opened.page).pressSequentially('Half a sen');
      await opened.pass(INTERVAL_MS);
      expect(await told(opened.page)).toEqual([NEXT]);
      await draft(opened.page).pressSequentially('tence');
      await opened.pass(INTERVAL_MS * 2);
      expect(await draft(opened.page).inputValue()).toBe('Half a sentence');
      expect(opened.documents()).toEqual(['/contacts']);
    });
  }

  it('a new build makes the next navigation a full load, with query and hash', async ({ site, outdated }) => {
    const opened = await outdated('/links');
    const before = await opened.page.evaluate(() => history.length);
    await opened.page.evaluate(() => document.querySelector<HTMLElement>('a[href^="/contacts?"]')?.click());
    await opened.page.clock.runFor(100);
    await reloaded(opened, ['/links', '/contacts']);
    expect(opened.page.url()).toBe(`${site.url}/contacts?from=links#contacts`);
    expect(opened.payloads()).toEqual([]);
    expect(await opened.page.evaluate(() => history.length)).toBe(before + 1);
  });

  if (inFull) {
    it('a new build makes Back a full load of the same history entry', async ({ watch }) => {
      const opened = await watch('/links');
      await opened.page.evaluate(() => document.querySelector<HTMLElement>('a[href="/about"]')?.click());
      await opened.page.clock.runFor(100);
      await opened.arrived('/about');
      const before = await opened.page.evaluate(() => history.length);
      opened.latest.reply(NEXT);
      await opened.pass(INTERVAL_MS);
      await opened.page.evaluate(() => history.back());
      await eventually(() => expect(new URL(opened.page.url()).pathname).toBe('/links'));
      await opened.page.clock.runFor(100);
      await reloaded(opened, ['/links', '/links']);
      expect(await opened.page.evaluate(() => history.length)).toBe(before);
    });
  }

  it('a new build reloads a hidden page, and keeps drafts, open questions and scroll position', async ({
    watch,
  }) => {
    const opened = await watch();
    const { page } = opened;
    opened.latest.reply(NEXT);
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
    // Open questions are restored only once. Drafts are restored after each full load.
    await page.reload();
    await hydrated(page);
    expect(await page.locator('details[data-persistent][open]').count()).toBe(0);
    expect(await draft(page).inputValue()).toBe('One payment,\ntwo lines');
  });

  it('a new build does not reload a page that is sending a form', async ({ watch }) => {
    const opened = await watch();
    const { page } = opened;
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/email/send', async route => {
      await gate.promise;
      await route.fulfill({ status: 202, json: { sent: 'subscribe' } });
    });
    opened.latest.reply(NEXT);
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

  if (inFull) {
    it('a new build reloads a page that was hidden during the poll, also with a hash in its address', async ({
      site,
      watch,
    }) => {
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
  }

  it('a new build reloads without the page’s state when the state exceeds 64 KiB', async ({ outdated }) => {
    const opened = await outdated();
    const { page } = opened;
    // Each character takes two bytes.
    await enter(page, 'ö'.repeat(33_000));
    await setHidden(page, true).catch(() => {});
    await reloaded(opened, ['/contacts', '/contacts']);
    expect(await draft(page).inputValue()).toBe('');
  });

  if (inFull) {
    it('a new build reloads with a page state of just below 64 KiB', async ({ outdated }) => {
      const opened = await outdated();
      const { page } = opened;
      await enter(page, 'ö'.repeat(32_000));
      await setHidden(page, true).catch(() => {});
      await reloaded(opened, ['/contacts', '/contacts']);
      await eventually(async () => expect((await draft(page).inputValue()).length).toBe(32_000));
    });
  }

  const STRANGE_STATES = [
    ['is no JSON', 'half {'],
    ['is of another version', JSON.stringify({ version: 0, forms: { contact: { message: 'Old' } } })],
    ['has another shape', JSON.stringify({ version: 1, page: '/contacts' })],
  ] as const;
  it.for(some(STRANGE_STATES, 1))(
    'a reload for a new build ignores a saved state that %s',
    async ([_what, state], { open }) => {
      const opened = await open('/contacts', {
        prepare: page => page.addInitScript(text => sessionStorage.setItem('site:reload:state', text), state),
      });
      expect(await draft(opened.page).inputValue()).toBe('');
      await opened.go('/about');
    },
  );

  it('a new build reloads once, without the page’s state, where storage is refused', async ({ outdated }) => {
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
    // The visitor's own navigation is still a full load.
    await setHidden(page, false);
    await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/about"]')?.click());
    await page.clock.runFor(100);
    await reloaded(opened, ['/contacts', '/contacts', '/about']);
  });
});
