import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { keptPageVersions, pageVersion } from '../../server/page-cache/stored-page.ts';

describe('the version of pages on disk', () => {
  it.each<[string, Record<string, string>]>([
    ['PUBLIC_URL', { PUBLIC_URL: 'https://www.example.org' }],
    ['no PUBLIC_URL', {}],
    ['MEDIA_ORIGINS', { PUBLIC_URL: 'https://www.example.com', MEDIA_ORIGINS: 'https://media.example.com' }],
  ])('another build or configuration gives stored pages another version: %s', (_, env) => {
    const before = pageVersion('b1', readConfig({ PUBLIC_URL: 'https://www.example.com' }));
    expect(pageVersion('b1', readConfig(env))).not.toBe(before);
    expect(pageVersion('b2', readConfig({ PUBLIC_URL: 'https://www.example.com' }))).not.toBe(before);
  });

  it.each<[string, string[], string[]]>([
    ['the build before', ['b1-x'], ['b1-x']],
    ['the build before, and no earlier one', ['b1-x', 'b0-x'], ['b1-x']],
    ['two configurations of the build before', ['b1-x', 'b1-y', 'b0-x', 'b1-z'], ['b1-x', 'b1-y']],
    ['the last configuration of the same build', ['b2-y', 'b2-z', 'b1-x'], ['b2-y', 'b1-x']],
    ['nothing where there is nothing', [], []],
  ])('a start keeps the stored pages of %s', (_, others, kept) => {
    expect(keptPageVersions('b2-x', others)).toEqual(kept);
  });

  it('a start keeps at most three other folders of stored pages, including the last one of the previous build', () => {
    const versions = fc.uniqueArray(
      fc
        .tuple(fc.constantFrom('b0', 'b1', 'b2', 'b-3'), fc.nat(5))
        .map(([build, config]) => `${build}-${config}`),
    );
    fc.assert(
      fc.property(versions, others => {
        const kept = keptPageVersions('b2-own', others);
        expect(kept.length).toBeLessThanOrEqual(3);
        const last = others.find(other => !other.startsWith('b2-'));
        if (last) expect(kept).toContain(last);
        expect(new Set(kept.map(other => other.slice(0, other.lastIndexOf('-')))).size).toBeLessThanOrEqual(
          2,
        );
      }),
    );
  });
});
