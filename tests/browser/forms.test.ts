import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MIN_FILL_MS } from '../../shared/forms/form-limits.ts';
import { hydrated, launchBrowser, openPage, type WatchedPage } from '../support/browser.ts';
import { failing } from '../support/fake-backend.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';
import { testDisk } from '../support/test-disk.ts';

const SEND = '/api/email/send';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MESSAGE = {
  name: 'Ada Example',
  email: 'ada@example.com',
  company: 'Example & Sons',
  topic: '"Fees"',
  message: 'First line\nsecond <b>line</b>',
};

let sample: SampleSite;
let backend: Relay;
let site: RunningSite;
let browser: Browser;
const disk = testDisk();
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [sample, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
  backend = await startRelay(sample.backend.url);
  site = await startSite({
    contentBaseUrl: backend.url,
    env: { FORM_RATE_LIMIT: '10000' },
    overrides: { writeFileAtomically: disk.writeFileAtomically },
  });
});
beforeEach(async () => {
  backend.reset();
  disk.reset();
  // The browser says of each refused form that it was refused, and of what was on its way when the page is left that it is not.
  const expected = /server responded with a status of (?:422|429|503)|_payload\.json\S* net::ERR_ABORTED/;
  watched = await openPage(browser, {}, expected);
  page = watched.page;
});
afterEach(async () => {
  const { complaints } = watched;
  await watched.close();
  expect(complaints).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
  await backend.close();
  await sample.close();
});

async function open(path: string): Promise<void> {
  await page.goto(site.url + path);
  await hydrated(page);
}

const contactButton = () => page.locator('#contacts form button[type=submit]');
const contactNotice = () => page.locator('#contacts [role=status]');
const field = (name: string) => page.locator(`#contact-${name}`);
const sent = () => backend.callsTo(SEND).map(({ body }): unknown => JSON.parse(body));
const keys = () => backend.callsTo(SEND).map(({ headers }) => headers['idempotency-key']);

async function fill(values: Partial<typeof MESSAGE>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(name).fill(value);
}

