import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { hydrated } from '../support/browser.ts';
import { MESSAGE } from '../support/contact-form-test.ts';
import { Forms, draftTest as it } from '../support/draft-test.ts';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';

const SECRET = 'Ada’s draft';
const DRAFT = { ...MESSAGE, topic: SECRET, email: 'secret@example.com' };
/** A document of the site without scripts, which shows what earlier pages left in session storage. */
const PLAIN = '/robots.txt';

/** Opens another tab with a copy of this tab's session storage, like a duplicated tab. */
async function duplicate(page: Page): Promise<{ page: Page; forms: Forms }> {
  const [copy] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(address => void window.open(address), PLAIN),
  ]);
  await copy.waitForLoadState();
  return { page: copy, forms: new Forms(copy) };
}

describe('a draft whose message was sent', () => {
  it.for(some(['contact', 'subscribe'], 1))(
    'a draft sent by the browser before hydration is erased: %s',
    async (form, { site, openForms }) => {
      const { page, forms } = await openForms();
      await (form === 'contact' ? forms.fill(DRAFT) : forms.subscribeEmail().fill(DRAFT.email));
      await page.goto(site.url + PLAIN);
      expect(await forms.stored()).toContain(DRAFT.email);
      // The scripts of the next page are late, so the draft stays in session storage.
      const gate = Promise.withResolvers<void>();
      await page.route(`**${site.site.manifest.entry}`, async route => {
        await gate.promise;
        await route.continue();
      });
      await page.goto(`${site.url}/contacts`);
      await (form === 'contact' ? forms.fill(DRAFT) : forms.subscribeEmail().fill(DRAFT.email));
      const button = form === 'contact' ? '#contacts button[type=submit]' : '#subscribe button[type=submit]';
      await page.locator(button).click();
      await page.waitForURL(url => url.search === `?sent=${form}`, { waitUntil: 'commit' });
      gate.resolve();
      await hydrated(page);
      await page.goto(site.url + PLAIN);
      expect(await forms.stored()).not.toMatch(/secret@|Ada’s/);
    },
  );

  if (inFull) {
    it('a sent draft is erased from the session storage of a duplicated tab', async ({ site, openForms }) => {
      const { page, forms, arrived } = await openForms();
      await forms.fill(DRAFT);
      await page.goto(site.url + PLAIN);
      const other = await duplicate(page);
      expect(await other.forms.stored()).toContain(SECRET);
      await page.goBack();
      await arrived('/contacts');
      await (await forms.sendAndHold())(202);
      await forms.notice().getByText('Thank you').waitFor();
      await other.page.goto(`${site.url}/contacts`);
      await hydrated(other.page);
      await other.forms.expectTyped();
      await other.page.goto(site.url + PLAIN);
      expect(await other.forms.stored()).not.toContain(SECRET);
    });
  }

  it('a sent draft is erased from the form of a duplicated tab, unless its text was changed there', async ({
    site,
    openForms,
  }) => {
    const { page, forms, arrived } = await openForms();
    await forms.fill(DRAFT);
    await page.goto(site.url + PLAIN);
    const [same, changed] = [await duplicate(page), await duplicate(page)];
    for (const other of [same, changed]) {
      await other.page.goto(`${site.url}/contacts`);
      await hydrated(other.page);
      await other.forms.expectTyped(DRAFT);
    }
    await changed.forms.fill({ message: 'Another message' });
    await page.goBack();
    await arrived('/contacts');
    await (await forms.sendAndHold())(202);
    await forms.notice().getByText('Thank you').waitFor();
    await eventually(async () => {
      await same.page.goto(`${site.url}/contacts`);
      await hydrated(same.page);
      await same.page.goto(site.url + PLAIN);
      expect(await same.forms.stored()).not.toContain(SECRET);
    });
    await changed.page.goto(site.url + PLAIN);
    expect(await changed.forms.stored()).toContain('Another message');
  });
});

describe('the privacy sentence', () => {
  it.for(
    some(
      [
        ['/contacts', '#contacts form'],
        ['/', '#contacts form'],
        ['/about', '#subscribe form'],
        ['/blog', '#subscribe form'],
      ] as const,
      1,
    ),
  )(
    'the privacy sentence in the forms of %s, in %s, links to the page of the settings',
    async ([path, form], { openForms }) => {
      const { page, arrived } = await openForms(path);
      const link = page.locator(form).getByRole('link', { name: 'what we do with your data' });
      await link.click();
      await arrived('/privacy');
    },
  );
});
