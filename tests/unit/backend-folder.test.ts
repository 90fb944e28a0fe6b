import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBackendFolder } from '../../server/cache/disk/backend-folder.ts';
import { readConfig } from '../../server/config/config.ts';
import { createLogger } from '../../server/ops/log.ts';

const log = createLogger('silent', { write: () => {} });

function folderOf(contentBaseUrl: string): string {
  const backend =
    readConfig({ CONTENT_BASE_URL: contentBaseUrl }).contentBaseUrl ?? expect.fail('no address');
  return openBackendFolder({ dataDir: '/none', backend, credentials: null, lifeMs: 1, log }).dir;
}

describe('the folder of a backend', () => {
  it.each([
    'https://CMS.example.com',
    'https://cms.example.com/',
    'https://cms.example.com:443/',
    'https://cms.example.com/api',
    'https://cms.example.com/api/',
  ])('one backend has one folder, whatever the spelling of its address: %s', address => {
    expect(folderOf(address)).toBe(folderOf('https://cms.example.com'));
  });

  it.each([
    'http://cms.example.com',
    'https://cms.example.com:8443',
    'https://cms.example.com/staging',
    'https://cms.example.org',
  ])('a backend with another origin or path has another folder: %s', address => {
    expect(folderOf(address)).not.toBe(folderOf('https://cms.example.com'));
  });

  it('the folder of each backend lies directly in the folder of all backends', () => {
    const paths = fc.array(fc.webSegment(), { maxLength: 4 }).map(segments => segments.join('/'));
    fc.assert(
      fc.property(fc.webAuthority({ withIPv6: true, withPort: true }), paths, (authority, below) => {
        const address = `https://${authority}/${below}`;
        fc.pre(URL.canParse(address));
        expect(folderOf(address)).toMatch(/^\/none\/backends\/[a-z\d.-]+-[\da-f]{16}$/);
      }),
    );
  });
});
