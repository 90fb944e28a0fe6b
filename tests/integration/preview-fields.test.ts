import { expect, it } from 'vitest';
import { MARK } from '../../shared/payload/preview-notes.ts';
import { payloadPath } from '../support/payload-path.ts';
import { editor, PREVIEW_ENV, startDraftCms } from '../support/preview-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

it('a site with previews adds no byte to its public pages, even after a preview', async () => {
  const cms = await startDraftCms();
  const plain = await startSite({ contentBaseUrl: cms.url });
  const site = await startSite({ contentBaseUrl: cms.url, env: PREVIEW_ENV });
  try {
    for (const page of Object.values(SAMPLE_PATHS))
      for (const address of [page, payloadPath(page)]) {
        const textOf = async (url: string, headers = {}) =>
          (await sendRequest(url, address, { headers: { ...AS_BROWSER, ...headers } })).text;
        const previewed = await textOf(site.url, editor());
        expect(previewed, address).toMatch(MARK);
        const text = await textOf(site.url);
        expect(text, address).toBe((await textOf(plain.url)).replaceAll(plain.url, site.url));
        expect(text, address).not.toMatch(/data-field|"preview":/);
      }
  } finally {
    await Promise.all([plain.close(), site.close()]);
    await cms.close();
  }
});
