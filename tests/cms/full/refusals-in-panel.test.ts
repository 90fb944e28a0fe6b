import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { panelTest, picture, withPanel } from '../support/panel-test.ts';

withPanel();

const it = panelTest;
const textbox = (panel: Page, name: string) => panel.getByRole('textbox', { name, exact: true });

describe('the form of an article in the panel', () => {
  it('the form of an article fills in its address, and lists below the fields why it cannot be published', async ({
    panel,
    cms,
  }) => {
    await panel.goto(`${cms.url}/admin/content-manager/collection-types/api::article.article/create`);
    await textbox(panel, 'Title').fill('A new office in Lisbon');
    expect(await textbox(panel, 'Address').inputValue()).toBe('');
    await panel.getByRole('button', { name: 'Save' }).click();
    await eventually(async () =>
      expect(await textbox(panel, 'Address').inputValue()).toBe('a-new-office-in-lisbon'),
    );
    await picture(panel, 'cms-new-article');
    await panel.getByText('Saved document').first().waitFor({ state: 'hidden' });
    await textbox(panel, 'Description').fill('Typed and not saved yet');
    await textbox(panel, 'Address').fill('Über Lissabon');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('such as “uber-lissabon”').first().waitFor();
    await panel.getByText('such as “uber-lissabon”').nth(1).waitFor({ state: 'hidden' });
    await picture(panel, 'cms-refused-address');
    expect(await textbox(panel, 'Address').inputValue()).toBe('Über Lissabon');
    expect(await textbox(panel, 'Description').inputValue()).toBe('Typed and not saved yet');
    await textbox(panel, 'Address').fill('lisbon');
    await panel.getByRole('button', { name: 'Publish' }).click();
    await panel.getByText('The article has no category').first().waitFor();
    await picture(panel, 'cms-refused-article');
    expect(await textbox(panel, 'Description').inputValue()).toBe('Typed and not saved yet');
  });
});

describe('the panel', () => {
  it('the panel says why a redirect, a category or a file was not changed', async ({ panel, cms, idOf }) => {
    await panel.goto(`${cms.url}/admin/content-manager/collection-types/api::redirect.redirect/create`);
    await textbox(panel, 'Old address').fill('/careers');
    await textbox(panel, 'New address').fill('/about');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('is the address of the page “Careers at Acme”').first().waitFor();
    await picture(panel, 'cms-refused-redirect');

    const category = await idOf('category', 'cases');
    await panel.goto(`${cms.url}/admin/content-manager/collection-types/api::category.category/${category}`);
    await panel.getByRole('button', { name: 'More actions' }).first().click();
    await panel.getByRole('menuitem', { name: /Delete/ }).click();
    await panel.getByRole('button', { name: 'Confirm' }).click();
    await panel.getByText('3 articles are in this category').first().waitFor();
    await picture(panel, 'cms-refused-category');

    await panel.goto(`${cms.url}/admin/content-manager/single-types/api::settings.settings`);
    await panel.getByRole('combobox', { name: 'Time zone' }).click();
    await picture(panel, 'cms-choices');
    await panel.keyboard.press('Escape');
  });

  it('the panel says where a file is used', async ({ panel, cms }) => {
    await panel.goto(`${cms.url}/admin/plugins/upload`);
    await panel.getByText('Media Library').first().waitFor();
    await picture(panel, 'cms-library');
    await panel.getByText('cover-').first().click();
    await panel.getByRole('button', { name: 'Delete' }).last().click();
    await picture(panel, 'cms-refused-file-0');
    await panel.getByRole('button', { name: 'Confirm' }).click();
    await panel.getByText('is in use').first().waitFor();
    await picture(panel, 'cms-refused-file');
  });
});
