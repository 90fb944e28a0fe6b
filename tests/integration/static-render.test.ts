import { renderToString } from 'react-dom/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pathTo } from '../../shared/routing/routes.ts';
import type { Row } from '../support/editable-backend.ts';
import { capture, type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { pageTree, splitDocument } from '../support/page-tree.ts';
import { parsePage } from '../support/parse-page.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const TOKEN = 'a-token-of-the-operators';

describe('the server’s own renderer of static parts', () => {
  let site: SampleSite;
  beforeAll(async () => {
    site = await startSampleSite({ env: { CONTENT_TTL_MS: '3600000' } });
  });
  afterAll(() => site.close());

  it.each([
    ...Object.values(SAMPLE_PATHS),
    // Pages that share their place in the navigation with another page, and pages that do not.
    pathTo('blog-article', { category: 'guides', slug: 'verifying-a-webhook' }),
    pathTo('blog-category', { category: 'news' }),
    pathTo('page', { slug: 'contacts' }),
  ])(
    'the server’s renderer of static parts equals React’s rendering of the browser tree: %s',
    async address => {
      // In the second round the parts around the page are already rendered.
      for (const form of ['contact', 'subscribe'])
        await rendersAsReact(`${address}${address.includes('?') ? '&' : '?'}sent=${form}`);
    },
  );

  it('the server’s renderer of static parts equals React’s rendering of a missing page', async () => {
    const hostile = [
      `/no/such/page/<b>"it's"&amp;`,
      '/no/such/$&/$1/</script><!--/%E2%80%A8',
      '//no/such/page?a=<b>&c="\'',
      "/no-such-slug-%22%3C'",
    ];
    for (const path of [
      '/no/such/page/first',
      '/no/such/page/second',
      '/business-solutions/none',
      ...hostile,
    ]) {
      const { payload } = await rendersAsReact(path);
      expect(payload.error?.message).toBe(`Page not found: ${path.split('?')[0]}`);
    }
  });

  async function rendersAsReact(path: string) {
    const { text } = await sendRequest(site.url, path, { headers: AS_BROWSER });
    const { markup, data } = splitDocument(text);
    expect(markup.length).toBeGreaterThan(1_000);
    expect(markup === renderToString(await pageTree(data, path)), path).toBe(true);
    return data;
  }
});

describe('the parts around every page', () => {
  let backend: FakeBackend;
  let site: RunningSite;
  beforeAll(async () => {
    backend = await startFakeBackend();
    site = await startSite({
      contentBaseUrl: backend.url,
      env: { CONTENT_TTL_MS: '3600000', OPS_TOKEN: TOKEN },
    });
  });
  afterEach(() => backend.reset());
  afterAll(async () => {
    await site.close();
    await backend.close();
  });

  const show = async (path: string) =>
    parsePage((await sendRequest(site.url, path, { headers: AS_BROWSER })).text);
  const invalidate = (tag: string) =>
    sendRequest(site.opsUrl, `/cache?tag=${tag}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
  const hrefs = async (path: string, part: string) => {
    const found = (await show(path)).all(part)[0];
    if (!found) throw new Error(`${path} has no <${part}>`);
    return (
      JSON.stringify(found)
        .match(/"href":"[^"]*"/g)
        ?.map(text => text.slice(8, -1)) ?? []
    );
  };

  it.each([
    ['header', 'headerLinks'],
    ['footer', 'footerLinks'],
  ])('a changed %s appears on each page', async (part, field) => {
    const before = await hrefs('/about', part);
    expect(before.length).toBeGreaterThan(1);
    const settings = structuredClone(capture('v5-as-v4', 'settings.json')) as { data: Row };
    Object.assign(settings.data.attributes, { [field]: [{ title: 'New', href: '/new-link' }] });
    backend.on('/api/settings', settings);
    await invalidate('settings');
    expect(await hrefs('/about', part)).toContain('/new-link');
    expect(await hrefs('/cookies', part)).toContain('/new-link');
    backend.reset();
    await invalidate('settings');
    expect(await hrefs('/about', part)).toEqual(before);
  });

  it('the footer’s social links change without the settings', async () => {
    const socials = structuredClone(capture('v5-as-v4', 'socials.json')) as { data: Row[] };
    for (const row of socials.data) row.attributes.link = 'https://network.example/new';
    backend.on('/api/socials', socials);
    await invalidate('socials');
    expect(await hrefs('/about', 'footer')).toContain('https://network.example/new');
  });

  it('the navigation marks the current page', async () => {
    const current = async (path: string) =>
      (await show(path))
        .all('a')
        .filter(link => link.properties.ariaCurrent !== undefined)
        .map(({ properties }) => [properties.href, properties.ariaCurrent]);
    expect(await current('/blog')).toContainEqual(['/blog', 'page']);
    expect(await current('/blog/guides')).toContainEqual(['/blog/guides', 'page']);
    const article = await current('/blog/guides/accepting-cards-in-spain');
    expect(article).toContainEqual(['/blog/guides', 'true']);
    expect(article).not.toContainEqual(['/blog', 'page']);
  });
});
