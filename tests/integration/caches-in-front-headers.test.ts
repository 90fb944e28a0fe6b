import { describe, expect } from 'vitest';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import { cacheStatusOf, STALE_HIT } from '../support/cache-status.ts';
import { eventually } from '../support/eventually.ts';
import { pageCacheTest } from '../support/page-cache-test.ts';
import { startRelay } from '../support/relay.ts';
import { CONTENT_PATHS, SAMPLE_PATHS } from '../support/sample-site.ts';
import type { Answer } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

const it = pageCacheTest;
const ABOUT = SAMPLE_PATHS.page;
const LIFETIME = 'max-age=60, stale-while-revalidate=60, stale-if-error=864000';

/** @returns the surrogate keys of a response, equal in all three headers. */
function wordsOf({ headers }: Answer): string[] {
  const words = String(headers['surrogate-key']).split(' ');
  expect(headers).toMatchObject({ 'cache-tag': words.join(','), 'edge-cache-tag': words.join(',') });
  expect(words).toContain('site');
  return words;
}

function expectKept(answer: Answer): void {
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=0, s-maxage=60',
    'surrogate-control': LIFETIME,
    'cdn-cache-control': `public, ${LIFETIME}`,
  });
}

function expectNotKept({ headers }: Answer): void {
  expect(headers['cache-control']).toBe('no-store');
  const names = ['surrogate-control', 'cdn-cache-control', 'surrogate-key', 'cache-tag', 'edge-cache-tag'];
  expect(names.filter(name => name in headers)).toEqual([]);
}

describe('CDNs', () => {
  it('CDNs may store sitemap and feed, and purge them by their content', async ({ getStored }) => {
    for (const [path, word] of [
      // Both depend on every article. A response with too many tags names types in place of entries.
      ['/sitemap.xml', /^articles(?:\.any)?$/],
      ['/blog/feed.xml', /^articles(?:\.any)?$/],
    ] as const) {
      const answer = await getStored(path);
      expectKept(answer);
      expect(wordsOf(answer)).toContainEqual(expect.stringMatching(word));
    }
  });

  it('the headers of each stored page fit into the default buffer of nginx', async ({ getStored }) => {
    const sizes = new Map<string, number>();
    for (const path of CONTENT_PATHS) {
      const { headers } = await getStored(path);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      sizes.set(path, lines.join('').length);
    }
    // nginx accepts 4,096 bytes by default.
    expect([...sizes].filter(([, bytes]) => bytes > 3_900)).toEqual([]);
    expect(Math.max(...sizes.values())).toBeGreaterThan(2_000);
  });

  it('CDNs may store redirects, and purge them by the redirect table or the entry', async ({
    get,
    sample,
  }) => {
    const moved = await get('/old-about');
    expect(moved.status).toBe(301);
    expectKept(moved);
    expect(wordsOf(moved)).toContain('redirects');
    const payload = await get(`/old-about${PAYLOAD_SUFFIX}?_b=${sample.site.manifest.id}`);
    expectKept(payload);
    expect(wordsOf(payload)).toContain('redirects');
    const canonical = await get(`${ABOUT}/`);
    expect(canonical.status).toBe(308);
    expectKept(canonical);
  });

  it('a file and its renditions share one surrogate key', async ({ get }) => {
    const file = await get('/uploads/cover-andes.svg');
    expect(file.headers).toMatchObject({
      'surrogate-control': 'max-age=3600, stale-while-revalidate=3600',
      'cdn-cache-control': 'public, max-age=3600, stale-while-revalidate=3600',
    });
    const words = wordsOf(file);
    expect(words).toEqual([expect.stringMatching(/^file-[\w-]{8}$/), 'site']);
    const unmodified = await get('/uploads/cover-andes.svg', { 'if-none-match': String(file.headers.etag) });
    expect([unmodified.status, wordsOf(unmodified)]).toEqual([304, words]);
  });

  it('CDNs store no error response for a file', async ({ get }) => {
    expectNotKept(await get('/uploads/none.png'));
    const unsatisfiable = await get('/uploads/cover-andes.svg', { range: 'bytes=99999999-' });
    expect(unsatisfiable.status).toBe(416);
    expectNotKept(unsatisfiable);
  });

  it('CDNs store no payload requested with another build id', async ({ get, getStored, sample }) => {
    const own = `${ABOUT}${PAYLOAD_SUFFIX}?_b=${sample.site.manifest.id}`;
    const other = `${ABOUT}${PAYLOAD_SUFFIX}?_b=another`;
    const fresh = await get('/privacy/_payload.json?_b=another');
    expect(fresh.status).toBe(200);
    expectNotKept(fresh);
    const stored = await getStored(own);
    expectKept(stored);
    const foreign = await get(other);
    expectNotKept(foreign);
    expect(foreign.headers.etag).toBe(stored.headers.etag);
    const unmodified = await get(other, { 'if-none-match': String(stored.headers.etag) });
    expect(unmodified.status).toBe(304);
    expectNotKept(unmodified);
    expectNotKept(await get(`/old-about${PAYLOAD_SUFFIX}?_b=another`));
    // The parameter has no effect on the address of a page.
    expectKept(await getStored(`${ABOUT}?_b=another`));
  });

  it('CDNs may store a stale response of the site for one second', async ({ get, siteEnv, sample }) => {
    const relay = await startRelay(sample.backend.url);
    const env = { ...siteEnv, CONTENT_TTL_MS: '2000', WEBHOOK_SECRET: 'a-secret-of-the-webhook' };
    const site = await startSite({ contentBaseUrl: relay.url, env });
    try {
      expect((await get(ABOUT, {}, site.url)).status).toBe(200);
      relay.goDown();
      const stale = await eventually(async () => {
        const answer = await get(ABOUT, {}, site.url);
        expect(cacheStatusOf(answer)).toMatch(STALE_HIT);
        return answer;
      });
      expect(stale.headers['cache-control']).toBe('public, max-age=0, s-maxage=1');
      expect(stale.headers['surrogate-control']).toMatch(/^max-age=1, stale-while-revalidate=2,/);
      expect(stale.headers['cdn-cache-control']).toMatch(/^public, max-age=1, stale-while-revalidate=2,/);
      // This payload is not stored, so it is rendered from stale content.
      const rendered = await get(`${ABOUT}${PAYLOAD_SUFFIX}`, {}, site.url);
      expect([rendered.status, rendered.headers['cache-control']]).toEqual([
        ...[200, 'public, max-age=0, s-maxage=1'],
      ]);
    } finally {
      await site.close();
      await relay.close();
    }
  });
});
