import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRedirectTable, redirectRows } from '../../server/addresses/redirect-table.ts';
import { pathKey, resolveRedirect, splitAddress } from '../../shared/routing/redirects.ts';
import { runs } from '../support/in-full.ts';
import { build, ORIGIN, type Row } from '../support/redirect-rows.ts';

describe('any redirect rows', () => {
  const segment = fc.constantFrom(
    'a',
    'b',
    'A',
    '%61',
    'c',
    'é',
    'e%CC%81',
    'a%2Fb',
    '',
    '.',
    '..',
    '**',
    '%5C',
    'x',
  );
  const anyPath = fc.array(segment, { maxLength: 4 }).map(segments => `/${segments.join('/')}`);
  const wild = (paths: fc.Arbitrary<string>) =>
    fc.tuple(paths, fc.boolean()).map(([base, isWild]) => (isWild ? `${base.replace(/\/$/, '')}/**` : base));
  const to = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(wild(anyPath), fc.constantFrom('', '', '?q=1', '#h', '?q#h'))
        .map(parts => parts.join('')),
    },
    { weight: 2, arbitrary: wild(anyPath).map(path => `https://www.example.com${path}`) },
    { weight: 1, arbitrary: wild(anyPath).map(path => `//www.example.com${path}`) },
    { weight: 1, arbitrary: wild(anyPath).map(path => `https://other.example${path}`) },
    { weight: 1, arbitrary: fc.constantFrom('javascript:x', '//evil.example@www.example.com/a', '///a', '') },
  );
  const row = fc.tuple(
    wild(anyPath),
    to,
    fc.constantFrom(undefined, null, 301, 308, '302', 200),
  ) as fc.Arbitrary<Row>;
  const rows = fc.array(row, { maxLength: 12 });
  const asked = fc.tuple(
    fc.oneof(
      anyPath,
      fc.webPath(),
      fc.string().map(text => `/${encodeURIComponent(text.toWellFormed())}`),
    ),
    fc.constantFrom('', '?a=1'),
    fc.constantFrom('', '#top'),
  );

  it('no redirect targets its own path or another redirect', () => {
    fc.assert(
      fc.property(rows, asked, (table, [path, search, hash]) => {
        const built = build(table).table;
        const redirect = resolveRedirect(built, path, search, hash);
        if (redirect === null || redirect.external) return;
        const target = splitAddress(redirect.to);
        expect(pathKey(target.path)).not.toBe(pathKey(path));
        expect(resolveRedirect(built, target.path, target.search, target.hash)).toBeNull();
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('an internal redirect stays on the site, and an external one targets another host over http(s)', () => {
    fc.assert(
      fc.property(rows, asked, (table, [path, search, hash]) => {
        const redirect = resolveRedirect(build(table).table, path, search, hash);
        if (redirect === null) return;
        const url = new URL(redirect.to, ORIGIN);
        expect(url.protocol).toMatch(/^https?:$/);
        expect(url.host === 'www.example.com').toBe(!redirect.external);
        if (!redirect.external) expect(redirect.to).toMatch(/^\/(?![/\\])/);
        expect([301, 302, 307, 308]).toContain(redirect.statusCode);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('each redirect row is either in the table or reported, once', () => {
    fc.assert(
      fc.property(rows, list => {
        const { table, problems } = build(list);
        expect(table.exact.size + table.wildcards.size + problems.length).toBe(list.length);
        expect(new Set(problems.map(({ id }) => id)).size).toBe(problems.length);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('no redirect row makes the table throw', () => {
    const anything = fc.oneof(
      fc.anything({ withNullPrototype: true }),
      fc.jsonValue(),
      wild(anyPath),
      fc.string({ unit: 'binary' }),
    );
    const strange = fc.array(
      fc.oneof(anything, fc.record({ id: anything, from: anything, to: anything, statusCode: anything })),
    );
    fc.assert(
      fc.property(strange, fc.string({ unit: 'binary' }), (list, path) => {
        const { table } = buildRedirectTable(redirectRows(list), ORIGIN);
        resolveRedirect(table, `/${path}`);
        resolveRedirect(table, path);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
