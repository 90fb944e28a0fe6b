import { describe, expect } from 'vitest';
import { contactFormTest as it, MESSAGE } from '../support/contact-form-test.ts';

describe('the contact form of a product', () => {
  it('the contact card does not shrink after sending, and says who will answer and how soon', async ({
    form,
    page,
  }) => {
    await form.open('/business-solutions/payouts');
    const contacts = page.locator('#contacts');
    const heightOf = () => contacts.evaluate(section => section.scrollHeight);
    await contacts.getByText('Monday to Friday, 07:00–16:00 UTC').waitFor();
    await form.fill(MESSAGE);
    const before = await heightOf();
    await form.button().click();
    await contacts.getByText('You hear from us within a day.').waitFor();
    expect(await contacts.getByText('Marta Lindqvist').count()).toBe(2);
    expect(await contacts.locator('blockquote').innerText()).toBe(MESSAGE.message);
    expect(await contacts.locator('li a[href^="/blog/"]').count()).toBe(2);
    expect(await heightOf()).toBeGreaterThanOrEqual(before);
  });

  it.for<[string, Partial<typeof MESSAGE>]>([
    ['errors', {}],
    ['sending', MESSAGE],
  ])(
    'the notice and the heading beside it are wholly visible after %s',
    async ([, values], { form, page }) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await form.open('/contacts');
      await form.fill(values);
      await form.button().click();
      await form.expectFocus('#contacts [role=status]');
      for (const selector of ['#contacts-title', '#contacts [role=status]']) {
        const { top, bottom } = await page
          .locator(selector)
          .evaluate(element => element.getBoundingClientRect().toJSON() as DOMRect);
        expect(top, selector).toBeGreaterThanOrEqual(60);
        expect(bottom, selector).toBeLessThanOrEqual(900);
      }
    },
  );
});
