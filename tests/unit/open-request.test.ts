import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OpenRequestOptions, requestOpener } from '../../server/http/request/open-request.ts';
import { trustedProxies } from '../../server/http/security/served-hosts.ts';
import { AskedPage } from '../../server/page/find-page.ts';
import { routeTable } from '../../shared/routing/routes.ts';

const HOST = 'www.example.com';
const DIRECT: OpenRequestOptions = {
  config: { publicOrigin: null, anyHost: false },
  acceptsAnyHost: () => false,
  servesHost: host => host === HOST,
  trusts: trustedProxies({ trustProxy: false }),
};
function requestWith(
  headers: Record<string, string>,
  url = '/',
  { remoteAddress = '10.0.0.1', encrypted = false } = {},
): IncomingMessage {
  const rawHeaders = Object.entries(headers).flat();
  const socket = { remoteAddress, ...(encrypted ? { encrypted } : {}) };
  return { url, method: 'GET', headers, rawHeaders, socket } as unknown as IncomingMessage;
}

describe('the origin of a request', () => {
  const open = (config: OpenRequestOptions['config'], host: string, connection = {}) =>
    requestOpener({ ...DIRECT, config, servesHost: () => true })(requestWith({ host }, '/', connection));
  const LOCAL = { remoteAddress: '127.0.0.1' };

  it('the origin of a request is PUBLIC_URL, whatever the host and the connection', () => {
    const config = { publicOrigin: `https://${HOST}`, anyHost: false };
    for (const host of [HOST, 'localhost', 'other.example'])
      expect(open(config, host, LOCAL)).toMatchObject({ origin: `https://${HOST}`, refusal: null });
  });

  it('with PUBLIC_URL=any no request has a public origin, not even one from localhost', () => {
    const config = { publicOrigin: null, anyHost: true };
    for (const host of [HOST, 'localhost', '127.0.0.1:3000'])
      expect(open(config, host, LOCAL)).toMatchObject({ origin: null, refusal: null });
  });

  it.each<[host: string, connection: object, origin: string | null]>([
    ['localhost', LOCAL, 'http://localhost'],
    ['LocalHost:3000', LOCAL, 'http://localhost:3000'],
    ['127.0.0.1:3000', { remoteAddress: '::ffff:127.0.0.1' }, 'http://127.0.0.1:3000'],
    ['[::1]:3000', { remoteAddress: '::1' }, 'http://[::1]:3000'],
    ['shop.localhost', LOCAL, 'http://shop.localhost'],
    ['localhost', { ...LOCAL, encrypted: true }, 'https://localhost'],
    // A remote client may send any Host header.
    ['localhost', { remoteAddress: '10.0.0.1' }, null],
    ['www.example.com', LOCAL, null],
    ['192.168.1.5:3000', LOCAL, null],
    ['localhost.example', LOCAL, null],
    ['notlocalhost', LOCAL, null],
    ['127.0.0.1.example', LOCAL, null],
  ])(
    'without PUBLIC_URL only a browser on this machine gives an origin: %s %j',
    (host, connection, origin) => {
      expect(open(DIRECT.config, host, connection)).toMatchObject({ origin, refusal: null });
    },
  );
});

describe('a request', () => {
  it('each request has a unique id', () => {
    const open = requestOpener(DIRECT);
    const ids = Array.from({ length: 100 }, () => open(requestWith({ host: HOST })).id);
    expect(new Set(ids).size).toBe(100);
  });

  it('a hostile URL or header never makes request handling throw, which would end the process', () => {
    const header = fc.string({ unit: 'binary', maxLength: 50 });
    const address = fc.oneof(fc.webPath(), fc.string({ unit: 'binary' })).map(path => `/${path}`);
    const query = fc.oneof(
      fc.constant(''),
      fc.string({ unit: 'binary' }).map(text => `?page=${text}`),
    );
    fc.assert(
      fc.property(address, query, header, header, (path, search, host, encoding) => {
        const url = path + search;
        const req = requestWith({ host, 'accept-encoding': encoding, 'user-agent': encoding }, url);
        const { origin } = requestOpener(DIRECT)(req);
        const asked = new AskedPage(routeTable, req, origin);
        expect(asked.lookup.key).toContain(asked.request.path);
      }),
    );
  });

  it('a request is parsed and matched once', () => {
    const asked = new AskedPage(routeTable, requestWith({ host: HOST }, '/blog/guides?page=2'), 'http://x');
    expect(asked.request).toBe(asked.request);
    expect(asked.lookup).toBe(asked.lookup);
    expect(asked.lookup.request).toBe(asked.request);
    expect(asked.lookup.match?.route.id).toBe('blog-category');
  });
});
