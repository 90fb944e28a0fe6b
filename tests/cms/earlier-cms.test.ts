import { describe, expect, vi } from 'vitest';
import { siteSettings } from '../../build/cms/secrets.ts';
import { patient } from '../support/patience.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';
import { pagesOfSitemap } from './support/different-pages.ts';
import { doctorTest, linesAbout } from './support/doctor-cms.ts';
import { textOf } from './support/text-of-page.ts';

/** Fields that an earlier CMS lacks, by content type. `*` stands for every type. */
const NEW_FIELDS: Readonly<Record<string, readonly string[]>> = {
  '*': ['tags', 'seo', 'sections'],
  author: ['slug', 'previousSlugs'],
  settings: [
    'language',
    'timeZone',
    'currency',
    'labels',
    'subscribeConsent',
    'logo',
    'logoDark',
    'shareImage',
  ],
};

const it = doctorTest
  /**
   * An earlier CMS of the project: articles have no tags, texts no sections, and entries no values for search
   * engines.
   */
  .extend('earlier', async ({ start }) =>
    start(
      (attributes, name) => {
        for (const field of [...(NEW_FIELDS['*'] ?? []), ...(NEW_FIELDS[name] ?? [])])
          delete attributes[field];
      },
      ['tag'],
    ),
  )
  /** Starts a site on a CMS. */
  .extend('startOn', async ({ settings }, { onCleanup }) => {
    const running: RunningSite[] = [];
    onCleanup(async () => {
      await Promise.all(running.map(site => site.close()));
    });
    return async (url: string) => {
      const site = await startSite({
        contentBaseUrl: url,
        env: { ...siteSettings(settings, url), PUBLIC_URL: '' },
      });
      running.push(site);
      return site;
    };
  });

/** Missing fields of each type. The site logs each one, and the doctor lists all in one line. */
const LOGGED: Readonly<Record<string, readonly string[]>> = {
  articles: ['sections', 'seo', 'tags'],
  'business-solutions': ['sections', 'seo'],
  categories: ['sections', 'seo'],
  commerces: ['sections', 'seo'],
  landing: ['seo'],
  'main-page': ['seo'],
  pages: ['sections', 'seo'],
  settings: ['logo', 'logoDark', 'shareImage'],
};
/** Fields that every backend may lack without a log entry of the site. The doctor reports them. */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  authors: ['slug', 'previousSlugs'],
  settings: ['language', 'timeZone', 'currency', 'labels', 'subscribeConsent'],
};
const IN_THE_PANEL: readonly RegExp[] = [
  /^warning articles: .* → Strapi: Content-Type Builder → Article → Add another field: sections \(Dynamic zone of “Text”, .*\), seo \(Component “Search engines”\), tags \(Relation to several “Tag”\)/,
  /^warning authors: .*Content-Type Builder → Author → Add another field: slug \(UID\), previousSlugs \(Text, Long text\)/,
  /^warning settings: .*Content-Type Builder → Site settings → .*labels \(Component or JSON\), subscribeConsent \(Rich text\)/,
  /^warning tags: the CMS has no type “Tag” .*Create new collection type/,
];

describe('a CMS of an earlier version of the project', () => {
  it('an earlier CMS serves each page, and its missing fields are reported once', async ({
    earlier,
    sample,
    startOn,
  }) => {
    const site = await startOn(earlier.url);
    const get = (path: string, base = site.url) => sendRequest(base, path, { headers: AS_BROWSER });
    site.site.search.begin();
    expect(textOf((await get('/terms')).text)).toBe(textOf((await get('/terms', sample.url)).text));
    const paths = [...(await pagesOfSitemap(sample)), '/blog/feed.xml', '/sitemap.xml', '/search?q=pay'];
    const statuses: (readonly [string, number])[] = [];
    for (const path of paths) statuses.push([path, (await get(path)).status]);
    expect(statuses).toEqual(paths.map(path => [path, path.startsWith('/blog/tags/') ? 404 : 200]));
    await vi.waitFor(
      async () =>
        expect((await get('/search?q=marketplaces')).text.includes('href="/commerce/marketplaces"')).toBe(
          true,
        ),
      // Searches from one address are limited to 240 a minute.
      { interval: 100, timeout: patient(10_000) },
    );

    await site.site.doctor.examine();
    const lines = site.log.filter(({ level }) => level === 'warn' || level === 'error');
    // The sample has an article without a category.
    const known = lines.filter(({ code, field }) => code !== 'content-row-left-out' || field !== 'category');
    expect(
      known
        .map(({ level, type, about, field, code }) => [level, type ?? about, field, code].join(' '))
        .sort(),
    ).toEqual(
      [
        ...Object.entries(LOGGED).flatMap(([type, fields]) =>
          fields.map(field => `warn ${type} ${field} content-field-absent`),
        ),
        ...Object.keys(FOUND).map(type => `warn ${type}  doctor-finding`),
        'warn tags  content-type-empty',
      ].sort(),
    );
    for (const { reason, remedy } of known)
      expect(String(remedy ?? reason)).toMatch(/Strapi: Content-Type Builder → /);

    const found = await linesAbout(earlier.url);
    for (const [type, fields] of [...Object.entries(LOGGED), ...Object.entries(FOUND)])
      expect(found).toContainEqual(
        expect.stringMatching(
          new RegExp(`^warning ${type}: .*lacks the fields? ${fields.map(field => `'${field}'`).join('.*')}`),
        ),
      );
    for (const line of IN_THE_PANEL) expect(found).toContainEqual(expect.stringMatching(line));
    expect(found).toHaveLength(Object.keys(LOGGED).length + Object.keys(FOUND).length + 1);
  });
});
