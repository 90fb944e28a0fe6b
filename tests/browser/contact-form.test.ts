import { describe, expect } from 'vitest';
import { MIN_FILL_MS } from '../../shared/forms/form-limits.ts';
import { FormPage, contactFormTest as it, MESSAGE, SEND } from '../support/contact-form-test.ts';
import { failing } from '../support/fake-backend.ts';
import { inFull } from '../support/in-full.ts';
import { startSite } from '../support/start-site.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the contact form', () => {
  it('the contact form sends a message without leaving the page, and says thanks', async ({
    site,
    page,
    form,
    sent,
    keys,
  }) => {
    await form.open('/contacts');
    const documents: string[] = [];
    page.on('request', request => {
      if (request.isNavigationRequest()) documents.push(request.url());
    });
    await form.fill(MESSAGE);
    await form.button().click();
    await form.notice().getByText('Thank you').waitFor();
    await form.expectFocus('#contacts [role=status]');
    expect(await page.locator('#contacts form').count()).toBe(0);
    await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE }]);
    expect(keys()).toEqual([expect.stringMatching(UUID)]);
    expect(documents).toEqual([]);
    expect(page.url()).toBe(`${site.url}/contacts`);
  });

  it('the contact form names missing fields without a request', async ({ backend, form }) => {
    await form.open('/contacts');
    await form.fill({ email: 'not an address', company: MESSAGE.company });
    await form.button().click();
    await form.expectFocus('#contacts [role=status].is-invalid');
    expect(await form.errorOf('contact-name')).toBe('Please enter your name.');
    expect(await form.errorOf('contact-email')).toContain('complete e-mail address');
    expect(await form.errorOf('contact-message')).toBe('Please write a message.');
    expect(await form.errorOf('contact-company')).toBeNull();
    expect(backend.callsTo(SEND)).toEqual([]);

    // Each line of the summary links to its field without a navigation.
    expect(await form.notice().getByRole('link').count()).toBe(3);
    await form
      .notice()
      .getByRole('link', { name: /^E-mail/ })
      .click();
    await form.expectFocus('#contact-email');
    expect(await form.field('email').inputValue()).toBe('not an address');
    expect(await form.field('company').inputValue()).toBe(MESSAGE.company);
  });

  if (inFull) {
    it('the contact form accepts names and addresses in any script, as the server does', async ({
      form,
      sent,
    }) => {
      await form.open('/contacts');
      const message = { ...MESSAGE, name: '李小龍', email: '用户@例子.公司' };
      await form.fill({ ...message, name: '   ', email: 'ada@example' });
      await form.button().click();
      await form.expectFocus('#contacts [role=status].is-invalid');
      expect(await form.errorOf('contact-name')).toBe('Please enter your name.');
      expect(await form.errorOf('contact-email')).toContain('name@example.com');
      expect(await form.errorOf('contact-message')).toBeNull();
      expect(await form.typed()).toEqual({ ...message, name: '   ', email: 'ada@example' });
      await form.fill(message);
      await form.button().click();
      await form.notice().getByText('Thank you').waitFor();
      await expect.poll(sent).toEqual([{ form: 'contact', ...message }]);
    });
  }

  if (inFull) {
    it('the contact form accepts a message while the backend is down', async ({
      backend,
      site,
      form,
      sent,
      keys,
    }) => {
      await form.open('/contacts');
      backend.on(SEND, failing(503));
      await form.fill(MESSAGE);
      await form.button().click();
      await form.notice().getByText('Thank you').waitFor();
      await expect.poll(() => sent().length).toBeGreaterThan(0);
      backend.on(SEND, {});
      await expect.poll(() => site.site.outbox.state.waiting).toBe(0);
      expect(new Set(keys()).size).toBe(1);
    });
  }

  it('the contact form keeps its text while the disk is full, and sends it later with the same idempotency key', async ({
    disk,
    page,
    form,
    sent,
    keys,
  }) => {
    await form.open('/contacts');
    const posted: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith(SEND)) posted.push(request.postDataJSON().idempotencyKey);
    });
    disk.fill();
    await form.fill(MESSAGE);
    await form.button().click();
    await form.expectFocus('#contacts [role=status].is-failed');
    expect(await form.notice().innerText()).toContain('Nothing you typed is lost');
    expect(await form.typed()).toEqual(MESSAGE);
    disk.reset();
    await form.button().click();
    await form.notice().getByText('Thank you').waitFor();
    await expect.poll(sent).toHaveLength(1);
    expect(posted).toEqual([expect.stringMatching(UUID), posted[0]]);
    expect(keys()).toEqual([posted[0]]);
  });

  if (inFull) {
    it('each message of the contact form has a new idempotency key', async ({ disk, page, form }) => {
      await form.open('/contacts');
      const posted: string[] = [];
      page.on('request', request => {
        if (request.url().endsWith(SEND)) posted.push(request.postDataJSON().idempotencyKey);
      });
      disk.fill();
      await form.fill(MESSAGE);
      await form.button().click();
      await form.expectFocus('#contacts [role=status].is-failed');
      await form.fill({ message: 'Something else' });
      disk.reset();
      await form.button().click();
      await form.notice().getByText('Thank you').waitFor();
      expect(new Set(posted).size).toBe(2);
    });
  }

  it('a double click on the contact form sends one message', async ({ disk, site, page, form, sent }) => {
    await form.open('/contacts');
    disk.hold();
    await form.fill(MESSAGE);
    await form.button().dblclick();
    // Playwright would wait for the disabled button to be enabled. A person does not.
    await page.getByRole('button', { name: 'Sending…' }).click({ force: true });
    await form.field('name').press('Enter');
    await expect.poll(() => disk.waiting()).toBe(1);
    expect(await page.locator('#contacts form').getAttribute('aria-busy')).toBe('true');
    // Fields are read-only while the form is being sent.
    await form.field('message').press('x');
    expect(await form.typed()).toEqual(MESSAGE);
    disk.reset();
    await form.notice().getByText('Thank you').waitFor();
    await expect.poll(sent).toHaveLength(1);
    await expect.poll(() => site.site.outbox.state.waiting).toBe(0);
    expect(sent()).toHaveLength(1);
  });

  it('the contact form sends one message although the response to its first attempt was lost', async ({
    site,
    watched,
    page,
    form,
    sent,
  }) => {
    await form.open('/contacts');
    await form.fill(MESSAGE);
    await page.route(
      `**${SEND}`,
      async route => {
        await route.fetch();
        await route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' });
      },
      { times: 1 },
    );
    watched.complaints.length = 0;
    await form.button().click();
    await form.expectFocus('#contacts [role=status].is-failed');
    expect(watched.complaints.splice(0)).toEqual([expect.stringContaining('status of 502')]);
    await form.button().click();
    await form.notice().getByText('Thank you').waitFor();
    await expect.poll(() => site.site.outbox.state.waiting).toBe(0);
    expect(sent()).toEqual([{ form: 'contact', ...MESSAGE }]);
  });

  if (inFull) {
    it('the contact form does not mistake a network’s sign-in page for success', async ({ page, form }) => {
      await form.open('/contacts');
      await form.fill(MESSAGE);
      await page.route(`**${SEND}`, route =>
        route.fulfill({ status: 200, body: '<h1>Sign in to the network</h1>' }),
      );
      await form.button().click();
      await form.expectFocus('#contacts [role=status].is-failed');
      expect(await form.typed()).toEqual(MESSAGE);
      await page.unroute(`**${SEND}`);
    });
  }

  it('the contact form delays a message that was filled in faster than a person types', async ({
    page,
    form,
    sent,
  }) => {
    await form.openJustNow('/contacts');
    const posted: Record<string, string>[] = [];
    page.on('request', request => {
      if (request.url().endsWith(SEND)) posted.push(request.postDataJSON());
    });
    await form.fill(MESSAGE);
    await form.button().click();
    await page.getByRole('button', { name: 'Sending…' }).waitFor();
    await form.notice().getByText('Thank you').waitFor();
    expect(Number(posted[0]?.elapsedMs)).toBeGreaterThanOrEqual(MIN_FILL_MS);
    await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE }]);
  });

  it('the contact form reports the rate limit and keeps its text', async ({ backend, page, form }) => {
    const strict = await startSite({ contentBaseUrl: backend.url, env: { FORM_RATE_LIMIT: '1' } });
    try {
      for (const isRefused of [false, true]) {
        await new FormPage(page, strict.url).open('/contacts');
        await form.fill(MESSAGE);
        await form.button().click();
        await form
          .notice()
          .getByText(isRefused ? 'Too many messages' : 'Thank you')
          .waitFor();
      }
      expect(await form.typed()).toEqual(MESSAGE);
    } finally {
      // Leave the page before its site closes, because a pending request would fail.
      await page.goto('about:blank');
      await strict.close();
    }
  });

  it('the contact form shows the honeypot field that a password manager has filled, and keeps its text', async ({
    page,
    form,
    sent,
  }) => {
    await form.open('/contacts');
    await form.fill(MESSAGE);
    await page
      .locator('#contacts input[name=website]')
      .evaluate((trap: HTMLInputElement) => Object.assign(trap, { value: 'https://ada.example' }));
    await form.button().click();
    await form.expectFocus('#contacts [role=status].is-invalid');
    expect(await form.errorOf('contact-website')).toContain('must stay empty');
    expect(await form.field('website').isVisible()).toBe(true);
    expect(await form.field('website').inputValue()).toBe('');
    expect(await form.typed()).toEqual(MESSAGE);
    await form
      .notice()
      .getByRole('link', { name: /^Leave this empty/ })
      .click();
    await form.expectFocus('#contact-website');

    // The visible field is still a honeypot.
    await form.field('website').fill('again');
    await form.button().click();
    await form.expectFocus('#contacts [role=status].is-invalid');
    expect(sent()).toEqual([]);
    await form.field('website').fill('');
    await form.button().click();
    await form.notice().getByText('Thank you').waitFor();
    await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE }]);
  });

  if (inFull) {
    it('the contact form works over plain http, where crypto.randomUUID is missing', async ({
      page,
      form,
      keys,
    }) => {
      await page.addInitScript(() => {
        Reflect.deleteProperty(Crypto.prototype, 'randomUUID');
      });
      await form.open('/contacts');
      expect(await page.evaluate(() => 'randomUUID' in crypto)).toBe(false);
      await form.fill(MESSAGE);
      await form.button().click();
      await form.notice().getByText('Thank you').waitFor();
      await expect.poll(keys).toEqual([expect.stringMatching(UUID)]);
    });
  }
});
