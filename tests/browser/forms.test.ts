import { describe, expect } from 'vitest';
import { contactFormTest as it, MESSAGE, SEND } from '../support/contact-form-test.ts';
import { inFull } from '../support/in-full.ts';

/** The script that a form loads when it gets the focus. */
const SUBMISSION = /\/assets\/form-submission-[^/]+\.js$/;

/** For tests in which the request for the form script fails. */
const itWithoutScript = it.extend('expectedComplaints', /ERR_FAILED|status of 422/);
/** For tests in which the connection to the server fails. */
const itOffline = it.extend(
  'expectedComplaints',
  /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_EMPTY|ERR_FAILED|ERR_ABORTED/,
);

describe('the script of the forms', () => {
  it('the form script is loaded when a form gets the focus, and not before', async ({ page, form }) => {
    const loaded: string[] = [];
    page.on('request', request => {
      if (SUBMISSION.test(request.url())) loaded.push(request.url());
    });
    await form.open('/contacts');
    await page.waitForLoadState('networkidle');
    expect(loaded).toEqual([]);
    await form.field('name').focus();
    await expect.poll(() => loaded.length).toBe(1);
  });

  it('a form submitted before its script is loaded is still sent', async ({ page, form, sent }) => {
    const gate = Promise.withResolvers<void>();
    await page.route(SUBMISSION, async route => {
      await gate.promise;
      await route.continue();
    });
    await form.open('/contacts');
    await form.fill(MESSAGE);
    await form.button().click();
    await page.getByRole('button', { name: 'Sending…' }).waitFor();
    expect(await form.typed()).toEqual(MESSAGE);
    gate.resolve();
    await form.notice().getByText('Thank you').waitFor();
    await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE }]);
  });

  itWithoutScript(
    'a form whose script fails to load is validated by the server',
    async ({ page, form, sent }) => {
      await page.route(SUBMISSION, route => route.abort());
      await form.open('/contacts');
      await form.fill({ ...MESSAGE, email: 'ada@example' });
      await form.button().click();
      await form.expectFocus('#contacts [role=status].is-invalid');
      expect(await form.errorOf('contact-email')).toContain('complete e-mail address');
      expect(await form.typed()).toEqual({ ...MESSAGE, email: 'ada@example' });
      await form.fill({ email: MESSAGE.email, topic: 'Without a script' });
      await form.button().click();
      await form.notice().getByText('Thank you').waitFor();
      await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE, topic: 'Without a script' }]);
    },
  );
});

itOffline(
  'after a broken connection the form says that no text is lost',
  async ({ watched, page, form, sent }) => {
    await form.open('/contacts');
    await form.fill(MESSAGE);
    await page.route(`**${SEND}`, route => route.abort('connectionreset'));
    await form.button().click();
    await form.expectFocus('#contacts [role=status].is-failed');
    expect(await form.notice().innerText()).toContain('could not be sent');
    await page.unroute(`**${SEND}`);
    await watched.context.setOffline(true);
    await form.button().click();
    await form.notice().getByText('You seem to be offline').waitFor();
    expect(await form.typed()).toEqual(MESSAGE);
    await watched.context.setOffline(false);
    await form.button().click();
    await form.notice().getByText('Thank you').waitFor();
    await expect.poll(sent).toEqual([{ form: 'contact', ...MESSAGE }]);
  },
);

describe('the subscribe form', () => {
  it('the subscribe form is on every page and accepts an address', async ({ form, sent }) => {
    await form.open('/blog/guides');
    await form.subscribeEmail().fill('ada@example.com');
    await form.subscribeEmail().press('Enter');
    await form.subscribeNotice().getByText('Thank you').waitFor();
    await form.expectFocus('#subscribe [role=status]');
    await expect.poll(sent).toEqual([{ form: 'subscribe', email: 'ada@example.com' }]);
  });

  it('the subscribe form says what is wrong, and keeps the address', async ({ disk, page, form }) => {
    await form.open('/about');
    await form.subscribeButton().click();
    await form.expectFocus('#subscribe [role=status].is-invalid');
    expect(await form.errorOf('subscribe-email')).toContain('complete e-mail address');
    await form.subscribeEmail().fill('ada@example');
    await form.subscribeButton().click();
    await page.locator('#subscribe-email-error', { hasText: 'name@example.com' }).waitFor();
    disk.fill();
    await form.subscribeEmail().fill('ada@example.com');
    await form.subscribeButton().click();
    await form.subscribeNotice().getByText('Nothing you typed is lost').waitFor();
    expect(await form.errorOf('subscribe-email')).toBeNull();
    expect(await form.subscribeEmail().inputValue()).toBe('ada@example.com');
  });

  if (inFull) {
    it('the subscribe form does not affect the contact form on the same page', async ({ form }) => {
      await form.open('/contacts');
      await form.fill({ name: 'Ada' });
      await form.subscribeButton().click();
      await form.expectFocus('#subscribe [role=status].is-invalid');
      expect(await form.notice().count()).toBe(0);
      expect(await form.field('name').inputValue()).toBe('Ada');
    });
  }
});
