import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inject, test } from 'vitest';
import { siteSettings } from '../../../build/cms/secrets.ts';
import { AS_BROWSER, sendRequest } from '../../support/send-request.ts';
import { startSite } from '../../support/start-site.ts';
import { signIn } from './admin-client.ts';
import { freePort } from './free-port.ts';
import { endStrapi, runStrapi } from './strapi.ts';

/** Gives each test file a Strapi with the sample content, and a site that reads from it and hears of its changes. */
export const cmsTest = test
  .extend('settings', { scope: 'file' }, async () => inject('seed').settings)
  .extend('cmsEnv', { scope: 'file' }, async (): Promise<Record<string, string>> => ({}))
  /** The site's address is known before both start: Strapi calls it. */
  .extend('sitePort', { scope: 'file' }, async () => freePort())
  .extend('cms', { scope: 'file' }, async ({ settings, sitePort, cmsEnv }, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'cms-'));
    await cp(inject('seed').folder, folder, { recursive: true });
    const strapi = await runStrapi({
      ...settings,
      CMS_DATA_DIR: folder,
      CMS_PORT: String(await freePort()),
      SITE_URL: `http://127.0.0.1:${sitePort}`,
      ...cmsEnv,
    });
    onCleanup(async () => {
      await endStrapi(strapi.child);
      await rm(folder, { recursive: true, force: true });
    });
    return strapi;
  })
  .extend('site', { scope: 'file' }, async ({ cms, settings, sitePort }, { onCleanup }) => {
    const { CONTENT_BASE_URL: contentBaseUrl = '', ...env } = siteSettings(settings, cms.url);
    const site = await startSite({ contentBaseUrl, port: sitePort, env });
    onCleanup(() => site.close());
    return site;
  })
  .extend('admin', { scope: 'file' }, async ({ cms, settings }) =>
    signIn(cms.url, settings.ADMIN_EMAIL ?? '', settings.ADMIN_PASSWORD ?? ''),
  )
  .extend(
    'getPage',
    async ({ site }) =>
      (page: string) =>
        sendRequest(site.url, page, { headers: AS_BROWSER }),
  );
