import { describe, expect, it } from 'vitest';
import { buildRedirectTable, redirectRows } from '../../server/addresses/redirect-table.ts';
import { pathKey, resolveRedirect } from '../../shared/routing/redirects.ts';
import { siteRedirects } from '../../site/redirects.ts';
import { CAPTURE_SETS, dataOf } from '../support/decoding.ts';
import { capture } from '../support/fake-backend.ts';
import { build, leftOut, type Row, resolve, targetOf } from '../support/redirect-rows.ts';

describe.each(CAPTURE_SETS)('the rows recorded from %s', set => {
  const { table, problems } = buildRedirectTable([
    ...siteRedirects,
    ...redirectRows(dataOf(capture(set, 'redirects.json'))),
  ]);

  it('all recorded redirect rows are valid', () => {
    expect(problems).toEqual([]);
  });

  it.each([
    ['/old-about', { to: '/about', statusCode: 301, external: false }],
    ['/articles/a/b', { to: '/blog/guides/a/b', statusCode: 308, external: false }],
    ['/articles', { to: '/blog/guides', statusCode: 308, external: false }],
    ['/promo', { to: 'https://example.com/promo?from=site', statusCode: 302, external: true }],
    ['/feed', { to: '/blog/feed.xml', statusCode: 308, external: false }],
    ['/index.html', { to: '/', statusCode: 308, external: false }],
    ['/about', null],
    ['/articles-of-ours', null],
  ])('the recorded redirect rows resolve %s to %j', (path, redirect) => {
    expect(resolveRedirect(table, path)).toEqual(redirect);
  });

  it('recorded redirect rows keep their ids', () => {
    const rows = redirectRows(dataOf(capture(set, 'redirects.json')));
    const [first] = rows;
    expect(first).toMatchObject({ from: '/old-about', to: '/about', statusCode: 301 });
    expect(first?.id).toMatch(set === 'v4' ? /^1$/ : /^[a-z0-9]{24}$/);
  });
});

describe('the order of the rows', () => {
  it('exact rows take precedence over longer wildcards, and those over shorter ones, in any list order', () => {
    const rows: Row[] = [
      ['/**', 'https://root.example/'],
      ['/a/**', 'https://short.example/'],
      ['/a/b/**', 'https://long.example/'],
      ['/a/b/c', 'https://exact.example/'],
    ];
    for (const order of [rows, [...rows].reverse()]) {
      expect(
        ['/a/b/c', '/a/b/c/d', '/a/b', '/a/c', '/a', '/z', '/'].map(path => targetOf(order, path)),
      ).toEqual([
        'https://exact.example/',
        'https://long.example/',
        'https://long.example/',
        'https://short.example/',
        'https://short.example/',
        'https://root.example/',
        'https://root.example/',
      ]);
    }
  });

  it('the first row of a path wins, and the other is reported', () => {
    const rows: Row[] = [
      ['/a', '/first'],
      ['/A/', '/second'],
      ['/b/**', '/third'],
      ['/b/**', '/fourth'],
      ['/b', '/fifth'],
      ['/%61', '/sixth'],
    ];
    const { table } = build(rows);
    expect(leftOut(rows)).toEqual({
      'row 1': 'an earlier row has the same path',
      'row 3': 'an earlier row has the same path',
      'row 5': 'an earlier row has the same path',
    });
    expect(['/a', '/b/x', '/b'].map(path => resolveRedirect(table, path)?.to)).toEqual([
      '/first',
      '/third',
      '/fifth',
    ]);
  });

  it('an invalid row does not take precedence over a later row', () => {
    const { table, problems } = build([
      ['/a', 'javascript:x'],
      ['/a', '/good'],
    ]);
    expect(problems).toHaveLength(1);
    expect(resolveRedirect(table, '/a')?.to).toBe('/good');
  });

  it('the built-in rows of the site take precedence over those of editors', () => {
    const rows = [...siteRedirects, { id: 'editor', from: '/feed', to: '/elsewhere' }];
    const { table, problems } = buildRedirectTable(rows);
    const reason = 'an earlier row has the same path';
    expect(problems).toEqual([{ id: 'editor', from: '/feed', field: 'from', reason }]);
    expect(resolveRedirect(table, '/feed')?.to).toBe('/blog/feed.xml');
  });
});

