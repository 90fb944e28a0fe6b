import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { panelTest, picture, withPanel } from '../support/panel-test.ts';

withPanel();

const it = panelTest.extend('panelHeight', { scope: 'file' }, async () => 1600);
const inPanel = (url: string, where: string) => `${url}/admin/content-manager/${where}`;

/** Sets the language of the panel, as a user's profile does. */
async function speak(panel: Page, language: string): Promise<void> {
  await panel.evaluate(chosen => localStorage.setItem('strapi-admin-language', chosen), language);
}

it('the start page counts open messages, and a message has a link to answer it by e-mail', async ({
  panel,
  cms,
  settings,
}) => {
  const message = { form: 'contact', name: 'Ida', email: 'ida@example.com', message: 'Do you ship to Oslo?' };
  await fetch(`${cms.url}/api/email/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${settings.SITE_TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(message),
  });
  await panel.goto(`${cms.url}/admin`);
  await panel.getByText('not done').waitFor();
  await panel.getByText('1', { exact: true }).first().waitFor();
  await picture(panel, 'cms-start-page');
  await panel.goto(inPanel(cms.url, 'collection-types/api::message.message'));
  await panel.locator('th', { hasText: 'Received' }).waitFor();
  expect(await panel.getByText('Create new entry').count()).toBe(0);
  const download = panel.waitForEvent('download');
  await panel.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('messages.csv');
  await picture(panel, 'cms-inbox');
  await panel.getByText('Ida', { exact: true }).click();
  const answer = panel.getByRole('link', { name: 'Answer by e-mail' });
  await answer.waitFor();
  expect(await answer.getAttribute('href')).toContain(
    'mailto:ida%40example.com?subject=Re%3A%20Do%20you%20ship',
  );
  expect(await panel.getByRole('textbox', { name: 'Name', exact: true }).isDisabled()).toBe(true);
  await picture(panel, 'cms-message');
});

describe('the forms of the panel', () => {
  it('rare fields of an article are folded, and a click unfolds them', async ({ panel, cms, idOf }) => {
    const id = await idOf('article', 'getting-paid-in-brazil');
    await panel.goto(inPanel(cms.url, `collection-types/api::article.article/${id}`));
    const fold = panel.getByRole('button', { name: 'Rarely needed' });
    await fold.waitFor();
    const heading = panel.getByRole('textbox', { name: 'Heading', exact: true });
    expect(await heading.isVisible()).toBe(false);
    await picture(panel, 'cms-form-folded');
    await fold.click();
    await heading.waitFor();
    await panel.getByRole('button', { name: 'Search engines' }).first().click();
    await picture(panel, 'cms-form-open');
    await panel.goto(inPanel(cms.url, 'single-types/api::landing.landing'));
    await panel.getByRole('button', { name: 'Block “Partners”' }).first().waitFor();
    await picture(panel, 'cms-home-folded');
  });

  it('the list of articles begins with the newest, and the list of authors shows how often each is used', async ({
    panel,
    cms,
  }) => {
    await panel.goto(inPanel(cms.url, 'collection-types/api::article.article'));
    await panel.locator('th', { hasText: 'Category' }).waitFor();
    await picture(panel, 'cms-list-articles');
    const first = panel.getByRole('row').nth(1);
    expect(await first.textContent()).toContain('Planning next year');
    await panel.goto(inPanel(cms.url, 'collection-types/api::author.author'));
    await panel.locator('th', { hasText: 'Uses' }).waitFor();
    const cell = panel
      .getByRole('row')
      .nth(1)
      .getByText(/^[1-9]\d*$/);
    await cell.first().waitFor();
    await picture(panel, 'cms-list-authors');
  });

  it('the panel in German has German labels and help', async ({ panel, cms, idOf }) => {
    await speak(panel, 'de');
    const id = await idOf('article', 'getting-paid-in-brazil');
    await panel.goto(inPanel(cms.url, `collection-types/api::article.article/${id}`));
    await panel.getByRole('textbox', { name: 'Titel', exact: true }).waitFor();
    await panel.getByText('Unter der Überschrift, in Listen und für Suchmaschinen').waitFor();
    await panel.getByRole('button', { name: 'Selten gebraucht' }).waitFor();
    await picture(panel, 'cms-form-german');
    await panel.goto(inPanel(cms.url, 'collection-types/api::article.article'));
    await panel.locator('th', { hasText: 'Kategorie' }).waitFor();
    await picture(panel, 'cms-list-german');
    await panel.goto(inPanel(cms.url, 'single-types/api::landing.landing'));
    await panel.getByRole('button', { name: 'Block „Partner“' }).waitFor();
    await picture(panel, 'cms-home-german');
    await speak(panel, 'en');
  });
});
