import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startVarnish } from '../support/front-server.ts';
import { expectTextOf, frontTest, numberIn, shareOfHits, visit, watch } from '../support/front-test.ts';
import { inFull } from '../support/in-full.ts';
import { patient } from '../support/patience.ts';
import { postForm } from '../support/send-request.ts';
import { addSimilarPages, expectOwnPages } from '../support/similar-addresses.ts';
import { expectNoLongWaits, expectPatience } from '../support/visits-of-a-hung-replica.ts';

const PUBLISHES = inFull ? 100 : 8;
const LONG = { timeout: patient(120_000) };

const it = frontTest('varnishd', {
  start: startVarnish,
  env: front => ({ CDN_PURGE: `varnish:${front}`, CONTENT_TTL_MS: '600000' }),
  edit: addSimilarPages,
});

const itWithThree = frontTest('varnishd', { start: startVarnish, sites: 3 });

describe('Varnish with deploy/varnish.vcl', () => {
  it(
    'Varnish caches pages for all browsers, and shows them while the site is down',
    LONG,
    async ({ stage }) => {
      const { front, sites, articles } = stage;
      expect(await shareOfHits(front.url, articles, 1_000)).toBeGreaterThanOrEqual(0.98);
      const brotli = await visit(front.url, articles[0] ?? '', { 'accept-encoding': 'gzip, br' });
      expect(brotli.headers).toMatchObject({
        'content-encoding': 'br',
        'cache-status': expect.stringMatching(/, varnish; hit$/),
      });
      for (const name of ['surrogate-key', 'xkey', 'cache-tag', 'edge-cache-tag', 'surrogate-control'])
        expect(brotli.headers[name]).toBeUndefined();

      await expectTextOf(front.url, articles[0] ?? '');
      const stored = articles[1] ?? '';
      // A busy site may refuse the first visit, and Varnish would have nothing to show.
      await eventually(async () =>
        expect((await visit(front.url, stored)).headers['cache-status']).toMatch(/, varnish; hit$/),
      );
      await stage.publish(stored, 'A title that nobody sees before the site is down');
      await sites[0]?.end('SIGKILL');
      // The page is purged, and the site cannot serve the new one.
      for (let round = 0; round < 5; round += 1) {
        // Concurrent visitors wait for the same response of the site.
        const answers = await Promise.all(Array.from({ length: 20 }, () => visit(front.url, stored)));
        for (const { status, headers } of answers) {
          expect(status).toBe(200);
          expect(headers['cache-status']).toMatch(/, varnish; hit; detail=stale$/);
        }
      }
      const unseen = await visit(front.url, '/a-page-that-nobody-has-seen');
      expect([unseen.status, unseen.headers['retry-after'], unseen.headers['cache-control']]).toEqual([
        503,
        '5',
        'no-store',
      ]);
      expect(unseen.text).toContain('Not available right now');
    },
  );

  it(
    'Varnish shows a change a moment later, and no visitor gets an old page after a new one',
    LONG,
    async ({ stage }) => {
      const { front, articles } = stage;
      const path = articles[0] ?? '';
      const stopWatching = watch(front.url, path);
      for (let change = 0; change < PUBLISHES; change += 1) {
        await stage.publish(path, `Change ${change}`);
        await eventually(async () => expect(numberIn(await visit(front.url, path))).toBe(change), 1_500);
      }
      for (const numbers of await stopWatching()) {
        expect(numbers.length).toBeGreaterThan(PUBLISHES);
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }
    },
  );

  it('Varnish shows no unpublished page, even while the site is down', LONG, async ({ stage }) => {
    const { front, sites, articles } = stage;
    const path = articles[2] ?? '';
    expect((await visit(front.url, path)).status).toBe(200);
    await stage.unpublish(path);
    await eventually(async () => expect((await visit(front.url, path)).status).toBe(404));
    await sites[0]?.end('SIGKILL');
    expect((await visit(front.url, path)).status).toBe(503);
  });

  itWithThree('Varnish makes no visitor wait long for a hung replica', LONG, ({ stage }) =>
    expectNoLongWaits(stage),
  );

  itWithThree('Varnish waits for a page that a slow CMS delays', LONG, ({ stage }) => expectPatience(stage));

  it('Varnish distinguishes pages whose addresses end in br or gzip', LONG, async ({ stage }) => {
    const { front, sites } = stage;
    await expectOwnPages(
      (path, headers) => visit(front.url, path, headers),
      (path, headers) => visit(sites[0]?.url ?? '', path, headers),
    );
  });

  it('Varnish passes forms, previews and probes to the site', LONG, async ({ stage }) => {
    const { front } = stage;
    const fields = { form: 'subscribe', email: 'no address', page: '/about' };
    expect((await postForm(front.url, '/api/email/send', fields)).status).toBe(422);
    await visit(front.url, '/about');
    const preview = await visit(front.url, '/about', { cookie: '__Host-preview=x' });
    expect(preview.headers['cache-status']).toMatch(/, varnish; fwd=miss$/);
    expect((await visit(front.url, '/readyz')).text).toContain('ready');
  });
});
