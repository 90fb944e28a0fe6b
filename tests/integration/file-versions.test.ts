import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { cacheStatusOf, FRESH_HIT } from '../support/cache-status.ts';
import { currentAnswer } from '../support/current-answer.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { capture, type FakeBackend, failing } from '../support/fake-backend.ts';
import { imageTest, picture, rendition } from '../support/image-test.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import type { StartSiteOptions } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const ENV = { WEBHOOK_SECRET: SECRET, CONTENT_TTL_MS: '3600000', PUBLIC_URL: 'https://www.example.com' };
const ARTICLE = '/blog/guides/reading-a-fee-statement';
const REPLACED_AT = '2026-11-23T07:00:00.000Z';
const VERSION = Date.parse(REPLACED_AT).toString(36);
const UNCHANGING = /^public, max-age=31536000, s-maxage=\d+, immutable$/;
const REVALIDATED = 'public, max-age=0, must-revalidate';

type Attributes = Record<string, unknown>;

const it = imageTest
  .extend('dataDir', async ({}, { onCleanup }) => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'file-versions-'));
    onCleanup(() => rm(dataDir, { recursive: true, maxRetries: 10, retryDelay: 20 }));
    return dataDir;
  })
  /** Starts a site whose content outlasts the test. */
  .extend('start', async ({ startOwnSite }) => (options: Partial<StartSiteOptions> = {}) => {
    return startOwnSite({ ...options, env: ENV });
  });

/** Changes the recorded article, which every list shows. */
function setArticle(backend: FakeBackend, attributes: Attributes): void {
  const rows = structuredClone(capture('v5-as-v4', 'article-by-slug.json').data) as [
    { attributes: Attributes },
  ];
  Object.assign(rows[0].attributes, { slug: 'reading-a-fee-statement' }, attributes);
  backend.on('/api/articles', { data: rows, meta: {} });
}

/** Changes a recorded single type. */
function setSingle(backend: FakeBackend, type: string, attributes: Attributes): void {
  const answer = structuredClone(capture('v5-as-v4', `${type}.json`)) as { data: { attributes: Attributes } };
  Object.assign(answer.data.attributes, attributes);
  backend.on(`/api/${type}`, answer);
}
const setLanding = (backend: FakeBackend, attributes: Attributes) =>
  setSingle(backend, 'landing', attributes);
const setSettings = (backend: FakeBackend, attributes: Attributes) =>
  setSingle(backend, 'settings', attributes);

const medium = (url: string, attributes: Attributes = {}) => ({
  data: { id: 7, attributes: { url, alternativeText: '', width: 640, height: 320, ...attributes } },
});

const files = (url: string) => ({ data: [medium(url).data] });

/** The event of a replaced file: Strapi keeps its name and address. */
const replaced = (url: string, updatedAt: string | null = REPLACED_AT) => ({
  event: 'media.update',
  media: { url, updatedAt, formats: null },
});

