import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchRoute } from '../../shared/routing/match-route.ts';
import {
  type ParamsOf,
  pathTo,
  type RouteDefinition,
  type RouteId,
  routeById,
  routeTable,
} from '../../shared/routing/routes.ts';

const match = (path: string, routes: readonly RouteDefinition[] = routeTable) => {
  const found = matchRoute(routes, path);
  return found && [found.route.id, found.params];
};

describe('the route of a path', () => {
  it.each([
    ['/', 'home', {}],
    ['/about', 'page', { slug: 'about' }],
    ['/blog', 'blog', {}],
    ['/blog/guides', 'blog-category', { category: 'guides' }],
    ['/blog/guides/cards', 'blog-article', { category: 'guides', slug: 'cards' }],
    ['/business-solutions/payouts', 'business-solution', { slug: 'payouts' }],
    ['/commerce/shops', 'commerce', { slug: 'shops' }],
    // These two are generic pages. Their slugs equal the first segments of the routes above.
    ['/business-solutions', 'page', { slug: 'business-solutions' }],
    ['/commerce', 'page', { slug: 'commerce' }],
  ])('a path is matched to its route: %s is %s', (path, id, params) => {
    expect(match(path)).toEqual([id, params]);
  });

  it.each([
    ['/a/b', 'no pattern of two segments begins with "a"'],
    ['/blog/a/b/c', 'it is too long'],
    ['/commerce/a/b', 'it is too long'],
    ['/about/', 'it is not canonical'],
    ['/blog/', 'a parameter is never empty'],
    ['/blog//cards', 'a parameter is never empty'],
    ['//', 'a parameter is never empty'],
    ['/business-solutions/', 'a parameter is never empty'],
    ['', 'it does not begin with a slash'],
  ])('no route matches %j: %s', path => {
    expect(match(path)).toBeNull();
  });

  it('the order of the route table does not change the match', () => {
    const reversed = [...routeTable].reverse();
    for (const path of ['/', '/about', '/blog', '/blog/a', '/blog/a/b', '/commerce/a', '/x/y']) {
      expect(match(path, reversed)).toEqual(match(path));
    }
  });

  it('no route matches in an empty table', () => {
    expect(match('/', [])).toBeNull();
  });

  it('fixed segments of a path are case-sensitive', () => {
    expect(match('/BLOG')).toEqual(['page', { slug: 'BLOG' }]);
  });

  it('the pattern with more fixed segments wins where several match', () => {
    const route = (id: RouteId, path: string) => ({ ...routeById(id), path });
    const routes = [route('page', '/:a/:b/:c'), route('blog', '/x/:b/:c'), route('commerce', '/x/:b/z')];
    for (const order of [routes, [...routes].reverse()]) {
      expect(match('/x/y/z', order)?.[0]).toBe('commerce');
      expect(match('/x/y/q', order)?.[0]).toBe('blog');
      expect(match('/q/y/z', order)?.[0]).toBe('page');
    }
  });
});

describe('the parameters of a path', () => {
  it.each([
    ['/caf%C3%A9', 'café'],
    ['/a%20b', 'a b'],
    ['/a%2Fb', 'a/b'],
    ['/100%25', '100%'],
    ['/__proto__', '__proto__'],
  ])('the parameters of %s are decoded', (path, slug) => {
    expect(match(path)).toEqual(['page', { slug }]);
  });

  it.each(['/%', '/%ff', '/blog/%E0%A4%A', '/blog/guides/%zz', '/commerce/%'])(
    'no route matches %s, whose parameters cannot be decoded',
    path => {
      expect(match(path)).toBeNull();
    },
  );
});

describe('matchRoute', () => {
  it('matchRoute never throws, whatever the path', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webPath(), fc.string({ unit: 'binary' })), path => {
        match(path);
        match(`/${path}`);
        match(`/blog/${path}`);
      }),
    );
  });

  it('matchRoute returns the parameters that pathTo has put into the path', () => {
    const value = fc.string({ minLength: 1, unit: 'grapheme' }).filter(text => text.isWellFormed());
    fc.assert(
      fc.property(value, value, (category, slug) => {
        expect(match(pathTo('blog-article', { category, slug }))).toEqual([
          'blog-article',
          { category, slug },
        ]);
        expect(match(pathTo('blog-category', { category }))).toEqual(['blog-category', { category }]);
        const params: ParamsOf<'commerce'> = { slug };
        expect(match(pathTo('commerce', params))).toEqual(['commerce', params]);
      }),
    );
  });

  it('matchRoute returns a route of the table, or null', () => {
    fc.assert(
      fc.property(fc.webPath(), path => {
        const found = matchRoute(routeTable, path);
        if (found) expect(routeTable).toContain(found.route);
      }),
    );
  });
});
