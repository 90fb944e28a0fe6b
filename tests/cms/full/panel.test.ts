import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { panelTest, picture, withPanel } from '../support/panel-test.ts';

withPanel();

const it = panelTest;

describe('an editor in the panel', () => {
  it('an editor changes and publishes an article in the panel, and the public page shows it', async ({
    panel,
    cms,
    admin,
    getPage,
  }) => {
    const [article] = (await admin.list('article')).filter(({ slug }) => slug === 'getting-paid-in-brazil');
    const address = '/blog/guides/getting-paid-in-brazil';
    expect((await getPage(address)).status).toBe(200);
    await open(
      panel,
      `${cms.url}/admin/content-manager/collection-types/api::article.article/${article?.documentId}`,
    );
    await panel.getByRole('textbox', { name: 'Title', exact: true }).fill('Typed into the panel');
    await picture(panel, 'cms-article', false);
    await panel.getByRole('button', { name: 'Publish' }).click();
    await eventually(async () =>
      expect((await getPage(address)).text.includes('Typed into the panel')).toBe(true),
    );
  });

  it('the panel shows the blocks of the home page as labelled fields, not as JSON', async ({
    panel,
    cms,
  }) => {
    await open(panel, `${cms.url}/admin/content-manager/single-types/api::landing.landing`);
    await panel.getByText('Order of the blocks').first().waitFor();
    expect(await panel.getByText('Block “Partners”').count()).toBeGreaterThan(0);
    const order = panel.getByText('Order of the blocks').first();
    await order.scrollIntoViewIfNeeded();
    // Closed rows have the names of their blocks, so that an editor knows what to drag.
    expect(await panel.getByRole('button', { name: 'partners' }).count()).toBeGreaterThan(0);
    await picture(panel, 'cms-home-page', false);
  });
});

async function open(panel: Page, address: string): Promise<void> {
  await panel.goto(address);
  await panel.getByRole('button', { name: 'Publish' }).waitFor();
}
