import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { hydrated } from '../support/browser.ts';
import { MESSAGE } from '../support/contact-form-test.ts';
import { draftTest as it, loadInFull } from '../support/draft-test.ts';
import { inFull } from '../support/in-full.ts';
import { press } from '../support/page-facts.ts';

const SECRET = 'Ada’s draft';
const DRAFT = { ...MESSAGE, topic: SECRET };

describe('the draft of a form', () => {
  it('a draft survives a followed link, Back, Forward and Back', async ({ openForms }) => {
    const { page, forms, go, arrived } = await openForms();
    await forms.fill(DRAFT);
    await go('/about');
    expect(await forms.field('message').count()).toBe(0);
    await page.goBack();
    await arrived('/contacts');
    await forms.expectTyped(DRAFT);
    await page.goForward();
    await arrived('/about');
    await page.goBack();
    await arrived('/contacts');
    await forms.expectTyped(DRAFT);
  });

  it('a draft survives when links lead back through a page of another layout', async ({ openForms }) => {
    const { forms, go } = await openForms();
    await forms.fill(DRAFT);
    await go('/blog');
    await go('/about');
    await go('/contacts');
    await forms.expectTyped(DRAFT);
    await forms.fill({ topic: 'Changed' });
    await forms.fill({ company: '' });
    await go('/about');
    await go('/contacts');
    await forms.expectTyped({ ...DRAFT, topic: 'Changed', company: '' });
  });

  if (inFull) {
    it('a draft appears in the same form on another page', async ({ openForms }) => {
      const { forms, go } = await openForms('/');
      await forms.fill(DRAFT);
      await go('/contacts');
      await forms.expectTyped(DRAFT);
    });
  }

  it('a draft of the subscribe form is kept, although each layout renders the form again', async ({
    openForms,
  }) => {
    const { page, forms, go, arrived } = await openForms('/about');
    await forms.subscribeEmail().fill(MESSAGE.email);
    await go('/blog');
    expect(await forms.subscribeEmail().inputValue()).toBe(MESSAGE.email);
    await page.goBack();
    await arrived('/about');
    expect(await forms.subscribeEmail().inputValue()).toBe(MESSAGE.email);
  });

  it('a draft contains text typed before hydration', async ({ site, openForms }) => {
    const { page, forms, go, arrived } = await openForms('/about');
    const gate = Promise.withResolvers<void>();
    await page.route(`**${site.site.manifest.entry}`, async route => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/contacts`);
    await forms.fill(DRAFT);
    expect(await page.locator('html[data-hydrated]').count()).toBe(0);
    gate.resolve();
    await hydrated(page);
    await forms.expectTyped(DRAFT);
    await go('/about');
    await page.goBack();
    await arrived('/contacts');
    await forms.expectTyped(DRAFT);
  });

  if (inFull) {
    it('a draft returns after a page that could not be loaded', async ({ openForms }) => {
      const visitor = await openForms();
      const { page, forms, go, arrived } = visitor;
      await forms.fill(DRAFT);
      await page.route('**/about/_payload.json*', route => route.abort(), { times: 1 });
      await press(visitor, '/about');
      await arrived('/about');
      expect(await forms.field('message').count()).toBe(0);
      await go('/contacts');
      await forms.expectTyped(DRAFT);
    });
  }

  if (inFull) {
    it('a draft returns unchanged, whatever was typed', async ({ openForms }) => {
      const { forms, go } = await openForms();
      for (const text of fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), 20)) {
        await forms.fill({ message: text, topic: text });
        const [message, topic] = await Promise.all([
          forms.field('message').inputValue(),
          forms.field('topic').inputValue(),
        ]);
        await go('/about');
        await go('/contacts');
        await forms.expectTyped({ message, topic });
      }
    });
  }

  it('a draft omits the honeypot, hidden fields, passwords and files', async ({ site, openForms }) => {
    const visitor = await openForms();
    const { page, forms, go } = visitor;
    await forms.fill(DRAFT);
    await forms.trap().evaluate((trap: HTMLInputElement) => {
      for (const type of ['password', 'file', 'hidden']) {
        const field = Object.assign(document.createElement('input'), { type, name: `own-${type}` });
        if (type !== 'file') field.value = 'hunter2';
        trap.form?.append(field);
      }
      trap.value = 'hunter2';
      trap.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.goto(`${site.url}/robots.txt`);
    expect(await forms.stored()).toContain(SECRET);
    expect(await forms.stored()).not.toMatch(/hunter2|website|own-/);
    await loadInFull(visitor, site.url, '/about');
    await go('/contacts');
    await forms.expectTyped(DRAFT);
    expect(await forms.trap().inputValue()).toBe('');
  });
});

describe('the place of a draft', () => {
  it('a navigation inside the site writes no draft into the storage of the browser', async ({
    openForms,
  }) => {
    const { page, forms, go, arrived } = await openForms();
    await forms.fill(DRAFT);
    expect(await forms.stored()).not.toContain(SECRET);
    for (const path of ['/about', '/blog']) {
      await go(path);
      expect(await forms.stored()).not.toContain(SECRET);
    }
    await page.goBack();
    await arrived('/about');
    expect(await forms.stored()).not.toContain(SECRET);
  });

  it('a draft is in session storage during a full load, and in memory afterwards', async ({
    site,
    openForms,
  }) => {
    const visitor = await openForms();
    const { page, forms, go } = visitor;
    await forms.fill(DRAFT);
    await go('/about');
    await page.goto(`${site.url}/robots.txt`);
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain(SECRET);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(SECRET);
    await loadInFull(visitor, site.url, '/blog');
    expect(await forms.stored()).not.toContain(SECRET);
    await go('/contacts');
    await forms.expectTyped(DRAFT);
    expect(await forms.stored()).not.toContain(SECRET);
  });

  if (inFull) {
    it('a draft is in session storage while the visitor reads another document', async ({
      site,
      openForms,
    }) => {
      const { page, forms, arrived } = await openForms();
      await forms.fill(DRAFT);
      await page.goto(`${site.url}/robots.txt`);
      await page.goBack();
      await arrived('/contacts');
      await forms.expectTyped(DRAFT);
      expect(await forms.stored()).not.toContain(SECRET);
    });
  }

  it('a draft is in memory again when the page returns from the back/forward cache', async ({
    openForms,
  }) => {
    const { page, forms, go } = await openForms();
    await forms.fill(DRAFT);
    // The browser of the tests has no back/forward cache, so the test dispatches its events.
    const dispatch = (type: string) =>
      page.evaluate(name => {
        window.dispatchEvent(new PageTransitionEvent(name, { persisted: true }));
      }, type);
    await dispatch('pagehide');
    expect(await forms.stored()).toContain(SECRET);
    await dispatch('pageshow');
    expect(await forms.stored()).not.toContain(SECRET);
    await go('/about');
    await go('/contacts');
    await forms.expectTyped(DRAFT);
  });
});

describe('an accepted message', () => {
  it('an accepted message erases its draft, also from memory, and keeps the other form’s draft', async ({
    site,
    openForms,
  }) => {
    const visitor = await openForms();
    const { page, forms, go } = visitor;
    await forms.fill(DRAFT);
    await forms.subscribeEmail().fill('grace@example.com');
    const answer = await forms.sendAndHold();
    await answer(202);
    await forms.notice().getByText('Thank you').waitFor();
    await go('/blog');
    await go('/contacts');
    await forms.expectTyped();
    expect(await forms.subscribeEmail().inputValue()).toBe('grace@example.com');
    await page.goto(`${site.url}/robots.txt`);
    expect(await forms.stored()).not.toContain(SECRET);
    await loadInFull(visitor, site.url, '/contacts');
    await forms.expectTyped();
  });

  it('an accepted message erases its draft after the visitor has left the page', async ({ openForms }) => {
    const { page, forms, go, arrived } = await openForms();
    await forms.fill(DRAFT);
    const answer = await forms.sendAndHold();
    await go('/about');
    await answer(202);
    await page.goBack();
    await arrived('/contacts');
    await forms.expectTyped();
  });

  if (inFull) {
    it('an accepted message erases its draft, even if the visitor has returned to the form', async ({
      openForms,
    }) => {
      const { forms, go } = await openForms();
      await forms.fill(DRAFT);
      const answer = await forms.sendAndHold();
      await go('/about');
      await go('/contacts');
      await forms.sending().waitFor();
      await forms.expectTyped(DRAFT);
      await answer(202);
      await forms.notice().getByText('Thank you').waitFor();
      expect(await forms.field('message').count()).toBe(0);
      await go('/about');
      await go('/contacts');
      await forms.expectTyped();
    });
  }
});

describe('a refused message', () => {
  if (inFull) {
    it('a refused message keeps its draft for a visitor who has left the page', async ({ openForms }) => {
      const { forms, go } = await openForms();
      await forms.fill(DRAFT);
      const answer = await forms.sendAndHold();
      await go('/about');
      await answer(503);
      await go('/contacts');
      await forms.expectTyped(DRAFT);
      expect(await forms.sending().count()).toBe(0);
    });
  }

  it('a visitor who returns before the answer sees that the message was refused', async ({ openForms }) => {
    const { forms, go } = await openForms();
    await forms.fill(DRAFT);
    const answer = await forms.sendAndHold();
    await go('/about');
    await go('/contacts');
    await answer(503);
    await forms.notice().getByText('Not now.').waitFor();
    await forms.expectTyped(DRAFT);
  });
});
