import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRedirectTable, type RedirectRow, redirectRows } from '../../server/content/redirect-table.ts';
import { siteRedirects } from '../../server/content/site-redirects.ts';
import { MAX_HOPS, pathKey, resolveRedirect, splitAddress } from '../../shared/routing/redirects.ts';
import { CAPTURE_SETS, dataOf } from '../support/decoding.ts';
import { capture } from '../support/fake-backend.ts';

type Row = [from: unknown, to: unknown, statusCode?: unknown];

const ORIGIN = 'https://www.example.com';

function build(rows: readonly Row[], origin: string | null = ORIGIN) {
  return buildRedirectTable(
    rows.map(([from, to, statusCode], index): RedirectRow => ({ id: `row ${index}`, from, to, statusCode })),
    origin,
  );
}

/** Where a table leads a path (with its query and hash), and nothing reported. */
function resolve(rows: readonly Row[], address: string) {
  const { table, problems } = build(rows);
  expect(problems).toEqual([]);
  const { path, search, hash } = splitAddress(address);
  return resolveRedirect(table, path, search, hash);
}

const targetOf = (rows: readonly Row[], address: string) => resolve(rows, address)?.to ?? null;

/** The reasons for which rows were left out, by row. */
const leftOut = (rows: readonly Row[], origin: string | null = ORIGIN) =>
  Object.fromEntries(build(rows, origin).problems.map(({ id, reason }) => [id, reason]));

const BACK = 'it leads back to itself';
const BAD_TARGET = "'to' wants a path of the site or an http(s) address";

describe.each(CAPTURE_SETS)('the rows recorded from %s', set => {
  const { table, problems } = buildRedirectTable([
    ...siteRedirects,
    ...redirectRows(dataOf(capture(set, 'redirects.json'))),
  ]);

  it('are all sound', () => {
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
  ])('lead %s to %j', (path, redirect) => {
    expect(resolveRedirect(table, path)).toEqual(redirect);
  });

  it('are read with their ids', () => {
    const rows = redirectRows(dataOf(capture(set, 'redirects.json')));
    const [first] = rows;
    expect(first).toMatchObject({ from: '/old-about', to: '/about', statusCode: 301 });
    expect(first?.id).toMatch(set === 'v4' ? /^1$/ : /^[a-z0-9]{24}$/);
  });
});

describe('rows that cannot be read', () => {
  it('are numbered by their place', () => {
    const rows = redirectRows([null, { from: '/a', to: '/b' }, { id: 9, from: '/c', to: '/d' }]);
    expect(rows.map(({ id }) => id)).toEqual(['#1', '#2', '9']);
    expect(buildRedirectTable(rows).problems.map(({ id }) => id)).toEqual(['#1', '#2']);
  });

  it.each([
    [null],
    [undefined],
    [''],
    ['about'],
    ['//host/about'],
    ['https://www.example.com/about'],
    [5],
    [{}],
    [{ toString: null }],
    [['/a']],
  ])('(from %j) are left out', from => {
    expect(leftOut([[from, '/b']])).toEqual({ 'row 0': "'from' wants a path that begins with a slash" });
  });

  it.each(['/a?b=c', '/a#b', '/?'])('(from %j, with a query or a hash) are left out', from => {
    expect(leftOut([[from, '/b']])).toEqual({ 'row 0': "'from' wants a path without query and hash" });
  });

  it.each(['/100%', '/%ff', '/a/*', '/a/**/b', '/**/**', '/a**', '/\ud800'])(
    '(from %j) are left out',
    from => {
      expect(leftOut([[from, '/b']])).toEqual({ 'row 0': "'from' cannot be read as a path" });
    },
  );

  it.each([
    ...[null, undefined, '', 'about', 5, {}, [], '#top', '?a=b', 'mailto:a@example.com', '/100%'],
    ...['javascript:alert(1)', 'JAVASCRIPT:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)'],
    ...[
      'data:text/html,x',
      'vbscript:x',
      'blob:https://example.com/1',
      'file:///etc/passwd',
      'ftp://example.com/',
    ],
    ...[
      'https://user:pass@example.com/',
      'https:example.com',
      '/\\example.com',
      '/..//example.com',
      '///example.com',
    ],
    ...['https://www.example.com//evil.example', '//www.example.com//evil.example'],
  ])('(to %j) are left out', to => {
    expect(leftOut([['/a', to]])).toEqual({ 'row 0': BAD_TARGET });
  });

  it('(a wildcard in the target alone) are left out', () => {
    expect(leftOut([['/a', '/b/**']])).toEqual({ 'row 0': "'to' ends in /** but 'from' does not" });
  });

  it('name the row as it was written', () => {
    expect(build([[' /a', 'javascript:x']]).problems).toEqual([
      { id: 'row 0', from: '/a', reason: BAD_TARGET },
    ]);
  });

  it('do not take the others along', () => {
    const { table, problems } = build([
      [null, null],
      ['/a', '/b'],
      ['/c', 'data:x'],
      ['/d', '/e'],
    ]);
    expect(problems).toHaveLength(2);
    expect(resolveRedirect(table, '/a')?.to).toBe('/b');
    expect(resolveRedirect(table, '/d')?.to).toBe('/e');
  });
});

