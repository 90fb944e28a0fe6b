import { describe, expect } from 'vitest';
import { brand } from '../../site/brand.ts';
import { capture } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';

/** The recorded settings without the site name. */
function namelessSettings(): object {
  const settings = structuredClone(capture('v4', 'settings.json')) as {
    data: { attributes: Record<string, unknown> };
  };
  settings.data.attributes.siteName = null;
  return settings;
}

describe('a site whose settings have no name', () => {
  it.for([
    [{ PUBLIC_URL: 'https://www.acme.test' }, 'www.acme.test'],
    [{ PUBLIC_URL: 'any' }, 'Website'],
  ] as const)(
    'a site without a name in settings and brand, with %o, is called %s',
    async ([env, name], { backend, startOwnSite }) => {
      backend.on('/api/settings', namelessSettings());
      const site = await startOwnSite({ env });
      for (const path of ['/', '/blog', '/no/such/page']) {
        const { text } = await sendRequest(site.url, path, {
          headers: { ...AS_BROWSER, host: 'www.acme.test' },
        });
        const page = parsePage(text);
        expect(page.title, path).toContain(brand.name ?? name);
        expect(page.data?.payload.data.shell?.siteName, path).toBe(brand.name ?? name);
        expect(text, path).not.toContain('Corridor');
      }
    },
  );

  it('the error page has the host as site name while the settings cannot be read', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/settings', (_req, res) => res.writeHead(500).end());
    const site = await startOwnSite({ env: { PUBLIC_URL: 'https://www.acme.test' } });
    const { status, text } = await sendRequest(site.url, '/', {
      headers: { ...AS_BROWSER, host: 'www.acme.test' },
    });
    expect(status).toBe(503);
    expect(text).not.toContain('Corridor');
    expect(parsePage(text).title).toBe(`Internal Server Error – ${brand.name ?? 'www.acme.test'}`);
  });
});
