import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startNginx } from '../support/front-server.ts';
import { expectTextOf, frontTest, numberIn, shareOfHits, visit, watch } from '../support/front-test.ts';
import { close, listen } from '../support/listen.ts';
import { message } from '../support/outbox-test.ts';
import { patient } from '../support/patience.ts';
import { postForm } from '../support/send-request.ts';
import { addSimilarPages, expectOwnPages } from '../support/similar-addresses.ts';

const LONG = { timeout: patient(120_000) };

const it = frontTest('nginx', {
  start: startNginx,
  env: () => ({ CONTENT_TTL_MS: '600000' }),
  edit: addSimilarPages,
});
const itSoon = frontTest('nginx', { start: startNginx, env: () => ({ CONTENT_TTL_MS: '2000' }) });
/** A replica without stored pages that reads each request and then dies. */
let dropped = 0;
const dying = createServer((req, res) => {
  if (req.headers['cache-control'] === 'only-if-cached') {
    res.writeHead(504, { 'Cache-Control': 'no-store' }).end();
    return;
  }
  dropped += 1;
  req.socket.destroy();
});
const itBesideDying = frontTest('nginx', {
  start: async (engine, sites) => startNginx(engine, [...sites, await listen(dying)]),
});
/**
 * Replicas without a CMS, which serve stored responses with the longest headers that deploy/nginx.conf
 * accepts.
 */
const failing = [0, 1].map(() =>
  createServer((req, res) => {
    res
      .writeHead(req.url?.startsWith('/unseen') ? 503 : 200, { 'X-Long': 'x'.repeat(12_000) })
      .end('answered');
  }),
);
const itBeforeFailing = frontTest('nginx', {
  start: async engine => startNginx(engine, await Promise.all(failing.map(server => listen(server)))),
});
const restarted = [0, 1, 2].map(() => createServer((_req, res) => res.end('answered')));
const itBeforeRestarted = frontTest('nginx', {
  start: async engine => startNginx(engine, await Promise.all(restarted.map(server => listen(server)))),
});
afterAll(() => Promise.all([dying, ...failing, ...restarted].map(server => close(server))));

describe('nginx with deploy/nginx.conf', () => {
  it(
    'nginx caches pages for all browsers, and removes headers meant for caches',
    LONG,
    async ({ stage: { front, articles } }) => {
      expect(await shareOfHits(front.url, articles, 1_000)).toBeGreaterThanOrEqual(0.98);
      const path = articles[0] ?? '';
      const brotli = await visit(front.url, path, { 'accept-encoding': 'gzip, br' });
      expect(brotli.headers).toMatchObject({
        'content-encoding': 'br',
        'cache-status': expect.stringMatching(/^site; .*, nginx; hit$/),
      });
      // The header belongs to the visit for which the page was fetched.
      expect(brotli.headers['x-request-id']).toBeUndefined();
      for (const name of ['surrogate-key', 'cache-tag', 'edge-cache-tag', 'surrogate-control'])
        expect(brotli.headers[name]).toBeUndefined();
      await expectTextOf(front.url, path);
      const preview = await visit(front.url, path, { cookie: '__Host-preview=x', 'x-request-id': 'forged' });
      expect(preview.headers['cache-status']).toMatch(/, nginx; fwd=bypass$/);
      expect(preview.headers['x-request-id']).toMatch(/^[\w-]{12}-\d+$/);
    },
  );

  it('nginx distinguishes pages whose addresses end in br or gzip', LONG, async ({ stage }) => {
    const { front, sites } = stage;
    await expectOwnPages(
      (path, headers) => visit(front.url, path, headers),
      (path, headers) => visit(sites[0]?.url ?? '', path, headers),
    );
  });

  itSoon(
    'nginx shows a change within s-maxage, and stale pages while the site is down',
    LONG,
    async ({ stage }) => {
      const { front, sites, articles } = stage;
      const path = articles[0] ?? '';
      // A page that became stale meanwhile has a TTL of 1 s. On a slow machine each visit may find one.
      const { headers } = await visit(front.url, path);
      expect(headers['cache-control']).toMatch(/^public, max-age=0, s-maxage=[12]$/);
      const stopWatching = watch(front.url, path);
      await stage.publish(path, 'Change 1');
      await eventually(async () => expect(numberIn(await visit(front.url, path))).toBe(1), 2_500);
      for (const numbers of await stopWatching()) expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      await sites[0]?.end('SIGKILL');
      const stale = await eventually(async () => {
        const answer = await visit(front.url, path);
        expect(answer.headers['cache-status']).toMatch(/, nginx; hit; detail=stale$/);
        return answer;
      });
      expect([stale.status, numberIn(stale)]).toEqual([200, 1]);
    },
  );

  itBeforeFailing(
    'nginx keeps using replicas that cannot make some pages while the CMS is down',
    LONG,
    async ({ stage: { front } }) => {
      const statuses: number[] = [];
      for (let visits = 0; visits < 6; visits += 1)
        statuses.push((await visit(front.url, `/unseen-${visits}`)).status);
      statuses.push((await visit(front.url, '/seen')).status);
      expect(statuses).toEqual([503, 503, 503, 503, 503, 503, 200]);
    },
  );

  itBeforeRestarted('nginx answers when each replica has just restarted', LONG, async ({ stage }) => {
    const statuses: number[] = [];
    const visitAll = async () => {
      for (let visits = 0; visits < 15; visits += 1)
        statuses.push((await visit(stage.front.url, '/about')).status);
    };
    for (const server of restarted) {
      const { port } = server.address() as AddressInfo;
      await close(server);
      // Enough visits for the closed replica to be tried twice, and skipped.
      await visitAll();
      await listen(server, port);
    }
    await visitAll();
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  itBesideDying(
    'nginx repeats a form submission at another replica when the first one dies after reading it',
    LONG,
    async ({ stage }) => {
      dropped = 0;
      const statuses: number[] = [];
      await eventually(async () => {
        const form = { ...message(), page: '/' };
        statuses.push((await postForm(stage.front.url, '/api/email/send', form)).status);
        expect(dropped).toBeGreaterThanOrEqual(1);
      });
      expect(new Set(statuses)).toEqual(new Set([303]));
    },
  );
});