describe('a path', () => {
  it.each([
    ['in another case', '/Old/About', '/oLD/aBOUT'],
    ['with a trailing slash', '/old', '/old/'],
    ['without the trailing slash of the row', '/old/', '/old'],
    ['in decoded form', '/caf%C3%A9', '/café'],
    ['in encoded form', '/café', '/caf%c3%a9'],
    ['with an encoded space', '/a b', '/a%20b'],
    ['with a decomposed letter', '/café', '/cafe\u0301'],
    ['with a composed letter', '/cafe\u0301', '/caf%C3%A9'],
    ['in another case outside ASCII', '/ÉTÉ', '/%C3%A9t%C3%A9'],
    ['with more slashes', '/a/b', '/a//b//'],
  ])('a row matches a requested path %s', (_, from, path) => {
    expect(targetOf([[from, '/new']], path)).toBe('/new');
  });

  it.each([
    ['/a/b', '/a%2Fb'],
    ['/a', '/a/b'],
    ['/a', '/ab'],
    ['/a/**', '/ab'],
    ['/a', '/'],
    ['/a/b', '/a'],
  ])('a different path matches no row: row %s, path %s', (from, path) => {
    expect(targetOf([[from, '/new']], path)).toBeNull();
  });

  it('a path that cannot be decoded matches no row', () => {
    expect(targetOf([['/a/**', '/new']], '/a/%ff')).toBeNull();
    expect(pathKey('/%')).toBeNull();
  });

  it.each([
    ['/', '/'],
    ['', '/'],
    ['//', '/'],
    ['/A//b/', '/a/b'],
    ['/a%2Fb', '/a%2fb'],
  ])('pathKey normalizes %j to %j', (path, key) => {
    expect(pathKey(path)).toBe(key);
  });
});

describe('the query and the hash', () => {
  const rows: Row[] = [
    ['/plain', '/target'],
    ['/query', '/target?own=1'],
    ['/hash', '/target#own'],
    ['/both', '/target?own=1#own'],
    ['/external', 'https://example.com/x'],
    ['/external-query', 'https://example.com/x?own=1'],
    ['/wild/**', '/target/**'],
  ];
  it.each([
    ['/plain?a=1&b=%20', '/target?a=1&b=%20'],
    ['/plain#top', '/target#top'],
    ['/plain?a=1#top', '/target?a=1#top'],
    ['/plain?a=1?b#c?d#e', '/target?a=1?b#c?d#e'],
    ['/query?a=1#top', '/target?own=1#top'],
    ['/hash?a=1#top', '/target?a=1#own'],
    ['/both?a=1#top', '/target?own=1#own'],
    ['/external?a=1#top', 'https://example.com/x?a=1#top'],
    ['/external-query?a=1#top', 'https://example.com/x?own=1#top'],
    ['/wild/x?a=1#top', '/target/x?a=1#top'],
  ])('query and hash of %s are kept unless the target has its own: %s', (address, target) => {
    expect(targetOf(rows, address)).toBe(target);
  });

  it('query and hash pass through a chain, and the last row with its own replaces them', () => {
    const chain: Row[] = [
      ['/a', '/b?from=a'],
      ['/b', '/c#b'],
      ['/c', '/d'],
      ['/x', '/a'],
      ['/y', '/z?from=y'],
      ['/z', '/end?from=z'],
    ];
    expect(targetOf(chain, '/x?asked=1#asked')).toBe('/d?from=a#b');
    expect(targetOf(chain, '/y?asked=1')).toBe('/end?from=z');
  });
});