describe('the status', () => {
  it.each([
    [301, 301],
    [302, 302],
    [307, 307],
    [308, 308],
    ['301', 301],
    [' 308 ', 308],
    [null, 307],
    [undefined, 307],
    ['', 307],
  ])('%j is %i', (given, status) => {
    expect(resolve([['/a', '/b', given]], '/a')?.statusCode).toBe(status);
  });

  it.each<unknown>([
    200,
    300,
    303,
    304,
    404,
    0,
    -301,
    301.5,
    '301x',
    'permanent',
    true,
    {},
    [301],
    { valueOf: null, toString: null },
  ])('%j leaves the row out', given => {
    expect(leftOut([['/a', '/b', given]])).toEqual({
      'row 0': "'statusCode' wants one of 301, 302, 307, 308",
    });
  });
});

describe('the order of the rows', () => {
  it('puts exact ones before wildcards, and longer wildcards before shorter, wherever they stand', () => {
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

  it('lets the earlier of two rows for one path win, and reports the other', () => {
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

  it('does not let a row that was left out stand before a good one', () => {
    const { table, problems } = build([
      ['/a', 'javascript:x'],
      ['/a', '/good'],
    ]);
    expect(problems).toHaveLength(1);
    expect(resolveRedirect(table, '/a')?.to).toBe('/good');
  });

  it("puts the site's own rows first", () => {
    const rows = [...siteRedirects, { id: 'editor', from: '/feed', to: '/elsewhere' }];
    const { table, problems } = buildRedirectTable(rows);
    expect(problems).toEqual([{ id: 'editor', from: '/feed', reason: 'an earlier row has the same path' }]);
    expect(resolveRedirect(table, '/feed')?.to).toBe('/blog/feed.xml');
  });
});

describe('paths are compared', () => {
  it.each([
    ['whatever their case', '/Old/About', '/oLD/aBOUT'],
    ['without the trailing slash', '/old', '/old/'],
    ['with one in the row', '/old/', '/old'],
    ['decoded', '/caf%C3%A9', '/café'],
    ['decoded in the row', '/café', '/caf%c3%a9'],
    ['with a space in the row', '/a b', '/a%20b'],
    ['composed or not', '/café', '/cafe\u0301'],
    ['composed or not in the row', '/cafe\u0301', '/caf%C3%A9'],
    ['whatever the case outside ASCII', '/ÉTÉ', '/%C3%A9t%C3%A9'],
    ['whatever the number of slashes', '/a/b', '/a//b//'],
  ])('%s', (_, from, path) => {
    expect(targetOf([[from, '/new']], path)).toBe('/new');
  });

  it.each([
    ['/a/b', '/a%2Fb'],
    ['/a', '/a/b'],
    ['/a', '/ab'],
    ['/a/**', '/ab'],
    ['/a', '/'],
    ['/a/b', '/a'],
  ])('and differ: %s and %s', (from, path) => {
    expect(targetOf([[from, '/new']], path)).toBeNull();
  });

  it('and one that cannot be decoded is nobody’s', () => {
    expect(targetOf([['/a/**', '/new']], '/a/%ff')).toBeNull();
    expect(pathKey('/%')).toBeNull();
  });

  it.each([
    ['/', '/'],
    ['', '/'],
    ['//', '/'],
    ['/A//b/', '/a/b'],
    ['/a%2Fb', '/a%2fb'],
  ])('by the key: of %j it is %j', (path, key) => {
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
  ])('of %s are carried over unless the target has its own: %s', (address, target) => {
    expect(targetOf(rows, address)).toBe(target);
  });

  it('are carried through a chain; the last row with its own wins', () => {
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
  ])('%s → %s leads %s to %s', (from, to, address, target) => {
    expect(targetOf([[from, to]], address)).toBe(target);
  });

  it('of everything leads everything outside', () => {
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
  ])('does not lead %j to another host', path => {
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
    // The site's own address, however it is written, is a path.
    ['https://www.example.com/a?b#c', '/a?b#c', false],
    ['https://www.example.com', '/', false],
    ['https://www.example.com:443/a', '/a', false],
    ['HTTPS://WWW.EXAMPLE.COM/a', '/a', false],
    ['http://www.example.com/a', '/a', false],
    ['//www.example.com/a', '/a', false],
  ])('%s is %s, outside: %j', (to, target, external) => {
    expect(resolve([['/from', to]], '/from')).toEqual({ to: target, statusCode: 307, external });
  });

  it('of the site itself joins the rest as a path does', () => {
    expect(targetOf([['/old/**', 'https://www.example.com/new/**']], '/old/a')).toBe('/new/a');
    expect(targetOf([['/old/**', 'https://www.example.com/**']], '/old/a')).toBe('/a');
  });

  it('is outside for a site that does not know its own address', () => {
    const { table } = build([['/from', 'https://www.example.com/a']], null);
    expect(resolveRedirect(table, '/from')).toMatchObject({
      to: 'https://www.example.com/a',
      external: true,
    });
  });
});

describe('a chain', () => {
  it("is one hop to its end, with the first row's status", () => {
    const rows: Row[] = [
      ['/a', '/b', 301],
      ['/b', '/c', 302],
      ['/c', '/d', 308],
    ];
    expect(resolve(rows, '/a')).toEqual({ to: '/d', statusCode: 301, external: false });
    expect(resolve(rows, '/b')).toEqual({ to: '/d', statusCode: 302, external: false });
    expect(resolve(rows, '/c')).toEqual({ to: '/d', statusCode: 308, external: false });
  });

  it('may end outside, whatever the rows say of the path there', () => {
    const rows: Row[] = [
      ['/a', '/b', 301],
      ['/b', 'https://example.com/a', 308],
    ];
    expect(resolve(rows, '/a')).toEqual({ to: 'https://example.com/a', statusCode: 301, external: true });
  });

  it('goes through wildcards, and may pass one twice on its way to an end', () => {
    const rows: Row[] = [
      ['/old/**', '/new/**'],
      ['/new', '/old/start'],
      ['/new/x/**', '/final/**'],
    ];
    expect(targetOf(rows, '/old/x/y')).toBe('/final/y');
    expect(targetOf(rows, '/old')).toBe('/new/start');
    expect(targetOf(rows, '/new')).toBe('/new/start');
  });

  it('goes on from a target written in another case or with a trailing slash', () => {
    const rows: Row[] = [
      ['/a', '/B/?x=1'],
      ['/b', '/c'],
    ];
    expect(targetOf(rows, '/a')).toBe('/c?x=1');
  });

  it('may be as long as the bound, and is left out row by row where it is longer', () => {
    const chain = (length: number): Row[] =>
      Array.from({ length }, (_, index) => [`/c${index}`, `/c${index + 1}`] as Row);
    expect(targetOf(chain(MAX_HOPS), '/c0')).toBe(`/c${MAX_HOPS}`);
    const reason = `it does not end within ${MAX_HOPS} redirects`;
    expect(leftOut(chain(MAX_HOPS + 2))).toEqual({ 'row 0': reason, 'row 1': reason });
    const { table } = build(chain(MAX_HOPS + 2));
    expect(resolveRedirect(table, '/c2')?.to).toBe(`/c${MAX_HOPS + 2}`);
  });
});

describe('a loop', () => {
  const loops: [string, Row[]][] = [
    ['of a row with itself', [['/a', '/a']]],
    ['of a row with itself in another case', [['/a', '/A/']]],
    ['of a row with itself, encoded', [['/café', '/caf%C3%A9']]],
    ['of a row with itself, not composed', [['/café', '/cafe\u0301']]],
    ['of a row with itself, with two slashes', [['/a/b', '/a//b']]],
    ['of a row with itself, with a query', [['/a', '/a?b=c']]],
    ['of a row with itself, as an address', [['/a', 'https://www.example.com/a']]],
    ['of a row with itself, as an address without protocol', [['/a', '//www.example.com/a']]],
    ['of a row with itself, as an address without encryption', [['/a', 'http://www.example.com/a']]],
    ['of the home page with itself', [['/', '/']]],
    [
      'of two rows',
      [
        ['/a', '/b'],
        ['/b', '/a'],
      ],
    ],
    [
      'of three rows',
      [
        ['/a', '/b'],
        ['/b', '/c'],
        ['/c', '/a'],
      ],
    ],
    ['of a wildcard with itself', [['/a/**', '/a/**']]],
    ['of a wildcard with a path below it', [['/a/**', '/a/b']]],
    ['of a wildcard of everything', [['/**', '/maintenance']]],
    ['of a wildcard that grows', [['/a/**', '/a/b/**']]],
    ['of a wildcard of everything that grows', [['/**', '/a/**']]],
    [
      'of two wildcards',
      [
        ['/a/**', '/b/**'],
        ['/b/**', '/a/**'],
      ],
    ],
    [
      'of two wildcards that grow',
      [
        ['/a/**', '/b/x/**'],
        ['/b/**', '/a/y/**'],
      ],
    ],
    [
      'of more rows than are followed',
      Array.from({ length: 3 * MAX_HOPS }, (_, i) => [`/r${i}`, `/r${(i + 1) % 60}`] as Row),
    ],
  ];

  it.each(loops)('%s is reported row by row and left out', (_, rows) => {
    const { table, problems } = build(rows);
    expect(problems.map(({ id }) => id).sort()).toEqual(rows.map((_row, index) => `row ${index}`).sort());
    expect(table.exact.size + table.wildcards.length).toBe(0);
    for (const [from] of rows) {
      const path = String(from).replace('/**', '');
      expect(resolveRedirect(table, path || '/')).toBeNull();
      expect(resolveRedirect(table, `${path}/below`)).toBeNull();
    }
  });

  it('of an exact row and a wildcard takes the exact row alone: the wildcard is otherwise sound', () => {
    const rows: Row[] = [
      ['/a/**', '/b/**'],
      ['/b/x', '/a/x'],
    ];
    expect(leftOut(rows)).toEqual({ 'row 1': BACK });
    const { table } = build(rows);
    expect(resolveRedirect(table, '/a/x')?.to).toBe('/b/x');
    expect(resolveRedirect(table, '/a/y')?.to).toBe('/b/y');
  });

  it('of wildcards is found below them, where exact rows lead their bases away', () => {
    const rows: Row[] = [
      ['/a/**', '/b/**'],
      ['/b/**', '/a/**'],
      ['/a', '/end'],
      ['/b', '/end'],
    ];
    expect(leftOut(rows)).toEqual({ 'row 0': BACK, 'row 1': BACK });
    const { table } = build(rows);
    expect(['/a', '/b', '/a/x'].map(path => resolveRedirect(table, path)?.to)).toEqual([
      '/end',
      '/end',
      undefined,
    ]);
  });

  it('does not take the rows along that only lead into it', () => {
    const rows: Row[] = [
      ['/in', '/a'],
      ['/a', '/b'],
      ['/b', '/a'],
      ['/far', '/in'],
      ['/wild/**', '/b'],
    ];
    expect(leftOut(rows)).toEqual({ 'row 1': BACK, 'row 2': BACK });
    const { table } = build(rows);
    expect(['/in', '/far', '/wild/x'].map(path => resolveRedirect(table, path)?.to)).toEqual([
      '/a',
      '/a',
      '/b',
    ]);
    expect(['/a', '/b'].map(path => resolveRedirect(table, path))).toEqual([null, null]);
  });

  it('does not go over an address outside', () => {
    const rows: Row[] = [
      ['/a', 'https://shop.example.com/a'],
      ['/b', '/a'],
    ];
    expect(leftOut(rows)).toEqual({});
  });
});

describe('whatever the rows', () => {
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

  it('a redirect never leads to the path that was asked for, nor to one that is redirected again', () => {
    fc.assert(
      fc.property(rows, asked, (table, [path, search, hash]) => {
        const built = build(table).table;
        const redirect = resolveRedirect(built, path, search, hash);
        if (redirect === null || redirect.external) return;
        const target = splitAddress(redirect.to);
        expect(pathKey(target.path)).not.toBe(pathKey(path));
        expect(resolveRedirect(built, target.path, target.search, target.hash)).toBeNull();
      }),
      { numRuns: 3_000 },
    );
  });

  it('a redirect within the site stays within it, and one outside is http(s) and somewhere else', () => {
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
      { numRuns: 3_000 },
    );
  });

  it('each row is in the table or spoken of, once', () => {
    fc.assert(
      fc.property(rows, list => {
        const { table, problems } = build(list);
        expect(table.exact.size + table.wildcards.length + problems.length).toBe(list.length);
        expect(new Set(problems.map(({ id }) => id)).size).toBe(problems.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('nothing throws, be the rows anything at all', () => {
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
      { numRuns: 1_000 },
    );
  });
});