async function typed(): Promise<Record<string, string>> {
  const entries = Object.keys(MESSAGE).map(async name => [name, await field(name).inputValue()] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** The script that a form loads when somebody turns to it. */
const SUBMISSION = /\/assets\/form-submission-[^/]+\.js$/;

/** The error that assistive technology reads with a field, or null. */
async function errorOf(id: string): Promise<string | null> {
  const control = page.locator(`#${id}`);
  const [invalid, describedBy] = await Promise.all(
    ['aria-invalid', 'aria-describedby'].map(name => control.getAttribute(name)),
  );
  if (invalid === null && describedBy === null) return null;
  expect(invalid).toBe('true');
  return page.locator(`#${describedBy}`).innerText();
}

async function expectFocus(selector: string): Promise<void> {
  await page.waitForFunction(wanted => document.activeElement?.matches(wanted), selector);
}

describe('the contact form', () => {
  it('sends a message in place, and says thanks', async () => {
    await open('/contacts');
    const documents: string[] = [];
    page.on('request', request => {
      if (request.isNavigationRequest()) documents.push(request.url());
    });
    await fill(MESSAGE);
    await contactButton().click();
    await contactNotice().getByText('Thank you').waitFor();
    await expectFocus('#contacts [role=status]');
    expect(await page.locator('#contacts form').count()).toBe(0);
    await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE }]);
    expect(keys()).toEqual([expect.stringMatching(UUID)]);
    expect(documents).toEqual([]);
    expect(page.url()).toBe(`${site.url}/contacts`);
  });

  it('says what is missing without asking the server', async () => {
    await open('/contacts');
    await fill({ email: 'not an address', company: MESSAGE.company });
    await contactButton().click();
    await expectFocus('#contacts [role=status].is-invalid');
    expect(await errorOf('contact-name')).toBe('Please enter your name.');
    expect(await errorOf('contact-email')).toContain('complete e-mail address');
    expect(await errorOf('contact-message')).toBe('Please write a message.');
    expect(await errorOf('contact-company')).toBeNull();
    expect(backend.callsTo(SEND)).toEqual([]);

    // Each line of the summary leads to its field, and the page stays what it is.
    expect(await contactNotice().getByRole('link').count()).toBe(3);
    await contactNotice()
      .getByRole('link', { name: /^E-mail/ })
      .click();
    await expectFocus('#contact-email');
    expect(await field('email').inputValue()).toBe('not an address');
    expect(await field('company').inputValue()).toBe(MESSAGE.company);
  });

  it('takes names and addresses of any script, and has the rules of the server', async () => {
    await open('/contacts');
    const message = { ...MESSAGE, name: '李小龍', email: '用户@例子.公司' };
    await fill({ ...message, name: '   ', email: 'ada@example' });
    await contactButton().click();
    await expectFocus('#contacts [role=status].is-invalid');
    expect(await errorOf('contact-name')).toBe('Please enter your name.');
    expect(await errorOf('contact-email')).toContain('name@example.com');
    expect(await errorOf('contact-message')).toBeNull();
    expect(await typed()).toEqual({ ...message, name: '   ', email: 'ada@example' });
    await fill(message);
    await contactButton().click();
    await contactNotice().getByText('Thank you').waitFor();
    await expect.poll(sent).toEqual([{ form: 'contact', ...message }]);
  });

  it('takes a message while the backend is down', async () => {
    await open('/contacts');
    backend.on(SEND, failing(503));
    await fill(MESSAGE);
    await contactButton().click();
    await contactNotice().getByText('Thank you').waitFor();
    await expect.poll(() => sent().length).toBeGreaterThan(0);
    backend.on(SEND, {});
    await expect.poll(() => site.site.outbox.state.waiting, { timeout: 20_000 }).toBe(0);
    expect(new Set(keys()).size).toBe(1);
  });

  it('keeps all that was typed while the disk is full, and sends it later under the same key', async () => {
    await open('/contacts');
    const posted: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith(SEND)) posted.push(request.postDataJSON().idempotencyKey);
    });
    disk.fill();
    await fill(MESSAGE);
    await contactButton().click();
    await expectFocus('#contacts [role=status].is-failed');
    expect(await contactNotice().innerText()).toContain('Nothing you typed is lost');
    expect(await typed()).toEqual(MESSAGE);
    disk.reset();
    await contactButton().click();
    await contactNotice().getByText('Thank you').waitFor();
    await expect.poll(sent).toHaveLength(1);
    expect(posted).toEqual([expect.stringMatching(UUID), posted[0]]);
    expect(keys()).toEqual([posted[0]]);
  });

  it('gives other words another key', async () => {
    await open('/contacts');
    const posted: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith(SEND)) posted.push(request.postDataJSON().idempotencyKey);
    });
    disk.fill();
    await fill(MESSAGE);
    await contactButton().click();
    await expectFocus('#contacts [role=status].is-failed');
    await fill({ message: 'Something else' });
    disk.reset();
    await contactButton().click();
    await contactNotice().getByText('Thank you').waitFor();
    expect(new Set(posted).size).toBe(2);
  });

  it('sends one message for a double click', async () => {
    await open('/contacts');
    disk.hold();
    await fill(MESSAGE);
    await contactButton().dblclick();
    // Playwright would wait for a button that is not disabled; a person does not.
    await page.getByRole('button', { name: 'Sending…' }).click({ force: true });
    await field('name').press('Enter');
    await expect.poll(() => disk.waiting()).toBe(1);
    expect(await page.locator('#contacts form').getAttribute('aria-busy')).toBe('true');
    // What were typed now would not be sent, and go with the form.
    await field('message').press('x');
    expect(await typed()).toEqual(MESSAGE);
    disk.reset();
    await contactNotice().getByText('Thank you').waitFor();
    await expect.poll(sent).toHaveLength(1);
    await expect.poll(() => site.site.outbox.state.waiting).toBe(0);
    expect(sent()).toHaveLength(1);
  });

  it('sends one message although the answer to the first attempt was lost', async () => {
    await open('/contacts');
    await fill(MESSAGE);
    await page.route(
      `**${SEND}`,
      async route => {
        await route.fetch();
        await route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' });
      },
      { times: 1 },
    );
    watched.complaints.length = 0;
    await contactButton().click();
    await expectFocus('#contacts [role=status].is-failed');
    expect(watched.complaints.splice(0)).toEqual([expect.stringContaining('status of 502')]);
    await contactButton().click();
    await contactNotice().getByText('Thank you').waitFor();
    await expect.poll(() => site.site.outbox.state.waiting).toBe(0);
    expect(sent()).toEqual([{ form: 'contact', ...MESSAGE }]);
  });

  it('takes no other answer for the site’s own', async () => {
    await open('/contacts');
    await fill(MESSAGE);
    await page.route(`**${SEND}`, route =>
      route.fulfill({ status: 200, body: '<h1>Sign in to the network</h1>' }),
    );
    await contactButton().click();
    await expectFocus('#contacts [role=status].is-failed');
    expect(await typed()).toEqual(MESSAGE);
    await page.unroute(`**${SEND}`);
  });

  it('is in no hurry: what is filled in at once is sent when a person could have typed it', async () => {
    await open('/contacts');
    const posted: Record<string, string>[] = [];
    page.on('request', request => {
      if (request.url().endsWith(SEND)) posted.push(request.postDataJSON());
    });
    await fill(MESSAGE);
    await contactButton().click();
    await page.getByRole('button', { name: 'Sending…' }).waitFor();
    await contactNotice().getByText('Thank you').waitFor();
    expect(Number(posted[0]?.elapsedMs)).toBeGreaterThanOrEqual(MIN_FILL_MS);
    await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE }]);
  });

  it('says so when too much has come from one address, and keeps what was typed', async () => {
    const strict = await startSite({ contentBaseUrl: backend.url, env: { FORM_RATE_LIMIT: '1' } });
    try {
      for (const isRefused of [false, true]) {
        await page.goto(`${strict.url}/contacts`);
        await hydrated(page);
        await fill(MESSAGE);
        await contactButton().click();
        await contactNotice()
          .getByText(isRefused ? 'Too many messages' : 'Thank you')
          .waitFor();
      }
      expect(await typed()).toEqual(MESSAGE);
    } finally {
      await strict.close();
    }
  });

  it('shows the trap to a person whose password manager has filled it, and loses nothing', async () => {
    await open('/contacts');
    await fill(MESSAGE);
    await page
      .locator('#contacts input[name=website]')
      .evaluate((trap: HTMLInputElement) => Object.assign(trap, { value: 'https://ada.example' }));
    await contactButton().click();
    await expectFocus('#contacts [role=status].is-invalid');
    expect(await errorOf('contact-website')).toContain('must stay empty');
    expect(await field('website').isVisible()).toBe(true);
    expect(await field('website').inputValue()).toBe('');
    expect(await typed()).toEqual(MESSAGE);
    await contactNotice()
      .getByRole('link', { name: /^Leave this empty/ })
      .click();
    await expectFocus('#contact-website');

    // It goes on being a trap.
    await field('website').fill('again');
    await contactButton().click();
    await expectFocus('#contacts [role=status].is-invalid');
    expect(sent()).toEqual([]);
    await field('website').fill('');
    await contactButton().click();
    await contactNotice().getByText('Thank you').waitFor();
    await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE }]);
  });

  it('works over plain http on a network, where crypto.randomUUID is missing', async () => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(Crypto.prototype, 'randomUUID');
    });
    await open('/contacts');
    expect(await page.evaluate(() => 'randomUUID' in crypto)).toBe(false);
    await fill(MESSAGE);
    await contactButton().click();
    await contactNotice().getByText('Thank you').waitFor();
    await expect.poll(keys).toEqual([expect.stringMatching(UUID)]);
  });
});

