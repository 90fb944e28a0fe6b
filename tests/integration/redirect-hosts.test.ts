import { describe, expect } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { build, ORIGIN } from '../support/redirect-rows.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';

const NOT_NAMED = "'to' leads to a host that REDIRECT_HOSTS does not name";

const ROWS = [
  { from: '/shop/**', to: 'https://shop.example.com/**' },
  { from: '/port', to: 'https://shop.example.com:8443/' },
  { from: '/elsewhere', to: 'https://evil.example/' },
  { from: '/protocol-relative', to: '//evil.example/x' },
  { from: '/below', to: 'https://shop.example.com.evil.example/' },
  { from: '/above', to: 'https://example.com/' },
  { from: '/own', to: `${ORIGIN}/about` },
  { from: '/inside', to: '/about' },
];

describe('with REDIRECT_HOSTS', () => {
  it('REDIRECT_HOSTS limits redirects to the site and the named hosts', async ({ backend, startOwnSite }) => {
    backend.on('/api/redirects', {
      data: ROWS.map((attributes, index) => ({ id: index + 1, attributes })),
      meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: ROWS.length } },
    });
    const site = await startOwnSite({ env: { PUBLIC_URL: ORIGIN, REDIRECT_HOSTS: 'Shop.Example.com' } });
    const answers = await Promise.all(
      ROWS.map(async ({ from }) => {
        const path = from.replace('**', 'cups');
        const page = await sendRequest(site.url, path, { headers: AS_BROWSER });
        const payload = await sendRequest(site.url, `${path}/_payload.json`);
        return [path, page.headers.location ?? page.status, payload.json().redirect ?? null];
      }),
    );
    expect(answers).toEqual([
      ['/shop/cups', 'https://shop.example.com/cups', expect.objectContaining({ external: true })],
      ['/port', 'https://shop.example.com:8443/', expect.objectContaining({ external: true })],
      ['/elsewhere', 404, null],
      ['/protocol-relative', 404, null],
      ['/below', 404, null],
      ['/above', 404, null],
      ['/own', '/about', expect.objectContaining({ to: '/about', external: false })],
      ['/inside', '/about', expect.objectContaining({ to: '/about', external: false })],
    ]);
    const lines = site.log.filter(({ code }) => code === 'content-redirect-left-out');
    expect(lines.map(({ level, from, field, reason }) => [level, from, field, reason])).toEqual(
      ['/elsewhere', '/protocol-relative', '/below', '/above'].map(from => ['warn', from, 'to', NOT_NAMED]),
    );
  });

  it('a host with a port allows only that port, and an empty REDIRECT_HOSTS allows no host', () => {
    const leftOut = (hosts: readonly string[] | null) =>
      build(
        [
          ['/a', 'https://a.example:8443/'],
          ['/b', 'https://a.example/'],
        ],
        ORIGIN,
        hosts,
      ).problems.map(({ id }) => id);
    expect(leftOut(['a.example:8443'])).toEqual(['row 1']);
    expect(leftOut([])).toEqual(['row 0', 'row 1']);
    expect(leftOut(null)).toEqual([]);
  });

  it.for([
    ['shop.example.com', ['shop.example.com']],
    [' Shop.example.com:8443 ,cdn.example ', ['shop.example.com:8443', 'cdn.example']],
    ['', null],
  ] as const)('REDIRECT_HOSTS reads %j', ([text, hosts]) => {
    expect(readConfig({ REDIRECT_HOSTS: text }).redirectHosts).toEqual(hosts);
  });

  it('a URL in place of a host in REDIRECT_HOSTS prevents the start', () => {
    expect(() => readConfig({ REDIRECT_HOSTS: 'https://shop.example.com' })).toThrow(
      'REDIRECT_HOSTS: wants hosts such as shop.example.com, separated by commas',
    );
  });
});
