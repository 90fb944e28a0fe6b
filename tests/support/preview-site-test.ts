import { browserTest } from './browser-test.ts';
import { PREVIEW_ENV, startAdmin, startDraftCms } from './preview-test.ts';
import { startSite } from './start-site.ts';

/** A site with drafts, and a stand-in for the panel of the CMS, whose frame may show previews. */
export const previewSiteTest = browserTest
  .extend('admin', { scope: 'file' }, async ({}, { onCleanup }) => {
    const admin = await startAdmin();
    onCleanup(() => admin.close());
    return admin;
  })
  .extend('base', { scope: 'file' }, async ({ admin }, { onCleanup }) => {
    const cms = await startDraftCms();
    const env = { ...PREVIEW_ENV, PREVIEW_FRAME_ORIGINS: admin.url };
    const site = await startSite({ contentBaseUrl: cms.url, env });
    onCleanup(async () => {
      await site.close();
      await cms.close();
    });
    return site.url.replace('127.0.0.1', 'localhost');
  });
