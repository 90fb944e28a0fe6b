import { describe, expect } from 'vitest';
import { feedPath } from '../../shared/routing/feed-files.ts';
import { BLOG_FEED } from '../../shared/routing/feeds.ts';
import { eventually } from '../support/eventually.ts';
import { parsePage } from '../support/parse-page.ts';
import { payloadPath } from '../support/payload-path.ts';
import { sendRequest } from '../support/send-request.ts';
import { editingTest as it } from './support/editing-test.ts';

describe('a tag', () => {
  const slugs = ['kazakhstan-corridor-opens', 'who-owns-the-company'] as const;
  const paths = [`/blog/news/${slugs[0]}`, `/blog/compliance/${slugs[1]}`] as const;

  it('a tag has a page, a feed and a sitemap line, and relates its articles', async ({
    admin,
    getPage,
    idOf,
    untilAll,
  }) => {
    const page = '/blog/tags/due-diligence';
    const related = async (path: string) => {
      const { data } = (await getPage(payloadPath(path))).json<{
        data: { page: { related: { slug: string }[] } };
      }>();
      return data.page.related.map(({ slug }) => slug);
    };
    await untilAll(paths, false, '/blog/tags/');
    expect((await related(paths[0]))[0]).not.toBe(slugs[1]);
    expect((await getPage(page)).status).toBe(404);

    const tag = await admin.create('tag', { name: 'Due diligence', description: 'Who is behind a company.' });
    const articles = await Promise.all(slugs.map(slug => idOf('article', slug)));
    for (const id of articles)
      await admin.publish('article', id, { tags: { connect: [{ documentId: tag }] } });
    await untilAll(paths, true, `href="${page}"`);
    await untilAll([page], true, 'Who is behind a company.');
    for (const path of paths) await untilAll([page, feedPath(page)], true, path);
    await untilAll(['/sitemap.xml'], true, `${page}</loc>`);
    await eventually(async () => {
      expect((await related(paths[0]))[0]).toBe(slugs[1]);
      expect((await related(paths[1]))[0]).toBe(slugs[0]);
    });

    // The address is derived from the name, until an editor fills one in.
    await admin.publish('tag', tag, { slug: 'owners' });
    await untilAll(paths, true, 'href="/blog/tags/owners"');
    await untilAll(['/blog/tags/owners'], true, paths[0]);

    await admin.publish('article', articles[0] ?? '', { tags: { disconnect: [{ documentId: tag }] } });
    await untilAll(['/blog/tags/owners', feedPath('/blog/tags/owners')], false, paths[0]);
    await untilAll([paths[0]], false, '/blog/tags/');
    await admin.remove('tag', tag);
    await eventually(async () => expect((await getPage('/blog/tags/owners')).status).toBe(404));
    await untilAll([paths[1]], false, '/blog/tags/');
  });
});

describe('an author', () => {
  it('an author has a page at the address of the name, then at the editor’s', async ({
    admin,
    getPage,
    idOf,
    untilAll,
  }) => {
    const article = '/blog/compliance/when-a-name-matches-a-list';
    const [byName, bySlug] = ['/blog/authors/nour-haddad', '/blog/authors/compliance-desk'];
    await untilAll([byName, feedPath(byName)], true, article);
    await untilAll([article], true, `href="${byName}"`);
    const author = await idOf('author', 'Nour Haddad');
    await admin.publish('author', author, { slug: 'compliance-desk' });
    await untilAll([bySlug, feedPath(bySlug)], true, article);
    await untilAll([article], true, `href="${bySlug}"`);
    await untilAll(['/sitemap.xml'], true, `${bySlug}</loc>`);
    await eventually(async () => {
      const { status, headers } = await getPage(byName);
      expect([status, headers.location]).toEqual([308, bySlug]);
    });
    await admin.publish('author', author, { name: 'Nour Haddad-Stein' });
    await untilAll([bySlug, article, feedPath(bySlug)], true, 'Nour Haddad-Stein');
  });
});

