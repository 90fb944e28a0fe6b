import { expect } from 'vitest';
import { panelTest, picture, withPanel } from '../support/panel-test.ts';

withPanel();

const it = panelTest.extend('panelHeight', { scope: 'file' }, async () => 1200);

it('the start page and an entry’s side panel show the site’s problems, in the language of the panel', async ({
  panel,
  cms,
  site,
  admin,
  idOf,
}) => {
  const id = await idOf('article', 'getting-paid-in-brazil');
  await admin.publish('article', id, { body: 'See [the rates](/rates-of-yesterday).' });
  await site.site.links.check();

  await panel.goto(`${cms.url}/admin`);
  const kind = panel.getByText('Link that leads nowhere: 1');
  await kind.click();
  const link = panel.getByRole('link', { name: '/rates-of-yesterday' });
  await link.waitFor();
  await panel.getByText('The site last heard of a change:').waitFor();
  await picture(panel, 'cms-problems');
  await link.click();
  await panel.getByText('On the site').waitFor();
  await panel.getByText("body: the link to '/rates-of-yesterday'").waitFor();
  await picture(panel, 'cms-problems-entry');

  const linked = await idOf('article', 'what-compliance-will-ask');
  await panel.goto(`${cms.url}/admin/content-manager/collection-types/api::article.article/${linked}`);
  await panel.getByText('Pages that link here:').waitFor();
  await picture(panel, 'cms-linked-from');

  await panel.evaluate(() => localStorage.setItem('strapi-admin-language', 'de'));
  await panel.goto(`${cms.url}/admin`);
  await panel.getByText('Link ins Leere: 1').waitFor();
  await panel.getByText('Probleme der Website').waitFor();
  await picture(panel, 'cms-problems-de');
  expect(await panel.getByText('The site last heard').count()).toBe(0);
});
