import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { checkConnections } from '../../server/doctor/check-site.ts';

const HERE = 'http://127.0.0.1:1337';
const about = (env: Record<string, string>, baseUrl = HERE) =>
  checkConnections(readConfig(env), baseUrl).map(({ what }) => what.split(' is not encrypted')[0]);

describe('a connection without TLS', () => {
  it.each([
    ['http://cms.example.com', ['CONTENT_BASE_URL: http://cms.example.com']],
    ['http://10.0.0.7:1337', ['CONTENT_BASE_URL: http://10.0.0.7:1337']],
    ['http://localhost.example.com', ['CONTENT_BASE_URL: http://localhost.example.com']],
    ['http://[2001:db8::1]:1337', ['CONTENT_BASE_URL: http://[2001:db8::1]:1337']],
    ['https://cms.example.com', []],
    ['http://localhost:1337', []],
    ['http://[::1]:1337/cms', []],
    ['http://127.0.0.2', []],
  ])('an unencrypted connection to another machine is a finding: %s', (baseUrl, found) => {
    expect(about({}, baseUrl)).toEqual(found);
  });

  it.each([
    ['redis://:secret@store.example.com:6380/1', 'redis://store.example.com:6380'],
    ['redis+sentinel://one:26379,two/group', 'redis+sentinel://one:26379,two:26379/group'],
    ['rediss://:secret@store.example.com', null],
    ['redis://localhost', null],
    ['redis://[::1]:6379', null],
  ])('an unencrypted shared store or queue is a finding that omits the password: %s', (address, shown) => {
    const found = (variable: string) => (shown === null ? [] : [`${variable}: ${shown}`]);
    expect(about({ SHARED_URL: address })).toEqual(found('SHARED_URL'));
    expect(about({ OUTBOX_URL: address })).toEqual(found('OUTBOX_URL'));
  });

  it('an unencrypted connection is acceptable in a private network, but not for the public address', () => {
    const env = { SHARED_URL: 'redis://store:6379', PUBLIC_URL: 'http://www.example.com', TRUST_PROXY: '1' };
    const found = checkConnections(readConfig(env), 'http://cms:1337');
    expect(found.map(({ code, mayStay }) => [code, mayStay])).toEqual([
      ['connection-unencrypted', true],
      ['connection-unencrypted', true],
      ['public-address-unencrypted', undefined],
    ]);
  });

  it('an http PUBLIC_URL behind a proxy is a finding', () => {
    const http = { PUBLIC_URL: 'http://www.example.com' };
    expect(about({ ...http, TRUST_PROXY: '1' })).toEqual(['PUBLIC_URL: http://www.example.com']);
    expect(about(http)).toEqual([]);
    expect(about({ PUBLIC_URL: 'https://www.example.com', TRUST_PROXY: '1' })).toEqual([]);
    expect(about({ PUBLIC_URL: 'http://localhost:8080', TRUST_PROXY: '1' })).toEqual([]);
  });
});
