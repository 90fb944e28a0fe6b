import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { descriptions } from '../../shared/content/content-types.ts';
import { cmsTest as it, type Row, readCapture } from '../support/cms-test.ts';

/** JSON fields and `formats`: a comparison of names and nesting counts them as plain values. */
const OPAQUE =
  /^(?:questions|formats|schema\d|.*(?:Block|List|Qualities|Checkmarks|CustomBlocks|BlockSocials|Links|socials))$/;
/** Described fields of all content types. Captures lack those that were added after the recording. */
const DESCRIBED = new Set(Object.values(descriptions).flatMap(({ fields }) => Object.keys(fields)));

function structure(value: unknown): unknown {
  if (Array.isArray(value)) return [value.map(structure).reduce(merge, null)];
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, inner]) => [key, OPAQUE.test(key) ? null : structure(inner)]));
}

/** @returns the structure of a response without described fields that the recording lacks. */
function asRecorded(answer: unknown, recorded: unknown): unknown {
  if (Array.isArray(answer))
    return answer.map((item, at) => asRecorded(item, Array.isArray(recorded) && recorded[at]));
  if (typeof answer !== 'object' || answer === null) return answer;
  const known: Row = typeof recorded === 'object' && recorded !== null ? (recorded as Row) : {};
  const entries = Object.entries(answer).filter(([key]) => Object.hasOwn(known, key) || !DESCRIBED.has(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, asRecorded(inner, known[key])]));
}

function merge(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return [merge(a[0], b[0])];
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a ?? b;
  const [left, right] = [a as Row, b as Row];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return Object.fromEntries(keys.map(key => [key, merge(left[key] ?? null, right[key] ?? null)]));
}

describe.each([
  ['v5-flat', {}],
  ['v5-as-v4', { 'Strapi-Response-Format': 'v4' }],
])('responses shaped as captured in %s', (set, headers) => {
  const deep = 'populate[cover]=true&populate[category]=true&populate[author][populate]=image';
  const list = 'sort[0]=publishedAt:desc&pagination[page]=1&pagination[pageSize]=';
  it.for([
    ['categories', '/api/categories'],
    ['settings', '/api/settings?populate=*'],
    ['socials', '/api/socials?populate=*'],
    ['authors', '/api/authors?populate=*'],
    [
      'landing',
      '/api/landing?populate[countries_list][populate]=image&populate[block1Icons]=true&populate[paymentBlockImages][populate]=image',
    ],
    ['main-page', '/api/main-page'],
    ['articles-page-1', `/api/articles?populate=*&${list}9`],
    ['articles-empty', '/api/articles?filters[slug][$eq]=no-such-article&populate=*'],
    ['article-by-slug', '/api/articles?filters[slug][$eq]=first&populate=*'],
    ['article-by-slug-deep', `/api/articles?filters[slug][$eq]=first&${deep}`],
    ['article-unpopulated', '/api/articles?filters[slug][$eq]=first'],
    ['article-without-cover', '/api/articles?filters[slug][$eq]=bare&populate=*'],
    [
      'articles-by-category',
      `/api/articles?filters[category][slug][$eq]=guides&${list}12&fields[0]=title&fields[1]=description&fields[2]=slug&fields[3]=publishedAt&populate[cover]=true&populate[category][fields][0]=slug&populate[category][fields][1]=name&populate[author][populate]=image`,
    ],
    ['pages', '/api/pages'],
    ['business-solutions', '/api/business-solutions?populate=*'],
    ['commerces', '/api/commerces?populate=*'],
    ['redirects', '/api/redirects'],
  ] as const)('the embedded backend responds in the shape captured for %s', async ([name, path], { cms }) => {
    const recorded = structure(await readCapture(`${set}/${name}`));
    expect(asRecorded(structure(await cms.get(path, headers)), recorded)).toEqual(recorded);
  });

  it('the embedded backend gives errors with the captured bodies', async ({ cms }) => {
    await rm(join(cms.contentDir, 'main-page.json'));
    await cms.restart();
    for (const [name, status, path] of [
      ['400-bad-filter', 400, '/api/articles?filters[nope][$eq]=1'],
      ['404-route', 404, '/api/nope'],
      ['404-single-type', 404, '/api/main-page'],
    ] as const) {
      const response = await fetch(cms.url + path, { headers });
      expect(response.status, path).toBe(status);
      expect(await response.json(), path).toEqual(await readCapture(`${set}/errors/${name}`));
    }
  });

  it('an internal failure has the captured body, and is reported', async ({ cms }) => {
    await cms.restart(join(cms.root, 'nowhere'));
    const response = await fetch(`${cms.url}/api/articles`, { headers });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual(await readCapture(`${set}/errors/500`));
    expect(cms.warnings.map(([message]) => message)).toContain('The embedded content backend failed');
  });
});
