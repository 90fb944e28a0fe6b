import path from 'node:path';
import { expect } from 'vitest';
import { hydrated } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { engineFor, findEngine } from '../support/engines.ts';
import { exportTo } from '../support/export-test.ts';
import { startFileServer } from '../support/front-server.ts';
import { closeWithoutComplaints, type Visitor, type VisitorOptions, visit } from '../support/visitor.ts';

/** The sample content as a folder of files, which nginx serves. */
const it = browserTest
  .extend('served', { scope: 'file' }, async ({}, { onCleanup }) => {
    const engine = findEngine('nginx');
    if (engine === null) return null;
    const front = await startFileServer(engine, async (url, root) => {
      await exportTo(path.dirname(root), { out: root, publicUrl: new URL(url) });
      return path.join(root, '_nginx.conf');
    });
    onCleanup(front.dispose);
    return front;
  })
  .extend('site', async ({ served, skip }) => {
    // Without nginx, `engineFor` skips the test or fails it.
    if (served === null) throw new Error(engineFor('nginx', { skip }).command);
    return served;
  })
  .extend('open', async ({ browser, site }, { onCleanup }) => {
    const visitors: Visitor[] = [];
    onCleanup(async () => {
      for (const visitor of visitors) await closeWithoutComplaints(visitor);
    });
    return async (address: string, options: VisitorOptions = {}) => {
      const visitor = await visit(browser, site.url + address, options);
      visitors.push(visitor);
      return visitor;
    };
  });

it('an exported page hydrates, and its links load only payloads', async ({ open }) => {
  const visitor = await open('/');
  await visitor.go('/blog');
  await visitor.go('/blog/guides');
  expect(visitor.documents()).toEqual(['/']);
  expect(visitor.payloads()).toEqual(['/blog', '/blog/guides']);
});

it('the page number of a list is in the path, and a reload finds that page', async ({ open }) => {
  const visitor = await open('/blog/guides');
  const { page } = visitor;
  await visitor.go('/blog/guides/page/2');
  const title = await page.title();
  expect(visitor.documents()).toEqual(['/blog/guides']);
  await page.reload();
  await hydrated(page);
  expect([new URL(page.url()).pathname, await page.title()]).toEqual(['/blog/guides/page/2', title]);
  await visitor.go('/blog/guides');
  expect(visitor.payloads().at(-1)).toBe('/blog/guides');
});

it('a form without a receiver is hidden with its card and the invitation to subscribe', async ({ open }) => {
  const { page } = await open('/contacts');
  for (const part of ['form[action="/api/email/send"]', '.el-contacts__card', '#subscribe-title']) {
    expect(await page.locator(part).count(), part).toBeGreaterThan(0);
    expect(await page.locator(part).first().isVisible(), part).toBe(false);
  }
});

it('the search runs in the browser, from its form and from an address with a query', async ({ open }) => {
  const visitor = await open('/search');
  const { page } = visitor;
  const results = page.locator('main ol h2 a');
  await page.locator('main input[name=q]').focus();
  await expect.poll(() => page.locator('main input[name=q]').getAttribute('role')).toBe('combobox');
  await page.locator('main input[name=q]').fill('chargebacks');
  await page.locator('main input[name=q]').press('Enter');
  await results.first().waitFor();
  expect(await results.first().getAttribute('href')).toBe('/blog/guides/chargebacks-without-panic');
  expect(visitor.documents()).toEqual(['/search']);
  await page.goto(`${new URL(page.url()).origin}/search?q=Łódź`);
  await results.first().waitFor();
  expect(await results.allTextContents()).toContainEqual(expect.stringContaining('Łódź'));
});

it('a former address redirects to the present one, and a trailing slash is dropped', async ({
  open,
  site,
}) => {
  for (const [from, to] of [
    ['/old-about', '/about'],
    ['/solutions/payouts', '/business-solutions/payouts'],
    ['/about/', '/about'],
  ])
    expect(new URL((await open(from ?? '')).page.url()).pathname).toBe(to);
  const old = await fetch(`${site.url}/old-about?from=mail`, { redirect: 'manual' });
  expect([old.status, old.headers.get('location')]).toEqual([301, `${site.url}/about?from=mail`]);
});

it('an address without a page is a 404 with the site’s page, also after a link', async ({ open, site }) => {
  const missing = /status of 404/;
  for (const address of ['/no-such-page', '/blog/guides/no-such-article']) {
    const answer = await fetch(site.url + address);
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([404, 'nosniff']);
    const { page } = await open(address, { ignore: missing });
    expect(await page.locator('main p').first().textContent()).toBe('404');
  }
  // The full load cancels what the previous page is still loading.
  const visitor = await open('/about', { ignore: /status of 404|net::ERR_ABORTED/ });
  await visitor.page.evaluate(() => {
    document.querySelector('main')?.insertAdjacentElement('beforeend', document.createElement('a'));
    const link = document.querySelector('main > a:last-child');
    link?.setAttribute('href', '/no-such-page');
    (link as HTMLElement | null)?.click();
  });
  await visitor.page.waitForURL(`${site.url}/no-such-page`);
  await hydrated(visitor.page);
  await expect.poll(() => visitor.page.locator('main p').first().textContent()).toBe('404');
});

it('nginx sends the headers of the live site, and does not serve configuration files', async ({ site }) => {
  const page = await fetch(`${site.url}/about`);
  expect(page.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
  const feed = await fetch(`${site.url}/blog/feed.xml`);
  expect(feed.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
  for (const hidden of ['/_headers', '/_redirects', '/_nginx.conf', '/about.html'])
    expect([hidden, (await fetch(site.url + hidden)).status]).toEqual([hidden, 404]);
});
