import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OpenRequestOptions, requestOpener } from '../../server/http/open-request.ts';
import { trustedProxies } from '../../server/http/served-hosts.ts';
import { AskedPage } from '../../server/page/find-page.ts';
import { routeTable } from '../../shared/routing/routes.ts';

const HOST = 'www.example.com';
const DIRECT: OpenRequestOptions = {
  publicOrigin: null,
  acceptsAnyHost: () => false,
  servesHost: host => host === HOST,
  trusts: trustedProxies({ trustProxy: false }),
};
const BEHIND_PROXY = { ...DIRECT, trusts: trustedProxies({ trustProxy: 1 }) };

function requestWith(headers: Record<string, string>, url = '/', encrypted = false): IncomingMessage {
  const rawHeaders = Object.entries(headers).flat();
  const socket = { remoteAddress: '10.0.0.1', ...(encrypted ? { encrypted } : {}) };
  return { url, method: 'GET', headers, rawHeaders, socket } as unknown as IncomingMessage;
}

describe('the origin of a request', () => {
  it.each([
    [
      'PUBLIC_URL, where it is configured',
      { ...DIRECT, publicOrigin: `https://${HOST}` },
      {},
      false,
      `https://${HOST}`,
    ],
    ['the Host header', DIRECT, {}, false, `http://${HOST}`],
    ['https on an encrypted connection', DIRECT, {}, true, `https://${HOST}`],
    [
      'the protocol of a trusted proxy',
      BEHIND_PROXY,
      { 'x-forwarded-proto': 'https, http' },
      false,
      `https://${HOST}`,
    ],
    [
      'http where a trusted proxy says so',
      BEHIND_PROXY,
      { 'x-forwarded-proto': 'http' },
      true,
      `http://${HOST}`,
    ],
    [
      'nothing of a proxy that is not trusted',
      DIRECT,
      { 'x-forwarded-proto': 'https' },
      false,
      `http://${HOST}`,
    ],
    [
      'the connection when the proxy sends nothing',
      BEHIND_PROXY,
      { 'x-forwarded-proto': '' },
      false,
      `http://${HOST}`,
    ],
  ])('is %s', (_name, options, headers, encrypted, origin) => {
    const open = requestOpener(options)(requestWith({ host: HOST, ...headers }, '/', encrypted));
    expect(open).toMatchObject({ origin, refusal: null });
  });
});

describe('a request', () => {
  it('has an id of its own', () => {
    const open = requestOpener(DIRECT);
    const ids = Array.from({ length: 100 }, () => open(requestWith({ host: HOST })).id);
    expect(new Set(ids).size).toBe(100);
  });

  it('is opened and looked up without an exception, which would end the process', () => {
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

  it('is parsed and matched once', () => {
    const asked = new AskedPage(routeTable, requestWith({ host: HOST }, '/blog/guides?page=2'), 'http://x');
    expect(asked.request).toBe(asked.request);
    expect(asked.lookup).toBe(asked.lookup);
    expect(asked.lookup.renderRequest.request).toBe(asked.request);
    expect(asked.lookup.renderRequest.match?.route.id).toBe('blog-category');
  });
});
