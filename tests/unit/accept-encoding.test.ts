import { describe, expect, it } from 'vitest';
import { encodingFor } from '../../server/http/request/accept-encoding.ts';

describe('the encoding chosen for a client', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.5', 'gzip'],
    ['identity', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['gzip, *;q=0', 'gzip'],
    ['identity;q=0', 'identity'],
    ['deflate', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    [';;,,=', 'identity'],
  ] as const)('Accept-Encoding %j selects %s, both computed and remembered', (header, encoding) => {
    expect([encodingFor(header), encodingFor(header)]).toEqual([encoding, encoding]);
  });

  it('an encoding is found in an Accept-Encoding header of any length', () => {
    expect(encodingFor(`${'x, '.repeat(2_000)}gzip`)).toBe('gzip');
  });
});
