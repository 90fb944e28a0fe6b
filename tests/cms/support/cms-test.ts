import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inject, test } from 'vitest';
import { siteSettings } from '../../../build/cms/secrets.ts';
import { freePort } from '../../support/free-port.ts';
import { startSampleSite } from '../../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../../support/send-request.ts';
import { startSite } from '../../support/start-site.ts';
import { signIn } from './admin-client.ts';
import { endStrapi, runStrapi } from './strapi.ts';

/** Content never expires by age, so a change becomes visible only by its event or the sweep. */
const CONTENT_TTL_MS = '3600000';

/**
 * Gives each test file a Strapi with the sample content, and a site that reads from it. The site gets the
 * events of Strapi.
 */
export const cmsTest = test
  .extend('settings', { scope: 'file' }, async () => inject('seed').settings)
  .extend('cmsEnv', { scope: 'file' }, async (): Promise<Record<string, string>> => ({}))
  .extend('siteEnv', { scope: 'file' }, async (): Promise<Record<string, string>> => ({}))
  /** The site's port is chosen before both start, because Strapi calls the site. */
  .extend('sitePort', { scope: 'file' }, async () => freePort())
  /**
   * All settings of the CMS, with a copy of the content. A second process with another `CMS_PORT` shares its
   * database.
   */
  .extend('cmsSettings', { scope: 'file' }, async ({ settings, sitePort, cmsEnv }, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'cms-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    await cp(inject('seed').folder, folder, { recursive: true });
    const CMS_PORT = String(await freePort());
    const SITE_URL = `http://127.0.0.1:${sitePort}`;
    return { ...settings, CMS_DATA_DIR: folder, CMS_PORT, SITE_URL, ...cmsEnv };
  })
  .extend('cms', { scope: 'file' }, async ({ cmsSettings }, { onCleanup }) => {
    const strapi = await runStrapi(cmsSettings);
    onCleanup(() => endStrapi(strapi.child));
    return strapi;
  })
  /** The address by which the site reaches the CMS. */
  .extend('contentBaseUrl', { scope: 'file' }, async ({ cms }) => cms.url)
  .extend(
    'site',
    { scope: 'file' },
    async ({ cmsSettings, contentBaseUrl, cms, sitePort, siteEnv }, { onCleanup }) => {
      const { CONTENT_BASE_URL: _, ...env } = siteSettings(cmsSettings, cms.url);
      const site = await startSite({
        contentBaseUrl,
        port: sitePort,
        env: { ...env, CONTENT_TTL_MS, ...siteEnv },
      });
      onCleanup(() => site.close());
      return site;
    },
  )
  /** A site that reads the content folder in place of the CMS, for comparison. */
  .extend('sample', { scope: 'file' }, async ({}, { onCleanup }) => {
    const sample = await startSampleSite();
    onCleanup(() => sample.close());
    return sample;
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
