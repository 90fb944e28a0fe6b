import { describe, expect } from 'vitest';
import { capture } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';

const SENTENCE = 'what we do with your data';

describe('the privacy sentence of the forms', () => {
  it('each form links its privacy sentence once, to the page that the settings name', async ({ getPage }) => {
    const { text } = await getPage('/contacts');
    expect(text.match(new RegExp(`Read <a href="/privacy"[^>]*>${SENTENCE}</a>`, 'g'))).toHaveLength(2);
    expect(parsePage(text).inline).toEqual([]);
  });

  it.for([undefined, '', 'javascript:alert(1)'])(
    'forms lack the privacy sentence if the settings have %j',
    async (privacyLink, { backend, startOwnSite }) => {
      const settings = structuredClone(capture('v4', 'settings.json')) as {
        data: { attributes: Record<string, unknown> };
      };
      settings.data.attributes.privacyLink = privacyLink;
      backend.on('/api/settings', settings);
      const site = await startOwnSite();
      const { status, text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
      expect(status).toBe(200);
      expect(text).not.toContain(SENTENCE);
      expect(text).not.toContain('javascript:');
    },
  );
});
