import path from 'node:path';
import { expect } from 'vitest';
import { hydrated, openPage } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { FormPage, MESSAGE, SEND } from '../support/contact-form-test.ts';
import { engineFor } from '../support/engines.ts';
import { exportTo } from '../support/export-test.ts';
import { startFileServer } from '../support/front-server.ts';
import { startRelay } from '../support/relay.ts';
import { startSampleSite } from '../support/sample-site.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

/** A folder of files that nginx serves, and a running site of another name that receives its forms. */
const it = browserTest
  .extend('backend', async ({}, { onCleanup }) => {
    const sample = await startSampleSite();
    const relay = await startRelay(sample.backend.url);
    onCleanup(async () => {
      await relay.close();
      await sample.close();
    });
    return relay;
  })
  .extend('pair', async ({ backend, skip }, { onCleanup }) => {
    const engine = engineFor('nginx', { skip });
    const sites: RunningSite[] = [];
    const files = await startFileServer(engine, async (url, root) => {
      const site = await startSite({ contentBaseUrl: backend.url, env: { FORM_ORIGINS: url } });
      sites.push(site);
      const env = { PATH: process.env.PATH, CONTENT_BASE_URL: backend.url, CONTENT_TIMEOUT_MS: '20000' };
      const forms = new URL(otherSite(site));
      await exportTo(path.dirname(root), { out: root, publicUrl: new URL(url), forms, env });
      return path.join(root, '_nginx.conf');
    });
    onCleanup(async () => {
      await files.dispose();
      for (const site of sites) await site.close();
    });
    return { filesUrl: files.url, formsUrl: sites.map(otherSite).join() };
  });

/** @returns the address by another name, so that a browser sees another site and not only another port. */
function otherSite({ url }: RunningSite): string {
  return url.replace('127.0.0.1', 'localhost');
}

it('a form of an export sends its message across origins, and the running site says thanks', async ({
  browser,
  pair,
  backend,
}) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, close } = await openPage(browser, { javaScriptEnabled });
    await page.goto(`${pair.filesUrl}/contacts`);
    if (javaScriptEnabled) await hydrated(page);
    const form = new FormPage(page, pair.filesUrl);
    // Change the text, because equal messages count as one.
    await form.fill({ ...MESSAGE, company: `JavaScript: ${javaScriptEnabled}` });
    await form.button().click();
    await page.getByText('Thank you').first().waitFor();
    expect(new URL(page.url()).origin).toBe(pair.formsUrl);
    await close();
  }
  await expect.poll(() => backend.callsTo(SEND)).toHaveLength(2);
});