describe('the script of the forms', () => {
  it('is loaded when somebody turns to a form, and not before', async () => {
    const loaded: string[] = [];
    page.on('request', request => {
      if (SUBMISSION.test(request.url())) loaded.push(request.url());
    });
    await open('/contacts');
    await page.waitForLoadState('networkidle');
    expect(loaded).toEqual([]);
    await field('name').focus();
    await expect.poll(() => loaded.length).toBe(1);
  });

  it('may come late: what was typed and submitted meanwhile is sent', async () => {
    const gate = Promise.withResolvers<void>();
    await page.route(SUBMISSION, async route => {
      await gate.promise;
      await route.continue();
    });
    await open('/contacts');
    await fill(MESSAGE);
    await contactButton().click();
    await page.getByRole('button', { name: 'Sending…' }).waitFor();
    expect(await typed()).toEqual(MESSAGE);
    gate.resolve();
    await contactNotice().getByText('Thank you').waitFor();
    await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE }]);
  });

  it('may not come at all: then the server judges alone', async () => {
    await watched.close();
    watched = await openPage(browser, {}, /ERR_FAILED|status of 422/);
    page = watched.page;
    await page.route(SUBMISSION, route => route.abort());
    await open('/contacts');
    await fill({ ...MESSAGE, email: 'ada@example' });
    await contactButton().click();
    await expectFocus('#contacts [role=status].is-invalid');
    expect(await errorOf('contact-email')).toContain('complete e-mail address');
    expect(await typed()).toEqual({ ...MESSAGE, email: 'ada@example' });
    await fill({ email: MESSAGE.email, topic: 'Without a script' });
    await contactButton().click();
    await contactNotice().getByText('Thank you').waitFor();
    await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE, topic: 'Without a script' }]);
  });
});

