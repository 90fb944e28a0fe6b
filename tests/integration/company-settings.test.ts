import { describe, expect } from 'vitest';
import { capture } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';

interface Recorded {
  data: { attributes: Record<string, unknown> };
}

/** The recorded settings with other values. */
function settingsWith(values: Record<string, unknown>): Recorded {
  const settings = structuredClone(capture('v4', 'settings.json')) as unknown as Recorded;
  Object.assign(settings.data.attributes, values);
  return settings;
}

const COMPANY = {
  language: 'de-DE',
  legalName: 'Nordwind GmbH',
  address: 'Kaistraße 5\n20457 Hamburg\n\nDeutschland ',
  register: 'Amtsgericht Hamburg, HRB 12345 <b>',
  vatId: 'DE123456789',
  supervisor: 'Beaufsichtigt von der BaFin',
  year: '2019–2026',
};

describe('the company in the settings', () => {
  it('legal name, address, register and VAT ID are in the footer and in the structured data', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/settings', settingsWith(COMPANY));
    // An editor's structured data of the landing page would replace that of the site.
    const landing = structuredClone(capture('v4', 'landing.json')) as unknown as Recorded;
    for (const name of ['schema1', 'schema2', 'schema3']) landing.data.attributes[name] = null;
    backend.on('/api/landing', landing);
    const site = await startOwnSite({ env: { PUBLIC_URL: 'https://www.example.com' } });
    const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
    const footer = text.slice(text.indexOf('<footer'));
    for (const part of [
      '<bdi>Kaistraße 5, 20457 Hamburg, Deutschland</bdi>',
      '<bdi>Amtsgericht Hamburg, HRB 12345 &lt;b&gt;</bdi>',
      '<bdi>USt-IdNr.: DE123456789</bdi>',
      '<bdi>Beaufsichtigt von der BaFin</bdi>',
      '<bdi>© 2019–2026 Nordwind GmbH</bdi>',
    ])
      expect(footer).toContain(part);
    expect(parsePage(text).inline).toEqual([]);
    const blocks = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)];
    const organization = blocks
      .map(([, json = '']) => JSON.parse(json))
      .find(it => it['@type'] === 'Organization');
    expect(organization).toMatchObject({
      legalName: 'Nordwind GmbH',
      address: 'Kaistraße 5, 20457 Hamburg, Deutschland',
      vatID: 'DE123456789',
      identifier: 'Amtsgericht Hamburg, HRB 12345 <b>',
    });
  });

  it('empty company settings add no footer line, no JSON-LD keys', async ({ backend, startOwnSite }) => {
    backend.on('/api/settings', settingsWith({ legalName: '', address: ' \n' }));
    const site = await startOwnSite();
    const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
    expect(text).not.toContain('<bdi');
    expect(text).not.toMatch(/legalName|vatID/);
  });
});

describe('the accent colour of the settings', () => {
  it('an accent colour is a hashed stylesheet after that of the build, preloaded, and part of the ETag', async ({
    backend,
    startOwnSite,
  }) => {
    const before = await startOwnSite();
    const plain = await sendRequest(before.url, '/about', { headers: AS_BROWSER });
    backend.on('/api/settings', settingsWith({ accentColor: ' #A4262C ' }));
    const site = await startOwnSite();
    const { text, headers } = await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    const [, address = ''] =
      /<link rel="stylesheet" href="(\/accent\/a4262c-[0-9a-f]{8}\.css)">/.exec(text) ?? [];
    expect(text.indexOf(address)).toBeGreaterThan(text.indexOf(site.site.manifest.stylesheet));
    expect(headers.link).toContain(`<${address}>; rel=preload; as=style`);
    expect(headers.etag).not.toBe(plain.headers.etag);
    // The policy equals that of pages without their own stylesheets.
    expect(headers['content-security-policy']).toBe(plain.headers['content-security-policy']);
    expect(parsePage(text).inline).toEqual([]);
    const sheet = await sendRequest(site.url, address);
    expect(sheet).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    });
    expect(sheet.text).toMatch(/^:root\{--accent:light-dark\(#a4262c,#[0-9a-f]{6}\);--accent-hover:/);
  });

  it.for([
    ['#ffd400', /contrast on light surfaces is 1\.\d+:1, and texts need 4\.5:1/],
    ['red; } body { display: none', /a colour such as #a4262c is needed/],
  ] as const)(
    'an unusable accent colour %s is logged and not used',
    async ([accentColor, reason], { backend, startOwnSite }) => {
      backend.on('/api/settings', settingsWith({ accentColor }));
      const site = await startOwnSite();
      const { text } = await sendRequest(site.url, '/about', { headers: AS_BROWSER });
      expect(text).not.toContain('/accent/');
      expect(site.log.filter(line => line.field === 'accentColor')).toEqual([
        expect.objectContaining({ code: 'content-value-left-out', reason: expect.stringMatching(reason) }),
      ]);
    },
  );

  it('a stylesheet of an unusable accent is a 404, and one with a wrong hash is not cached', async ({
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    for (const file of ['ffd400-00000000.css', 'a4262c.css', 'zzzzzz-00000000.css'])
      expect((await sendRequest(site.url, `/accent/${file}`)).status).toBe(404);
    const { status, headers } = await sendRequest(site.url, '/accent/a4262c-00000000.css');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  });
});
