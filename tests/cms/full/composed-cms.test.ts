import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { CmsSettings } from '../../../build/cms/secrets.ts';
import { writeImport } from '../../../build/cms/write-import.ts';
import { completeStack } from '../../../deploy/scripts/write-env.ts';
import { composeWith, imageEnvironment } from '../../support/deployed-files.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { editingTest } from '../support/editing-test.ts';
import { startPostgres } from '../support/postgres.ts';

/** The CMS with the variables of its image and of `deploy/compose.yaml`, on a PostgreSQL. */
const it = editingTest
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'composed-cms-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return folder;
  })
  .extend('settings', { scope: 'file' }, async ({ folder }): Promise<CmsSettings> => {
    const variables = completeStack(path.join(folder, '.env'));
    const { services } = composeWith(variables);
    const { ADMIN_EMAIL = '', ADMIN_PASSWORD = '' } = variables;
    const own = services.cms?.environment ?? {};
    return { ...imageEnvironment('cms/Dockerfile'), ...own, ADMIN_EMAIL, ADMIN_PASSWORD };
  })
  .extend('cmsSettings', { scope: 'file' }, async ({ folder, settings, sitePort }, { onCleanup }) => {
    const postgres = await startPostgres();
    onCleanup(() => postgres.close());
    return {
      ...settings,
      SITE_URL: settings.SITE_URL ?? '',
      CMS_PORT: String(await freePort()),
      CMS_DATA_DIR: path.join(folder, 'data'),
      CMS_IMPORT: await writeImport(path.join(folder, 'import')),
      DATABASE_URL: postgres.url,
      SITE_WEBHOOK_URL: `http://127.0.0.1:${sitePort}`,
    };
  });

describe('the CMS of deploy/compose.yaml', () => {
  it('the CMS imports the sample, and sends its events to SITE_WEBHOOK_URL', async ({
    admin,
    site,
    idOf,
    getPage,
  }) => {
    expect((await getPage('/about')).status).toBe(200);
    await admin.publish('page', await idOf('page', 'about'), { description: 'Told by the webhook.' });
    await eventually(async () => expect((await getPage('/about')).text).toContain('Told by the webhook.'));
    expect(site.log.map(({ code }) => code)).toContain('webhook-accepted');
  });
});
