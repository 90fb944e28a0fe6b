import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { panelTest, picture, withPanel } from '../support/panel-test.ts';

withPanel();

const it = panelTest.extend('panelHeight', { scope: 'file' }, async () => 1200);

it('the start page lists a draft that is ready, and links to its form and its preview', async ({
  panel,
  cms,
  admin,
}) => {
  await panel.goto(`${cms.url}/admin`);
  await panel.getByText('No draft waits').waitFor();
  const id = await admin.create('page', { title: 'Fees from May', slug: 'fees-from-may' });
  await panel.goto(`${cms.url}/admin/content-manager/collection-types/api::page.page/${id}`);
  const mark = panel.getByRole('checkbox', { name: 'Ready to publish' });
  await mark.scrollIntoViewIfNeeded();
  await mark.check({ force: true });
  await picture(panel, 'cms-ready-form');
  await panel.getByRole('button', { name: 'Save' }).click();
  await eventually(async () => expect(await panel.getByText('Saved document').count()).toBe(1));

  await panel.goto(`${cms.url}/admin`);
  const row = panel.getByRole('listitem').filter({ hasText: 'Fees from May' });
  await row.waitFor();
  expect(await row.innerText()).toContain('Page, Site Administrator');
  await picture(panel, 'cms-ready');
  await row.getByRole('link', { name: 'Preview' }).click();
  await panel.waitForURL(`**/api::page.page/${id}/preview`);
  await panel.goto(`${cms.url}/admin`);
  await row.getByRole('link', { name: 'Fees from May' }).click();
  await panel.waitForURL(`**/api::page.page/${id}`);
});

it('the list of redirects says how often each is used', async ({ panel, openPanel, admin, getPage }) => {
  await admin.create('redirect', { from: '/spring', to: '/about', statusCode: 302 });
  await admin.create('redirect', { from: '/never-used', to: '/about', statusCode: 302 });
  await admin.create('redirect', { from: '/is-gone', to: '', statusCode: 410 });
  await eventually(async () => expect((await getPage('/spring')).status).toBe(302));
  await eventually(async () => expect((await getPage('/is-gone')).status).toBe(410));
  await getPage('/spring');
  await openPanel('collection-types/api::redirect.redirect');
  await panel.getByText('Uses since the site started').waitFor();
  const usesOf = async (from: string) => {
    const cells = panel.getByRole('row').filter({ hasText: from }).getByRole('gridcell');
    return (await cells.allInnerTexts()).at(-2);
  };
  await eventually(async () => {
    expect(Number(await usesOf('/spring'))).toBeGreaterThan(1);
    expect([await usesOf('/never-used'), await usesOf('/is-gone')]).toEqual(['0', '–']);
  });
  await picture(panel, 'cms-redirects');
});