describe('a wildcard', () => {
  it.each<[string, string, string, string]>([
    ['/old/**', '/new/**', '/old/a/b', '/new/a/b'],
    ['/old/**', '/new/**', '/old', '/new'],
    ['/old/**', '/new/**', '/old/', '/new'],
    ['/old/**', '/**', '/old/a', '/a'],
    ['/old/**', '/**', '/old', '/'],
    ['/old/**', '/new', '/old/a/b', '/new'],
    ['/old/**', '/', '/old/a/b', '/'],
    ['/a/b/**', '/c/**', '/a/b/x/y', '/c/x/y'],
    ['/old/**', '/new/**', '/OLD/Keeps/Its%20Case', '/new/Keeps/Its%20Case'],
    ['/old/**', 'https://example.com/**', '/old/a', 'https://example.com/a'],
    ['/old/**', 'https://example.com/docs/**', '/old', 'https://example.com/docs'],
    ['/old/**', '//example.com/**', '/old/a', 'https://example.com/a'],
    ['/old/**', '/new?from=old', '/old/a', '/new?from=old'],
    ['/old/**', '/new/**?from=old#top', '/old/a?b=c', '/new/a?from=old#top'],
    ['/old/**', 'https://example.com/**?from=old', '/old/a', 'https://example.com/a?from=old'],
    ['/old/**', '/new?path=/**', '/old/a', '/new?path=/**'],
    ['/%C3%A9t%C3%A9/**', '/summer/**', '/été/a', '/summer/a'],
  ])('the wildcard from %s to %s redirects %s to %s', (from, to, address, target) => {
    expect(targetOf([[from, to]], address)).toBe(target);
  });

  it('a wildcard for every path redirects the whole site to another', () => {
    const rows: Row[] = [['/**', 'https://example.com/**']];
    expect(['/', '/a', '/a/b?c=d'].map(address => targetOf(rows, address))).toEqual([
      'https://example.com',
      'https://example.com/a',
      'https://example.com/a/b?c=d',
    ]);
  });

  it.each([
    '/old//evil.example',
    '/old///evil.example/a',
    '//old/evil.example',
    '/old/\\evil.example',
    '/old//\\evil.example',
  ])('no internal wildcard redirects %j to another host', path => {
    for (const to of ['/**', '/new/**']) {
      const target = targetOf([['/old/**', to]], path) ?? '';
      expect(new URL(target, 'https://www.example.com').origin).toBe('https://www.example.com');
      expect(target).toMatch(/^\/[^/\\]/);
    }
  });
});

describe('a target', () => {
  it.each([
    ['https://example.com/a?b#c', 'https://example.com/a?b#c', true],
    ['http://example.com', 'http://example.com/', true],
    ['//example.com/a', 'https://example.com/a', true],
    ['HTTPS://EXAMPLE.com/A', 'https://example.com/A', true],
    ['https://shop.example.com/', 'https://shop.example.com/', true],
    ['https://www.example.com:8443/', 'https://www.example.com:8443/', true],
    ['/a b', '/a%20b', false],
    ['/a/../b', '/b', false],
    // The site's own address becomes a path, in any spelling.
    ['https://www.example.com/a?b#c', '/a?b#c', false],
    ['https://www.example.com', '/', false],
    ['https://www.example.com:443/a', '/a', false],
    ['HTTPS://WWW.EXAMPLE.COM/a', '/a', false],
    ['http://www.example.com/a', '/a', false],
    ['//www.example.com/a', '/a', false],
  ])('the target %s becomes %s, external: %j', (to, target, external) => {
    expect(resolve([['/from', to]], '/from')).toEqual({ to: target, statusCode: 307, external });
  });

  it('a target with the site’s own address gets the rest of the path appended, like a path', () => {
    expect(targetOf([['/old/**', 'https://www.example.com/new/**']], '/old/a')).toBe('/new/a');
    expect(targetOf([['/old/**', 'https://www.example.com/**']], '/old/a')).toBe('/a');
  });

  it('a target with the site’s own address is external when the site does not know its address', () => {
    const { table } = build([['/from', 'https://www.example.com/a']], null);
    expect(resolveRedirect(table, '/from')).toMatchObject({
      to: 'https://www.example.com/a',
      external: true,
    });
  });
});
