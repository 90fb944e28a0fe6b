import { describe, expect } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { capture } from '../support/fake-backend.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { siteTest } from '../support/site-test.ts';

const PATH = '/.well-known/security.txt';
const PUBLIC_URL = 'https://www.example.com';
const DAY_MS = 24 * 60 * 60 * 1_000;

const it = siteTest.extend(
  'siteEnv',
  { scope: 'file' },
  async (): Promise<Record<string, string>> => ({
    PUBLIC_URL,
    SECURITY_CONTACT: 'mailto:security@example.com, https://www.example.com/report',
    SECURITY_POLICY: 'https://www.example.com/security',
  }),
);

describe('/.well-known/security.txt', () => {
  it('security.txt has the fields of RFC 9116, and an expiry in the future', async ({ sample }) => {
    const { status, headers, text } = await sendRequest(sample.url, PATH);
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const fields = text
      .split('\n')
      .filter(Boolean)
      .map(line => line.split(/: (.*)/, 2));
    const expires = Date.parse(fields.find(([name]) => name === 'Expires')?.[1] ?? '');
    expect(fields.filter(([name]) => name !== 'Expires')).toEqual([
      ['Contact', 'mailto:security@example.com'],
      ['Contact', 'https://www.example.com/report'],
      ['Canonical', PUBLIC_URL + PATH],
      ['Policy', 'https://www.example.com/security'],
      ['Preferred-Languages', 'en'],
    ]);
    expect(expires - Date.now()).toBeGreaterThan(179 * DAY_MS);
    expect(expires - Date.now()).toBeLessThan(365 * DAY_MS);
  });

  it('security.txt has the headers of every response, and is revalidated', async ({ sample }) => {
    const { headers } = await sendRequest(sample.url, PATH);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cache-control': 'public, max-age=86400',
    });
    const again = await sendRequest(sample.url, PATH, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect(again.status).toBe(304);
    expect((await sendRequest(sample.url, PATH, { method: 'POST' })).status).toBe(405);
  });

  it.for([
    ['de-DE', 'de, en'],
    ['en-GB', 'en'],
    [null, 'ar, en'],
  ])(
    'security.txt states the language %s of the settings, or that of the configuration',
    async ([language, expected], { backend, startOwnSite }) => {
      const settings = structuredClone(capture('v4', 'settings.json')) as unknown as {
        data: { attributes: object };
      };
      Object.assign(settings.data.attributes, { language });
      backend.on('/api/settings', settings);
      const env = { SECURITY_CONTACT: 'mailto:security@example.com', SITE_LOCALE: 'ar-EG' };
      const site = await startOwnSite({ env });
      await sendRequest(site.url, '/about', { headers: AS_BROWSER });
      expect((await sendRequest(site.url, PATH)).text).toContain(`Preferred-Languages: ${expected}\n`);
    },
  );

  it('security.txt does not exist without SECURITY_CONTACT', async ({ startOwnSite }) => {
    const site = await startOwnSite();
    expect((await sendRequest(site.url, PATH)).status).toBe(404);
  });

  it.for([
    ['security@example.com'],
    ['http://www.example.com/report'],
    ['mailto:a@example.com\nContact: mailto:evil@example.com'],
    ['javascript:alert(1)'],
  ])('SECURITY_CONTACT refuses %j', ([contact]) => {
    expect(() => readConfig({ SECURITY_CONTACT: contact })).toThrow(
      'SECURITY_CONTACT: wants addresses such as',
    );
  });

  it('SECURITY_POLICY requires SECURITY_CONTACT', () => {
    expect(() => readConfig({ SECURITY_POLICY: 'https://www.example.com/security' })).toThrow(
      'SECURITY_CONTACT',
    );
    expect(() => readConfig({ SECURITY_POLICY: '/security' })).toThrow(
      'SECURITY_POLICY: wants an https address',
    );
  });
});