describe('a replaced file', () => {
  it.for<[string, string, (backend: FakeBackend, src: string) => void, page: string]>([
    ['a cover', 'png', (backend, src) => setArticle(backend, { cover: medium(src) }), ARTICLE],
    ['a cover in a list', 'jpg', (backend, src) => setArticle(backend, { cover: medium(src) }), '/blog'],
    ['a picture in a text', 'png', (backend, src) => setArticle(backend, { body: `![A](${src})` }), ARTICLE],
    ['a download in a text', 'pdf', (backend, src) => setArticle(backend, { body: `[A](${src})` }), ARTICLE],
    [
      'a link',
      'pdf',
      (backend, href) => setSettings(backend, { footerLinks: [{ title: 'A', href }] }),
      '/about',
    ],
    ['a stylesheet', 'css', (backend, src) => setSettings(backend, { customCss: files(src) }), '/about'],
    ['an icon', 'svg', (backend, src) => setLanding(backend, { block1Icons: files(src) }), '/'],
    [
      'the picture of shared links',
      'png',
      (backend, src) =>
        setArticle(backend, { cover: null, seoImage: medium(src, { width: 1200, height: 630 }) }),
      ARTICLE,
    ],
    [
      'that of the settings',
      'jpg',
      (backend, src) => setSettings(backend, { shareImage: medium(src, { width: 1200, height: 630 }) }),
      '/blog',
    ],
    ['an editor’s JSON-LD', 'png', (backend, logo) => setLanding(backend, { schema1: { logo } }), '/'],
  ])(
    'after the event of a replaced file, %s has a new address in page and payload',
    async ([name, type, set, page], { backend, start }) => {
      const src = `/uploads/${name.replace(/[^a-z]/g, '-')}.${type}`;
      set(backend, src);
      const site = await start();
      /** The page and its payload as one text, without the names of renditions. */
      const texts = async () => {
        const addresses = [page, `${page.replace(/\/$/, '')}/_payload.json`];
        const answers = await Promise.all(addresses.map(address => currentAnswer(site.url, address)));
        return answers
          .map(({ text }) => text.replace(/(\/(?:\d+\.(?:avif|webp)|share\.jpg))(\?v=[0-9a-z]+)?/g, '$2'))
          .join();
      };
      const versionsIn = (text: string) =>
        text
          .split(src)
          .slice(1)
          .map(rest => /^\?v=[0-9a-z]+/.exec(rest)?.[0]);
      const before = versionsIn(await texts());
      expect(new Set(before)).toEqual(new Set([undefined]));
      await sendWebhook(site.url, SECRET, replaced(src));
      expect(versionsIn(await texts())).toEqual(before.map(() => `?v=${VERSION}`));
    },
  );

  it('the new address serves the new file and its renditions, which browsers may keep', async ({
    backend,
    serve,
    start,
  }) => {
    const src = '/uploads/chart.png';
    serve(src, await picture(640, 320));
    setArticle(backend, { cover: null, body: `![Chart](${src})` });
    const site = await start();
    const old = await sendRequest(site.url, src);
    const before = await sendRequest(site.url, ARTICLE, { headers: AS_BROWSER });
    expect(before.text).toMatch(/<img[^>]* src="\/uploads\/chart.png"[^>]* width="640" height="320"/);
    const current = await picture(640, 160);
    serve(src, current);
    await sendWebhook(site.url, SECRET, replaced(src));
    expect((await sendRequest(site.url, src)).body).toEqual(current);
    const { text } = await currentAnswer(site.url, ARTICLE);
    // The page has the size of the new file, too.
    expect(text).toMatch(
      new RegExp(`<img[^>]* src="/uploads/chart.png\\?v=${VERSION}"[^>]* width="640" height="160"`),
    );
    const [, avif = ''] = /(\/images\/uploads\/chart[^ ]*\/320\.avif[^ ]*) /.exec(text) ?? [];
    const answers = await Promise.all(
      [`${src}?v=${VERSION}`, avif].map(address => sendRequest(site.url, address)),
    );
    expect(answers.map(({ status, headers }) => [status, headers['cache-control']])).toEqual([
      [200, expect.stringMatching(UNCHANGING)],
      [200, expect.stringMatching(UNCHANGING)],
    ]);
    expect([answers[0]?.body, answers[1]?.headers['content-type']]).toEqual([current, 'image/avif']);
    // Other addresses of the file also serve the new file, without caching.
    const others = await Promise.all(
      [src, `${src}?v=abc`, `${src}?v=`].map(address => sendRequest(site.url, address)),
    );
    expect(others.map(({ headers }) => headers['cache-control'])).toEqual([
      old.headers['cache-control'],
      REVALIDATED,
      REVALIDATED,
    ]);
    for (const { body } of others) expect(body).toEqual(current);
  });

  it('while the new file cannot be fetched, its address serves the old file, revalidated at each use', async ({
    backend,
    serve,
    start,
  }) => {
    const src = '/uploads/unreachable.png';
    serve(src, await picture(640, 320));
    const site = await start();
    const addresses = [`${src}?v=${VERSION}`, rendition(`${src}?v=${VERSION}`, 320, 'webp')];
    const ask = () => Promise.all(addresses.map(address => sendRequest(site.url, address)));
    await ask();
    backend.on(src, failing(500));
    await sendWebhook(site.url, SECRET, replaced(src));
    expect((await ask()).map(({ status, headers }) => [status, headers['cache-control']])).toEqual([
      [200, REVALIDATED],
      [200, REVALIDATED],
    ]);
  });

  it('after an event about a file, pages without the file or with its new version stay fresh', async ({
    backend,
    start,
  }) => {
    const [src, other] = ['/uploads/told.png', '/uploads/other.png'];
    const cover = medium(src, { createdAt: '2026-11-01T00:00:00.000Z', updatedAt: REPLACED_AT });
    setArticle(backend, { cover, body: `![](${src})` });
    setLanding(backend, { block1Icons: files(other) });
    const site = await start();
    const ask = (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });
    for (const address of [ARTICLE, ARTICLE, '/', '/']) await ask(address);
    // The content has already reported the change.
    expect((await ask(ARTICLE)).text).toContain(`${src}?v=${VERSION}`);
    await sendWebhook(site.url, SECRET, replaced(src));
    expect([cacheStatusOf(await ask(ARTICLE)), cacheStatusOf(await ask('/'))]).toEqual([
      expect.stringMatching(FRESH_HIT),
      expect.stringMatching(FRESH_HIT),
    ]);
    await sendWebhook(site.url, SECRET, replaced(other));
    expect(cacheStatusOf(await ask(ARTICLE))).toMatch(FRESH_HIT);
    expect((await currentAnswer(site.url, '/')).text).toContain(`${other}?v=${VERSION}`);
  });

  it('every process gives a file the same address, even the next process on the same disk', async ({
    backend,
    serve,
    dataDir,
    start,
  }) => {
    const src = '/uploads/outlives.png';
    serve(src, await picture(64, 32));
    setArticle(backend, { body: `![](${src})` });
    const sites = [await start({ dataDir }), await start()];
    for (const site of sites) await sendWebhook(site.url, SECRET, replaced(src));
    const pages = await Promise.all(sites.map(site => currentAnswer(site.url, ARTICLE)));
    for (const { text } of pages) expect(text).toContain(`src="${src}?v=${VERSION}"`);
    await sites[0]?.close();
    const next = await start({ dataDir });
    expect((await currentAnswer(next.url, ARTICLE)).text).toContain(`src="${src}?v=${VERSION}"`);
    const file = await sendRequest(next.url, `${src}?v=${VERSION}`);
    expect([file.status, file.headers['cache-control']]).toEqual([200, expect.stringMatching(UNCHANGING)]);
  });
});

