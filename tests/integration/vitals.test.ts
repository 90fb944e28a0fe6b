import { describe, expect } from 'vitest';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';
import { APPLE } from '../support/user-agents.ts';

const PHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${APPLE} Version/17.5 Mobile/15E148 Safari/604.1`;
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const REPORT = { from: '', views: [], figures: [] };

async function report(site: RunningSite, fields: object, headers = {}): Promise<number> {
  const { status } = await sendRequest(site.url, '/vitals', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ ...REPORT, ...fields }),
  });
  return status;
}

/** @returns the series of a metric that are not zero. */
async function samples({ opsUrl }: RunningSite, name: string): Promise<string[]> {
  const { text } = await sendRequest(opsUrl, '/metrics');
  return text.split('\n').filter(line => line.startsWith(name) && !line.endsWith(' 0'));
}

describe('POST /vitals', () => {
  it('a report becomes histograms by route and device', async ({ startOwnSite }) => {
    const site = await startOwnSite();
    const figures = [
      { path: '/', name: 'LCP', value: 1_200 },
      { path: '/about', name: 'INP', value: 40 },
      { path: '/about', name: 'CLS', value: 0.06 },
      { path: '/no/such/route/at-all', name: 'TTFB', value: 30 },
    ];
    expect(await report(site, { figures }, { 'User-Agent': PHONE })).toBe(204);
    const mobile = (route: string) => `http_route="${route}",device="mobile"`;
    expect(await samples(site, 'site_web_vitals_lcp_seconds')).toContainEqual(
      expect.stringMatching(`bucket{le="2.5",${mobile('home')}} 1$`),
    );
    expect(await samples(site, 'site_web_vitals_inp_seconds_sum')).toEqual([
      `site_web_vitals_inp_seconds_sum{${mobile('page')}} 0.04`,
    ]);
    expect(await samples(site, 'site_web_vitals_cls')).toEqual(
      expect.arrayContaining([
        `site_web_vitals_cls_bucket{le="0.1",${mobile('page')}} 1`,
        `site_web_vitals_cls_sum{${mobile('page')}} 0.06`,
      ]),
    );
    expect(await samples(site, 'site_web_vitals_ttfb_seconds_count')).toEqual([
      `site_web_vitals_ttfb_seconds_count{${mobile('_OTHER')}} 1`,
    ]);
  });

  it('views are counted by page and referrer, and invented addresses as one', async ({ startOwnSite }) => {
    const site = await startOwnSite();
    await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    const invented = ['/an-invented-address', '/no/such/route/at-all'];
    await report(site, { from: 'Search.example', views: ['/about', '/', ...invented] });
    await report(site, { from: 'search.example', views: ['/about'] });
    expect(site.site.vitals?.views).toEqual({
      pages: [
        ['/about', 2],
        ['_OTHER', 2],
        ['/', 1],
      ],
      referrers: [['search.example', 2]],
    });
    expect(await samples(site, 'site_page_views_total')).toEqual([
      'site_page_views_total{http_route="home",device="desktop"} 1',
      'site_page_views_total{http_route="page",device="desktop"} 2',
      'site_page_views_total{http_route="_OTHER",device="desktop"} 2',
    ]);
  });

  it('the ops page shows views by page, and referrers only to operators', async ({ startOwnSite }) => {
    const site = await startOwnSite({ env: { OPS_TOKEN: 'a-token-of-the-operators' } });
    await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    const figures = [{ path: '/about', name: 'LCP', value: 1_200 }];
    await report(site, { from: 'search.example', views: ['/about', '/an-invented-address'], figures });
    const { text } = await sendRequest(site.opsUrl, '/');
    const [, section = ''] = text.split('<section id="real-visitors"');
    expect(section).toContain('<th scope="row">/about</th><td data-label="views">1</td>');
    expect(section).toContain('<dt>Largest paint (LCP)</dt><dd>3 s</dd>');
    expect(text).not.toMatch(/search\.example|an-invented-address/);
    const headers = { Authorization: 'Bearer a-token-of-the-operators' };
    expect((await sendRequest(site.opsUrl, '/', { headers })).text).toContain(
      '<th scope="row">search.example</th><td data-label="views">1</td>',
    );
  });

  it('a referrer that is no host is ignored', async ({ startOwnSite }) => {
    const site = await startOwnSite();
    for (const from of ['<b>', 'a b', 'https://a.example/path?token=1', 'a'.repeat(101)])
      expect(await report(site, { from, views: ['/'] })).toBe(204);
    expect(site.site.vitals?.views.referrers).toEqual([]);
  });

  it.for([
    [{ views: 'all' }],
    [{ views: Array.from({ length: 21 }, () => '/') }],
    [{ views: ['https://a.example/'] }],
    [{ figures: [{ path: '/', name: 'FID', value: 1 }] }],
    [{ figures: [{ path: '/', name: 'LCP', value: -1 }] }],
    [{ figures: [{ path: '/', name: 'LCP', value: 600_001 }] }],
    [{ figures: [{ path: '/', name: 'LCP', value: null }] }],
  ])('the report %j is refused', async ([fields = {}], { startOwnSite }) => {
    const site = await startOwnSite();
    expect(await report(site, fields)).toBe(400);
    expect(site.site.vitals?.views.pages).toEqual([]);
  });

  it('a crawler’s report is ignored', async ({ startOwnSite }) => {
    const site = await startOwnSite();
    expect(await report(site, { views: ['/'] }, { 'User-Agent': CRAWLER })).toBe(204);
    expect(site.site.vitals?.views.pages).toEqual([]);
  });

  it('a report that is too long, has another format or exceeds the limit is refused', async ({
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    expect(await report(site, { more: 'x'.repeat(8 * 1024) })).toBe(413);
    const text = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: JSON.stringify(REPORT) };
    expect((await sendRequest(site.url, '/vitals', text)).status).toBe(400);
    const statuses = await Promise.all(Array.from({ length: 120 }, () => report(site, {})));
    expect(statuses.filter(status => status === 429)).toHaveLength(2);
    expect(await samples(site, 'site_rate_limited_total')).toEqual([
      'site_rate_limited_total{limit="vitals"} 2',
    ]);
  });

  it('RUM=off leaves the address, the metrics and the script out', async ({ startOwnSite }) => {
    const site = await startOwnSite({ env: { RUM: 'off' } });
    expect(await report(site, { views: ['/'] })).toBe(405);
    expect((await sendRequest(site.opsUrl, '/metrics')).text).not.toContain('site_page_views');
    expect((await sendRequest(site.url, '/about', { headers: AS_BROWSER })).text).toContain('"vitals":false');
  });
});
