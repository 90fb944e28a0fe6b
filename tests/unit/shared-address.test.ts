import { describe, expect, it } from 'vitest';
import { parseSharedAddress, shownAddress } from '../../server/config/server-addresses.ts';

const PLAIN = {
  hosts: [{ host: 'cache.internal', port: 6_379 }],
  ...{ sentinelGroup: null, tls: false, username: null, password: null, sentinelPassword: null, database: 0 },
};

describe('the address of the shared store', () => {
  it.each([
    ['redis://cache.internal', PLAIN],
    [
      'redis://cache.internal:7000/3',
      { ...PLAIN, hosts: [{ host: 'cache.internal', port: 7_000 }], database: 3 },
    ],
    ['rediss://site:p%40ss,1@cache.internal', { ...PLAIN, tls: true, username: 'site', password: 'p@ss,1' }],
    ['redis://:only@[::1]:6380', { ...PLAIN, hosts: [{ host: '::1', port: 6_380 }], password: 'only' }],
    [
      'rediss+sentinel://site:secret@one,two:27000/main/1?sentinelPassword=other',
      {
        hosts: [
          { host: 'one', port: 26_379 },
          { host: 'two', port: 27_000 },
        ],
        ...{ sentinelGroup: 'main', tls: true, username: 'site', password: 'secret' },
        ...{ sentinelPassword: 'other', database: 1 },
      },
    ],
  ])('SHARED_URL is decoded: %s', (text, expected) => {
    expect(parseSharedAddress(text)).toEqual(expected);
  });

  it.each([
    '',
    'redis:',
    'redis://',
    'cache:6379',
    'redis://a,b',
    'redis://a:x',
    'redis+sentinel://a',
    'redis://a/0/1',
    'redis://a#b',
  ])('SHARED_URL in another format is refused: %j', text => {
    expect(parseSharedAddress(text)).toBeNull();
  });

  it('SHARED_URL is shown without user and password', () => {
    const shown = (text: string) => shownAddress(parseSharedAddress(text) ?? expect.fail('no address'));
    expect(shown('rediss://site:secret@cache.internal')).toBe('rediss://cache.internal:6379');
    expect(shown('redis://:secret@[::1]')).toBe('redis://[::1]:6379');
    expect(shown('redis+sentinel://site:secret@one,two/main?sentinelPassword=other')).toBe(
      'redis+sentinel://one:26379,two:26379/main',
    );
  });
});