it('an upload with a hash in its address is immutable, until it is replaced', async ({ serve, start }) => {
  const src = '/uploads/bridge_30290f8c6a.png';
  serve(src, await picture(640, 320));
  const site = await start();
  const ask = async () => {
    const answers = [src, `/images${src}/320.webp`].map(address => sendRequest(site.url, address));
    return (await Promise.all(answers)).map(({ headers }) => headers['cache-control']);
  };
  const unchanging = expect.stringMatching(UNCHANGING);
  expect(await ask()).toEqual([unchanging, unchanging]);
  await sendWebhook(site.url, SECRET, replaced(src));
  expect(await ask()).toEqual([expect.not.stringMatching(UNCHANGING), expect.not.stringMatching(UNCHANGING)]);
});

it('without an event a replaced file gets a new address once the content reports the change', async ({
  backend,
  serve,
  dataDir,
  start,
}) => {
  const src = '/uploads/without-event.png';
  const createdAt = '2026-11-01T00:00:00.000Z';
  const current = await picture(640, 160);
  serve(src, await picture(640, 320));
  setArticle(backend, { cover: medium(src, { createdAt, updatedAt: createdAt }) });
  const before = await start({ dataDir });
  expect((await sendRequest(before.url, ARTICLE, { headers: AS_BROWSER })).text).not.toContain(`${src}?v=`);
  await sendRequest(before.url, src);
  await before.close();
  serve(src, current);
  setArticle(backend, { cover: medium(src, { createdAt, updatedAt: REPLACED_AT }) });
  const site = await start({ dataDir });
  site.site.invalidation.invalidate(['articles']);
  expect((await currentAnswer(site.url, ARTICLE)).text).toContain(`src="${src}?v=${VERSION}"`);
  const file = await sendRequest(site.url, `${src}?v=${VERSION}`);
  expect([file.body, file.headers['cache-control']]).toEqual([current, expect.stringMatching(UNCHANGING)]);
});
