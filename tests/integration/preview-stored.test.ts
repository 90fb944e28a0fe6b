import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { payloadPath } from '../support/payload-path.ts';
import { DRAFT_ARTICLE, type DraftCms, editor, PREVIEW_ENV, startDraftCms } from '../support/preview-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const { home, blog, page, commerce, 'blog-article': article } = SAMPLE_PATHS;
const PAGES = [home, blog, page, commerce, article, DRAFT_ARTICLE, '/verify'];
const PREVIEWED = [...PAGES, payloadPath(article)];
/** Editors may open the public sitemap and feed during a preview, too. */
const ADDRESSES = [...PREVIEWED, '/sitemap.xml', '/blog/feed.xml'];

/** Requests each page as an editor, with and without a failure of the CMS. */
async function previewAll(cms: DraftCms, { url }: RunningSite): Promise<string> {
  const texts: string[] = [];
  for (const refusal of [null, 500]) {
    cms.refusal = refusal;
    for (const address of PREVIEWED)
      texts.push((await sendRequest(url, address, { headers: { ...AS_BROWSER, ...editor() } })).text);
  }
  cms.refusal = null;
  return texts.join();
}

/** @returns everything that the site stores of its content, in memory and on disk. */
async function memoryOf({ site, opsUrl }: RunningSite) {
  await site.settled();
  const dir = site.config.dataDir;
  const names = await readdir(dir, { recursive: true });
  // Files of the media library have no drafts, so the CMS serves them to everyone.
  const kept = names.filter(name => /\/(?:content|pages)\/|\.json$/.test(name));
  const files = kept.map(async name => [name, (await stat(path.join(dir, name))).mtimeMs]);
  const metrics = (await sendRequest(opsUrl, '/metrics')).text;
  return {
    pages: [...site.pages.entries()].map(({ key, entry }) => `${key} ${entry.value.etag}`).sort(),
    content: site.content.cache.size,
    states: [...site.contentStates.states()],
    problems: site.problems.newest(1_000),
    totals: metrics.split('\n').filter(line => line.startsWith('site_content_entries')),
    files: await Promise.all(files),
  };
}

it('a preview leaves nothing in caches, on disk, or in the states of content types', async () => {
  const cms = await startDraftCms();
  const site = await startSite({
    contentBaseUrl: cms.url,
    env: { ...PREVIEW_ENV, PUBLIC_URL: 'https://www.example.com', CONTENT_TTL_MS: '3600000' },
  });
  const publicTexts = async () => {
    const texts: string[] = [];
    for (const address of ADDRESSES)
      texts.push((await sendRequest(site.url, address, { headers: AS_BROWSER })).text);
    return texts;
  };
  try {
    // The start ends by loading the newest articles for the first visitors.
    await eventually(() => {
      const { cache } = site.site.content;
      expect([cache.isFresh('articles?newest&by=date'), cache.loading]).toEqual([true, 0]);
    });
    const atStart = await memoryOf(site);
    const previewed = await previewAll(cms, site);
    for (const title of ['Reading a fee statement', 'Planning next', 'About', 'Marketplaces'])
      expect(previewed).toContain(`Zebra ${title}`);
    expect(await memoryOf(site)).toEqual(atStart);

    const shown = await publicTexts();
    expect(shown.findIndex(text => /Zebra|Planning next year/.test(text))).toBe(-1);
    const stored = await memoryOf(site);
    expect(stored.pages.length).toBeGreaterThan(PAGES.length);
    expect(stored.totals.length).toBeGreaterThan(5);
    expect(stored.files.length).toBeGreaterThan(ADDRESSES.length);

    await previewAll(cms, site);
    expect(await memoryOf(site)).toEqual(stored);
    expect((await publicTexts()).findIndex(text => /Zebra|Planning next year/.test(text))).toBe(-1);
  } finally {
    await site.close();
    await cms.close();
  }
});