it('says of a connection that breaks, or is not there, that nothing is lost', async () => {
  await watched.close();
  watched = await openPage(
    browser,
    {},
    /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_EMPTY|ERR_FAILED|ERR_ABORTED/,
  );
  page = watched.page;
  await open('/contacts');
  await fill(MESSAGE);
  await page.route(`**${SEND}`, route => route.abort('connectionreset'));
  await contactButton().click();
  await expectFocus('#contacts [role=status].is-failed');
  expect(await contactNotice().innerText()).toContain('could not be sent');
  await page.unroute(`**${SEND}`);
  await watched.context.setOffline(true);
  await contactButton().click();
  await contactNotice().getByText('You seem to be offline').waitFor();
  expect(await typed()).toEqual(MESSAGE);
  await watched.context.setOffline(false);
  await contactButton().click();
  await contactNotice().getByText('Thank you').waitFor();
  await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE }]);
});

describe('the subscribe form', () => {
  const email = () => page.locator('#subscribe-email');
  const button = () => page.locator('#subscribe form button');
  const notice = () => page.locator('#subscribe [role=status]');

  it('stands on every page, and takes an address', async () => {
    await open('/blog/guides');
    await email().fill('ada@example.com');
    await email().press('Enter');
    await notice().getByText('Thank you').waitFor();
    await expectFocus('#subscribe [role=status]');
    await expect.poll(sent).toEqual([{ form: 'subscribe', email: 'ada@example.com' }]);
  });

  it('says what is wrong, and keeps the address', async () => {
    await open('/about');
    await button().click();
    await expectFocus('#subscribe [role=status].is-invalid');
    expect(await errorOf('subscribe-email')).toContain('complete e-mail address');
    await email().fill('ada@example');
    await button().click();
    await page.locator('#subscribe-email-error', { hasText: 'name@example.com' }).waitFor();
    disk.fill();
    await email().fill('ada@example.com');
    await button().click();
    await notice().getByText('Nothing you typed is lost').waitFor();
    expect(await errorOf('subscribe-email')).toBeNull();
    expect(await email().inputValue()).toBe('ada@example.com');
  });

  it('leaves the contact form on the same page alone', async () => {
    await open('/contacts');
    await fill({ name: 'Ada' });
    await button().click();
    await expectFocus('#subscribe [role=status].is-invalid');
    expect(await contactNotice().count()).toBe(0);
    expect(await field('name').inputValue()).toBe('Ada');
  });
});
