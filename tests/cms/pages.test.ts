import { describe, expect } from 'vitest';
import { feedPath } from '../../shared/routing/feed-files.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { sendRequest } from '../support/send-request.ts';
import { cmsTest as it } from './support/cms-test.ts';
import { differentPages } from './support/different-pages.ts';

describe('the site on the CMS', () => {
  it('each sitemap page has the same status and text from the CMS as from the content folder', async ({
    site,
    sample,
  }) => {
    const { different, count } = await differentPages(site, sample);
    expect(count).toBeGreaterThan(50);
    expect(different).toEqual([]);
  });

  it('sitemap, feed and redirects from the CMS equal those from the content folder', async ({
    site,
    sample,
  }) => {
    const both = (path: string) => Promise.all([site, sample].map(({ url }) => sendRequest(url, path)));
    const [sitemap, sampleSitemap] = (await both('/sitemap.xml')).map(({ text }) =>
      valuesOf(text, 'loc').toSorted(),
    );
    expect(sitemap).toEqual(sampleSitemap);
    expect(sitemap?.length).toBeGreaterThan(50);
    for (const [page, least] of [
      ['/blog', 10],
      ['/blog/guides', 10],
      [SAMPLE_PATHS['blog-author'], 2],
      [SAMPLE_PATHS['blog-tag'], 2],
    ] as const) {
      const [feed, sampleFeed] = (await both(feedPath(page))).map(({ text }) => valuesOf(text, 'link'));
      expect(feed).toEqual(sampleFeed);
      expect(feed?.length).toBeGreaterThan(least);
    }
    for (const path of ['/articles/getting-paid-in-brazil', '/old-about', '/pricing', '/status']) {
      const [redirect, sampleRedirect] = await both(path);
      expect(redirect?.status, path).toBe(sampleRedirect?.status);
      expect(redirect?.headers.location, path).toBe(sampleRedirect?.headers.location);
      expect(redirect?.status, path).toBeGreaterThan(300);
    }
  });

  it('the site on the CMS shows the content’s pictures from the CMS', async ({ getPage, site }) => {
    const { text } = await getPage('/');
    const pictures = [...text.matchAll(/<img[^>]+src="([^"]+)"/g)].map(match => match[1] ?? '');
    expect(pictures.length).toBeGreaterThan(30);
    for (const picture of new Set(pictures)) {
      const answer = await sendRequest(site.url, picture.replaceAll('&amp;', '&'));
      expect([picture, answer.status]).toEqual([picture, 200]);
    }
  });

  it('a site that uses the CMS plays video and audio from it', async ({ getPage, site }) => {
    const { text } = await getPage('/blog/engineering/what-a-page-can-show');
    const files = [...text.matchAll(/<(video|audio|track)[^>]+src="([^"]+)"/g)];
    expect(files.map(([, tag]) => tag).toSorted()).toEqual(['audio', 'track', 'video']);
    for (const [, tag = '', address = ''] of files) {
      const { status, headers } = await sendRequest(site.url, address, { headers: { range: 'bytes=0-9' } });
      const type = { audio: 'audio/wav', track: 'text/vtt', video: 'video/webm' }[tag];
      expect([tag, status, headers['content-type']]).toEqual([
        tag,
        206,
        expect.stringContaining(type ?? '-'),
      ]);
    }
  });
});

/** @returns the texts of an XML element, without the address of the site. */
function valuesOf(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^<]+)<`, 'g'))].map(match =>
    (match[1] ?? '').replace(/^http:\/\/[^/]+/, ''),
  );
}