describe('the group “Search engines”', () => {
  it.for([
    ['article', 'verifying-a-webhook', '/blog/guides/verifying-a-webhook'],
    ['page', 'careers', '/careers'],
    ['business-solution', 'local-accounts', '/business-solutions/local-accounts'],
    ['commerce', 'subscriptions', '/commerce/subscriptions'],
    ['category', 'engineering', '/blog/engineering'],
    ['landing', null, '/'],
    ['main-page', null, '/blog'],
  ] as const)(
    'the group “Search engines” of the type %s (%s) controls HTML head, HTTP header, sitemap and feed',
    async ([type, name, path], { admin, fileId, getPage, idOf, site }) => {
      const id = name === null ? null : await idOf(type, name);
      const isIn = async (list: string) =>
        (await sendRequest(site.url, list)).text.includes(`${site.url}${path}<`);
      const lists = type === 'article' ? ['/sitemap.xml', BLOG_FEED] : ['/sitemap.xml'];
      for (const list of lists) expect([list, await isIn(list)]).toEqual([list, true]);
      const shown = async () => {
        const { text, headers } = await getPage(path);
        const page = parsePage(text);
        const meta = (key: 'name' | 'property', value: string) =>
          page.all('meta').find(({ properties }) => properties[key] === value)?.properties.content ?? null;
        return {
          title: page.title.split(' – ')[0],
          description: meta('name', 'description'),
          picture: meta('property', 'og:image'),
          canonical: page.canonical,
          robots: page.robots,
          header: headers['x-robots-tag'] ?? null,
        };
      };
      const before = await shown();
      expect(before).toMatchObject({ canonical: site.url + path, robots: null, header: null });
      await admin.publish(type, id, {
        seo: {
          metaTitle: `Searched for: ${type}`,
          metaDescription: 'Described for search engines.',
          metaImage: fileId('ceramics-shelf.jpg'),
          canonicalURL: `https://elsewhere.example/${type}`,
          metaRobots: 'noindex, nofollow',
        },
      });
      await eventually(async () =>
        expect(await shown()).toEqual({
          title: `Searched for: ${type}`,
          description: 'Described for search engines.',
          picture: expect.any(String),
          canonical: `https://elsewhere.example/${type}`,
          robots: 'noindex, nofollow',
          header: 'noindex, nofollow',
        }),
      );
      const { picture } = await shown();
      expect(picture).not.toBe(before.picture);
      const { pathname, search } = new URL(String(picture));
      const answer = await sendRequest(site.url, pathname + search);
      expect([answer.status, answer.headers['content-type']]).toEqual([
        200,
        expect.stringMatching(/^image\//),
      ]);
      for (const list of lists)
        await eventually(async () => expect([list, await isIn(list)]).toEqual([list, false]));
      await admin.publish(type, id, { seo: null });
      await eventually(async () => expect(await shown()).toEqual(before));
      for (const list of lists)
        await eventually(async () => expect([list, await isIn(list)]).toEqual([list, true]));
    },
  );
});

describe('sections', () => {
  it.for([
    ['page', 'security', '/security'],
    ['article', 'testing-before-real-money', '/blog/engineering/testing-before-real-money'],
    ['business-solution', 'direct-debits', '/business-solutions/direct-debits'],
    ['commerce', 'online-shops', '/commerce/online-shops'],
  ] as const)(
    'sections of each kind follow the text of the type %s (%s), in the editor’s order',
    async ([type, slug, path], { admin, fileId, getPage, idOf }) => {
      const id = await idOf(type, slug);
      const sections: readonly (readonly [section: Record<string, unknown>, shown: RegExp])[] = [
        [{ __component: 'site.text-section', body: '## Typed as a section' }, /<h2 id="typed-as-a-section"/],
        [
          {
            __component: 'site.quote-section',
            text: 'Said here.',
            name: 'Ada',
            position: 'Reader',
            href: '/about',
          },
          /<blockquote><p>Said here\.<\/p><p><cite><a [^>]*href="\/about"[^>]*>Ada, Reader</,
        ],
        [
          {
            __component: 'site.media-section',
            file: fileId('film-three-steps.webm'),
            poster: fileId('ceramics-shelf.jpg'),
            captions: fileId('film-three-steps.vtt'),
            caption: 'A film',
          },
          /<video [^>]*poster="[^"]*ceramics[^"]*"[^>]*><track [^>]*\.vtt"[^>]*>.*?<figcaption>A film</,
        ],
        [
          {
            __component: 'site.gallery-section',
            files: [fileId('ceramics-shelf.jpg'), fileId('figure-local-account.svg')],
            caption: 'Two pictures',
          },
          /<figure data-gallery="">(?:<figure>.*?<\/figure>){2}<figcaption>Two pictures</,
        ],
        [
          { __component: 'site.callout-section', tone: 'warning', title: 'Mind', body: 'the **step**' },
          /data-tone="warning">.*?<strong>Mind<\/strong>.*?the <strong>step</,
        ],
        [
          {
            __component: 'site.embed-section',
            href: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
            title: 'An open film',
            poster: fileId('ceramics-shelf.jpg'),
            caption: 'From elsewhere',
          },
          /data-frame="[^"]*aqz-KE-bpKQ[^"]*".*?<img [^>]*ceramics.*?An open film<.*?<figcaption>From elsewhere</,
        ],
      ];
      const showsInTurn = async (wanted: typeof sections) => {
        const { text } = await getPage(path);
        const places = wanted.map(([, shown]) => text.search(shown));
        expect(places).not.toContain(-1);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        return text;
      };
      await getPage(path);
      await admin.publish(type, id, { sections: sections.map(([section]) => section) });
      await eventually(() => showsInTurn(sections));
      const rest = [sections[4], sections[0]].flatMap(section => (section ? [section] : []));
      await admin.publish(type, id, { sections: rest.map(([section]) => section) });
      await eventually(async () => expect(await showsInTurn(rest)).not.toContain('Two pictures'));
    },
  );
});
