import { describe, expect } from 'vitest';
import { routesOfType } from '../../server/addresses/type-routes.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import type { TypeDescription } from '../../shared/content/descriptions.ts';
import { listedTypes } from '../../shared/content/entries.ts';
import { pathTo, type RouteId, routeById } from '../../shared/routing/routes.ts';
import { CONTENT_ROUTES, SAMPLE_PATHS } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';

const TYPES: readonly TypeDescription[] = Object.values(contentTypes);

/** Pages that list the entries of a type: the first parts of the entries' addresses. */
const LISTS = listedTypes.map(({ route }) => `/${routeById(route).path.split('/')[1]}`);
/** Pages of a route that read more than its sample page. */
const FURTHER_PATHS: Readonly<Partial<Record<RouteId, readonly string[]>>> = {
  page: [...LISTS, '/contacts'],
};

const readsTypes = (id: RouteId) =>
  TYPES.some(({ path }) => {
    const { readBy } = routesOfType(path ?? '');
    return readBy !== 'every page' && readBy.includes(id);
  });
const isOf = (path: string, tag: string) =>
  tag === path || tag.startsWith(`${path}-`) || tag.startsWith(`${path}.`);

describe.for(CONTENT_ROUTES)('the pages of the route $id', ({ id }) => {
  it('the pages of a route read the types whose `readBy` names the route', async ({ getPage }) => {
    const paths = [SAMPLE_PATHS[id], ...(FURTHER_PATHS[id] ?? [])];
    const answers = await Promise.all(paths.map(path => getPage(path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    const tags = answers.flatMap(({ headers }) => String(headers['cache-tag']).split(','));
    // A content tag begins with the path of a type. Other tags are for files and for the whole site.
    const read = new Set(
      TYPES.flatMap(({ path }) => (path !== null && tags.some(tag => isOf(path, tag)) ? [path] : [])),
    );
    const described = TYPES.filter(({ path }) => {
      const { readBy } = routesOfType(path ?? '');
      return readBy === 'every page' || readBy.includes(id);
    });
    expect([...read].sort()).toEqual(described.map(({ path }) => path).sort());
  });
});

describe('the sitemap', () => {
  interface Row {
    slug: string | null;
    name?: string;
    category?: { slug: string } | null;
  }
  // A sample tag gets its address from its name.
  const slugOf = ({ slug, name = '' }: Row) => slug ?? name.toLowerCase().replace(' ', '-');
  const withPages = TYPES.filter(({ storage, route }) => storage === 'collection' && route !== undefined);

  it.for(withPages)('the sitemap has a page for each entry of $path', async ({ path, route }, { sample }) => {
    const text = async (base: string, address: string) =>
      (await sendRequest(base, address, { headers: AS_BROWSER })).text;
    const list = `/api/${path}?pagination[pageSize]=100&populate=*`;
    const { data }: { data: Row[] } = JSON.parse(await text(sample.backend.url, list));
    // An article without a category has no address.
    const rows = data.filter(({ category }) => category !== null);
    const addresses = rows.map(row =>
      pathTo(route as 'blog-article', { slug: slugOf(row), category: row.category?.slug ?? slugOf(row) }),
    );
    const locations = [
      ...(await text(sample.url, '/sitemap.xml')).matchAll(/<loc>https?:\/\/[^/]+(\/[^<]*)<\/loc>/g),
    ];
    expect(locations.map(([, address]) => address)).toEqual(expect.arrayContaining(addresses));
    expect(addresses.length).toBeGreaterThan(1);
  });

  it('the sitemap lists the page of each single type with a route', async ({ getPage }) => {
    const text = (await getPage('/sitemap.xml')).text;
    const routes = TYPES.flatMap(({ storage, route }) => (storage === 'single' && route ? [route] : []));
    expect(routes).toEqual(['home', 'blog']);
    for (const route of routes) expect(text).toContain(`${pathTo(route as 'home', {})}</loc>`);
  });

  it('each sitemap page belongs to a route of a described type', () => {
    const shown = TYPES.flatMap(({ route }) => route ?? []);
    // Archive pages read types, but show no entry. A page of fixed words reads no type.
    const ofEntries = CONTENT_ROUTES.map(({ id }) => id).filter(
      id => shown.includes(id) || (!id.startsWith('blog-archive') && readsTypes(id)),
    );
    expect(shown.sort()).toEqual(ofEntries.sort());
  });
});
