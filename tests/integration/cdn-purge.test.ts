import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createHttpCall } from '../../server/backend/http-call.ts';
import { CdnPurger } from '../../server/cdn/cdn-purger.ts';
import { purgeTargets } from '../../server/cdn/purge-calls.ts';
import { entryEvent, sendWebhook, startEditableBackend } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { type AcceptedPurge, CDN_TOKEN, startFakeCdn } from '../support/fake-cdn.ts';
import { askOps, SECRET, SPAIN, TOKEN } from '../support/invalidation-test.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

const PURGED = { fastly: 'fastly:a-service', cloudflare: 'cloudflare:a-zone' } as const;

const it = test
  .extend('backend', { scope: 'file' }, async ({}, { onCleanup }) => {
    const backend = await startEditableBackend();
    onCleanup(() => backend.close());
    return backend;
  })
  .extend('resetContent', { auto: true }, async ({ backend }) => backend.reset())
  .extend('cdn', async ({}, { onCleanup }) => {
    const cdn = await startFakeCdn();
    onCleanup(cdn.close);
    return cdn;
  })
  /** Starts a site that purges a fake vendor. */
  .extend('startPurging', async ({ backend, cdn }, { onCleanup }) => async (vendor: keyof typeof PURGED) => {
    const env = {
      ...{ WEBHOOK_SECRET: SECRET, OPS_TOKEN: TOKEN, PUBLIC_URL: 'https://www.example.com' },
      ...{ CDN_PURGE: PURGED[vendor], CDN_TOKEN, CDN_API: cdn.url },
    };
    const site = await startSite({ contentBaseUrl: backend.url, env });
    onCleanup(() => site.close());
    return site;
  })
  /** Starts a purger without a site. */
  .extend('openPurger', async ({ cdn }, { onCleanup }) => {
    const opened: CdnPurger[] = [];
    onCleanup(async () => void (await Promise.all(opened.map(purger => purger.settled()))));
    return (againAfterMs: number, log = pino({ level: 'silent' })) => {
      const purger = new CdnPurger({
        targets: purgeTargets({ kind: 'fastly', id: 'a-service' }, CDN_TOKEN, cdn.url),
        call: createHttpCall(1),
        below: () => [],
        whenShared: async () => {},
        count: () => {},
        ...{ log, againAfterMs },
      });
      opened.push(purger);
      return purger;
    };
  });

const wordsOf = (purges: readonly AcceptedPurge[], isSoft: boolean) =>
  new Set(purges.filter(purge => purge.isSoft === isSoft).flatMap(({ words }) => words));

async function answerOf(url: string, path: string) {
  const { headers } = await sendRequest(url, path, { headers: AS_BROWSER });
  return { headers, words: String(headers['surrogate-key']).split(' ') };
}

/** @returns the surrogate key of a part of an entry, with eight characters of the id. */
const partOf = (word = '', part: string) => `${word.slice(0, 'articles-'.length + 8)}.${part}`;

