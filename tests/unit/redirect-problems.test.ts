import { describe, expect, it } from 'vitest';
import { buildRedirectTable, redirectRows } from '../../server/addresses/redirect-table.ts';
import { MAX_HOPS, resolveRedirect } from '../../shared/routing/redirects.ts';
import { BACK, BAD_TARGET, build, leftOut, type Row, resolve, targetOf } from '../support/redirect-rows.ts';

describe('an invalid redirect row', () => {
  it('a redirect row without an id is reported by its position', () => {
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
  ])('a redirect row with an invalid path is left out: from %j', from => {
    expect(leftOut([[from, '/b']])).toEqual({ 'row 0': "'from' wants a path that begins with a slash" });
  });

  it.each(['/a?b=c', '/a#b', '/?'])(
    'a redirect row with a query or a hash in its path is left out: from %j',
    from => {
      expect(leftOut([[from, '/b']])).toEqual({ 'row 0': "'from' wants a path without query and hash" });
    },
  );

  it.each(['/100%', '/%ff', '/a/*', '/a/**/b', '/**/**', '/a**', '/\ud800'])(
    'a redirect row with an undecodable path is left out: from %j',
    from => {
      expect(leftOut([[from, '/b']])).toEqual({ 'row 0': "'from' cannot be read as a path" });
    },
  );

  it.each([
    ...['about', 5, {}, [], '#top', '?a=b', 'mailto:a@example.com', '/100%'],
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
  ])('a redirect row with an invalid target is left out: to %j', to => {
    expect(leftOut([['/a', to]])).toEqual({ 'row 0': BAD_TARGET });
  });

  it.each([null, undefined, '', ' '])('a redirect row without a target is left out as empty: to %j', to => {
    expect(leftOut([['/a', to]])).toEqual({
      'row 0': "'to' is empty, and only a row of the status 410 needs no target",
    });
  });

  it('a redirect row with a wildcard only in its target is left out', () => {
    expect(leftOut([['/a', '/b/**']])).toEqual({ 'row 0': "'to' ends in /** but 'from' does not" });
    expect(leftOut([['/a/**', 'https://example.com**']])).toEqual({
      'row 0': "'to' has a * in its host: the end /** needs its slash",
    });
  });

  it('an invalid redirect row is reported as the editor wrote it', () => {
    expect(build([[' /a', 'javascript:x']]).problems).toEqual([
      { id: 'row 0', from: '/a', field: 'to', reason: BAD_TARGET },
    ]);
  });

  it('an invalid redirect row leaves the other rows in place', () => {
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

describe('the status of a redirect row', () => {
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
  ])('the status %j of a redirect row becomes %i', (given, status) => {
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
  ])('a redirect row with the status %j is left out', given => {
    expect(leftOut([['/a', '/b', given]])).toEqual({
      'row 0': "'statusCode' wants one of 301, 302, 307, 308 or 410",
    });
  });
});

describe('a chain', () => {
  it('a chain of redirects becomes one hop to its end, with the first row’s status', () => {
    const rows: Row[] = [
      ['/a', '/b', 301],
      ['/b', '/c', 302],
      ['/c', '/d', 308],
    ];
    expect(resolve(rows, '/a')).toEqual({ to: '/d', statusCode: 301, external: false });
    expect(resolve(rows, '/b')).toEqual({ to: '/d', statusCode: 302, external: false });
    expect(resolve(rows, '/c')).toEqual({ to: '/d', statusCode: 308, external: false });
  });

  it('a chain of redirects may end outside the site', () => {
    const rows: Row[] = [
      ['/a', '/b', 301],
      ['/b', 'https://example.com/a', 308],
    ];
    expect(resolve(rows, '/a')).toEqual({ to: 'https://example.com/a', statusCode: 301, external: true });
  });

  it('a chain of redirects may pass the same wildcard twice', () => {
    const rows: Row[] = [
      ['/old/**', '/new/**'],
      ['/new', '/old/start'],
      ['/new/x/**', '/final/**'],
    ];
    expect(targetOf(rows, '/old/x/y')).toBe('/final/y');
    expect(targetOf(rows, '/old')).toBe('/new/start');
    expect(targetOf(rows, '/new')).toBe('/new/start');
  });

  it('a chain of redirects continues from a target in another case or with a trailing slash', () => {
    const rows: Row[] = [
      ['/a', '/B/?x=1'],
      ['/b', '/c'],
    ];
    expect(targetOf(rows, '/a')).toBe('/c?x=1');
  });

  it('in a chain of redirects longer than the bound, only rows too far from its end are left out', () => {
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

  it.each(loops)('each redirect row in a loop %s is reported and left out', (_, rows) => {
    const { table, problems } = build(rows);
    expect(problems.map(({ id }) => id).sort()).toEqual(rows.map((_row, index) => `row ${index}`).sort());
    expect(table.exact.size + table.wildcards.size).toBe(0);
    for (const [from] of rows) {
      const path = String(from).replace('/**', '');
      expect(resolveRedirect(table, path || '/')).toBeNull();
      expect(resolveRedirect(table, `${path}/below`)).toBeNull();
    }
  });

  it('of an exact redirect and a wildcard that form a loop, only the exact one is left out', () => {
    const rows: Row[] = [
      ['/a/**', '/b/**'],
      ['/b/x', '/a/x'],
    ];
    expect(leftOut(rows)).toEqual({ 'row 1': BACK });
    const { table } = build(rows);
    expect(resolveRedirect(table, '/a/x')?.to).toBe('/b/x');
    expect(resolveRedirect(table, '/a/y')?.to).toBe('/b/y');
  });

  it('a loop of wildcards is found even if exact rows redirect the wildcards’ own base paths', () => {
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

  it('redirect rows that lead into a loop, but are not in it, stay', () => {
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

  it('an address outside the site ends a loop', () => {
    const rows: Row[] = [
      ['/a', 'https://shop.example.com/a'],
      ['/b', '/a'],
    ];
    expect(leftOut(rows)).toEqual({});
  });
});
