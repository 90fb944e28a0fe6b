import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config/config.ts';

const VARNISH = 'varnish:http://10.0.0.1:6081';
const WANTS =
  'CDN_PURGE: wants varnish:http://10.0.0.1:6081 (several addresses with commas), fastly:SERVICE_ID or cloudflare:ZONE_ID';

describe('CDN_PURGE', () => {
  it.each([
    ['fastly:SU1Z0isxPaozGVKXdv0eY', { kind: 'fastly', id: 'SU1Z0isxPaozGVKXdv0eY' }],
    ['cloudflare:023e105f4ecef8ad', { kind: 'cloudflare', id: '023e105f4ecef8ad' }],
    [
      `${VARNISH}, http://10.0.0.2:6081/`,
      { kind: 'varnish', urls: ['http://10.0.0.1:6081', 'http://10.0.0.2:6081'] },
    ],
  ])('CDN_PURGE accepts %s', (value, cdnPurge) => {
    const config = readConfig({ CDN_PURGE: value, CDN_TOKEN: 'a-token', CDN_API: 'http://127.0.0.1:8080' });
    expect(config).toMatchObject({ cdnPurge, cdnToken: 'a-token', cdnApi: 'http://127.0.0.1:8080' });
  });

  it.each([
    'fastly',
    'fastly:',
    'fastly:a b',
    'varnish:',
    'varnish:10.0.0.1',
    'varnish:http://a,',
    'akamai:1',
  ])('CDN_PURGE refuses %s, and the error lists the accepted values', value => {
    expect(() => readConfig({ CDN_PURGE: value, CDN_TOKEN: 'a-token' })).toThrow(WANTS);
  });

  it.each(['fastly', 'https://a/b'])('CDN_API refuses %s, and the error lists the accepted values', value => {
    expect(() => readConfig({ CDN_PURGE: VARNISH, CDN_API: value })).toThrow(
      'CDN_API: wants an http(s) address without a path, such as https://api.fastly.com',
    );
  });

  it('a CDN vendor requires CDN_TOKEN, and CDN_TOKEN or CDN_API requires CDN_PURGE', () => {
    expect(() => readConfig({ CDN_PURGE: 'fastly:abc' })).toThrow(
      'CDN_TOKEN: wants a token of fastly that may purge, because CDN_PURGE names it',
    );
    for (const name of ['CDN_TOKEN', 'CDN_API'])
      expect(() => readConfig({ [name]: 'http://127.0.0.1' })).toThrow(
        'CDN_PURGE: wants the cache that CDN_TOKEN or CDN_API is for',
      );
    expect(readConfig({ CDN_PURGE: VARNISH }).cdnToken).toBeNull();
  });
});