describe('a change of the content', () => {
  it('a change soft-purges exactly the surrogate keys of the pages that show it, at Fastly', async ({
    backend,
    cdn,
    startPurging,
  }) => {
    const { url } = await startPurging('fastly');
    const [article, about] = [await answerOf(url, SPAIN), await answerOf(url, '/about')];
    expect(article.headers['surrogate-control']).toMatch(/^max-age=60, stale-while-revalidate=600,/);
    const row = backend.row('article', 'accepting-cards-in-spain');
    row.attributes.title = 'Cards in Spain, once more';
    await sendWebhook(url, SECRET, entryEvent('entry.update', 'article', row));
    await eventually(() => expect([...wordsOf(cdn.purges, true)]).toContain(article.words[0]));
    const purged = wordsOf(cdn.purges, true);
    expect(purged).toContain(partOf(article.words[0], 'card'));
    expect(about.words.filter(word => purged.has(word))).toEqual([]);
    expect(wordsOf(cdn.purges, false)).toEqual(new Set());
  });

  it('an unpublished entry hard-purges its page, and soft-purges the pages that list it', async ({
    backend,
    cdn,
    startPurging,
  }) => {
    const { url } = await startPurging('fastly');
    const { words } = await answerOf(url, SPAIN);
    const row = backend.row('article', 'accepting-cards-in-spain');
    backend.rows('article').splice(backend.rows('article').indexOf(row), 1);
    await sendWebhook(url, SECRET, entryEvent('entry.unpublish', 'article', row));
    await eventually(() => expect([...wordsOf(cdn.purges, false)]).toContain(words[0]));
    expect([...wordsOf(cdn.purges, false)].every(word => /^articles-[\w]+$/.test(word))).toBe(true);
    await eventually(() => expect(wordsOf(cdn.purges, true)).toContain(partOf(words[0], 'card')));
  });

  it('a change of everything purges the surrogate key of all responses, also at Cloudflare', async ({
    cdn,
    startPurging,
  }) => {
    const { url, opsUrl } = await startPurging('cloudflare');
    expect((await answerOf(url, '/about')).words).toContain('site');
    await askOps(opsUrl, 'DELETE', '/cache?tag=*', TOKEN);
    await eventually(() => expect(cdn.purges).toContainEqual({ words: ['site'], isSoft: false }));
  });

  it('a failed purge is retried until the vendor answers, and is logged once', async ({
    cdn,
    startPurging,
  }) => {
    const site = await startPurging('cloudflare');
    const metrics = async () => (await sendRequest(site.opsUrl, '/metrics')).text;
    for (const outcome of ['purged', 'again', 'failed'])
      expect(await metrics()).toContain(`site_cdn_purges_total{target="cloudflare",outcome="${outcome}"} 0`);
    cdn.fail(429);
    await askOps(site.opsUrl, 'DELETE', '/cache?tag=articles:42', TOKEN);
    await eventually(() => expect(cdn.failed).toBeGreaterThanOrEqual(3));
    const lines = () =>
      site.log.filter(({ code, level }) => /^cdn-(?:up|down)$/.test(code) && level !== 'debug');
    expect(lines()).toEqual([
      expect.objectContaining({
        ...{ level: 'error', target: 'cloudflare', waiting: 5 },
        ...{ reason: 'cloudflare answers 429: {"msg":"refused"}', remedy: 'wait: purges are sent again' },
      }),
    ]);
    // The entry has no stack, and contains the vendor's response only once.
    expect(lines()[0]).not.toHaveProperty('err');
    const ready = async () => {
      const { status, json } = await sendRequest(site.opsUrl, '/readyz');
      const { status: state, cdnPurges } = json<{ status: string; cdnPurges: unknown }>();
      return { status, state, cdnPurges };
    };
    expect(await ready()).toEqual({
      ...{ status: 200, state: 'ready' },
      cdnPurges: { failing: { cloudflare: { reason: lines()[0]?.reason, remedy: lines()[0]?.remedy } } },
    });
    expect(await metrics()).toMatch(/site_cdn_purges_total\{target="cloudflare",outcome="failed"\} [3-9]/);
    cdn.recover();
    await eventually(() =>
      expect(wordsOf(cdn.purges, false)).toEqual(
        new Set(['articles-42', 'articles', 'articles-42.card', 'articles-42.link', 'articles-42.tags']),
      ),
    );
    await eventually(() => expect(lines().at(-1)).toMatchObject({ code: 'cdn-up', target: 'cloudflare' }));
    expect(await ready()).toEqual({ status: 200, state: 'ready', cdnPurges: 'sent' });
    expect(site.log.filter(({ code }) => code === 'cdn-configured')).toEqual([
      expect.objectContaining({ level: 'info', targets: ['cloudflare'], hasToken: true }),
    ]);
    expect(await metrics()).toContain('site_cdn_purges_total{target="cloudflare",outcome="purged"} 5');
  });
});

describe('the queue of purges', () => {
  it('the purge queue sends each purge twice, because a cache miss from before the first may store an old page', async ({
    cdn,
    openPurger,
  }) => {
    const purger = openPurger(20);
    purger.purge(['articles:1'], true);
    purger.purge(['pages:2'], false);
    await eventually(() => expect(cdn.purges).toHaveLength(4));
    expect(cdn.purges.slice(2)).toEqual(cdn.purges.slice(0, 2));
    expect(wordsOf(cdn.purges, false)).toEqual(new Set(['articles-1']));
    expect(wordsOf(cdn.purges, true)).toEqual(new Set(['articles', 'pages-2', 'pages']));
  });

  it('the purge queue sends 10,000 purges in few calls', async ({ cdn, openPurger }) => {
    const purger = openPurger(3_600_000);
    const names = Array.from({ length: 10_000 }, (_, index) => `articles:${index}`);
    for (let at = 0; at < names.length; at += 500) {
      for (const name of names.slice(at, at + 500)) purger.purge([name], false);
      await eventually(() => expect(purger.waiting().get('fastly')).toBeLessThan(4_000));
    }
    const wanted = new Set(['articles', ...names.map(name => name.replace(':', '-'))]);
    await eventually(() => expect(wordsOf(cdn.purges, true)).toEqual(wanted));
    expect(cdn.purges.length).toBeLessThan(200);
  });

  it('an overfull purge queue becomes one purge of everything, hard if anything was removed', async ({
    cdn,
    openPurger,
  }) => {
    cdn.fail(500);
    for (const removed of [false, true]) {
      const purger = openPurger(3_600_000);
      for (let index = 0; index < 20_000; index += 1)
        purger.purge([`articles:${index}`], removed && index === 7);
      expect(purger.waiting().get('fastly')).toBeLessThanOrEqual(5_001);
      cdn.recover();
      await eventually(() => expect(wordsOf(cdn.purges, !removed)).toContain('site'));
      cdn.fail(500);
    }
  });

  it('the purge queue is sent when the process ends', async ({ cdn, openPurger }) => {
    const purger = openPurger(3_600_000);
    purger.purge(['articles:1'], false);
    await purger.settled();
    expect(wordsOf(cdn.purges, true)).toEqual(new Set(['articles-1', 'articles']));
  });
});
