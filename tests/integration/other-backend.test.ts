import { readdir, readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { capture, failing, sendJson } from '../support/fake-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { get, it, type MortalBackend, ready, visit } from '../support/outage-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const PICTURE = '/uploads/only-here.png';
const RENDITION = `/images/320.webp?src=${PICTURE}`;
const PAGES = ['/', '/about', '/blog', '/commerce/online-shops', '/about/_payload.json', '/sitemap.xml'];
const EVERY_CALL = [
  ...['settings', 'landing', 'main-page', 'categories', 'authors', 'socials', 'redirects', 'articles'],
  ...['pages', 'commerces', 'business-solutions'],
].map(type => `/api/${type}`);
/** Content is fresh for a minute, so a page of the other backend would be a fresh hit. */
const LONG_TTL = { CONTENT_TTL_MS: '60000' };
const LIFE_MS = 60_000 + 864_000_000;
const SECRET = 'a-secret-of-the-backend';

async function servePicture({ fake }: MortalBackend): Promise<void> {
  const picture = await sharp({ create: { width: 640, height: 320, channels: 3, background: '#456' } })
    .png()
    .toBuffer();
  fake.on(PICTURE, (_req, res) => res.writeHead(200, { 'Content-Type': 'image/png' }).end(picture));
}

/** Makes a backend respond to every call with a status. */
function refuse({ fake }: MortalBackend, status: number, name: string): void {
  for (const call of [...EVERY_CALL, PICTURE]) fake.on(call, failing(status, name));
}

const titledAs = (title: string) => (slug: string) => ({
  data: [{ ...(capture('v5-flat', 'pages.json').data as object[])[0], slug, title, h1: title }],
  meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: 1 } },
});

const markOf = ({ site }: RunningSite) => path.join(site.backendFolder.dir, 'backend.json');

describe('content, pages and media of a backend', () => {
  it('stored data of a backend stays hidden while another one answers 403, and is served again with the first', async ({
    startBackend,
    startProcess,
  }) => {
    const [first, second] = [await startBackend(), await startBackend()];
    await servePicture(first);
    refuse(second, 403, 'ForbiddenError');
    const before = await startProcess(first.url, { env: LONG_TTL });
    const seen = await visit(before, [...PAGES, PICTURE, RENDITION]);
    await before.close();
    const words =
      (seen.get('/about')?.text ?? '').match(/<h1[^>]*>([^<]+)/)?.[1] ?? expect.fail('no heading');

    const other = await startProcess(second.url, { env: LONG_TTL });
    for (const [address, answer] of seen) {
      const shown = await get(other, address);
      expect(shown.body.equals(answer.body), address).toBe(false);
      expect([address, shown.text.includes(words)]).toEqual([address, false]);
      expect([address, shown.status < 400 && /png|webp/.test(String(shown.headers['content-type']))]).toEqual(
        [address, false],
      );
    }
    expect((await get(other, '/about')).status).toBe(503);
    await other.close();

    first.goDown();
    const again = await startProcess(first.url, { env: LONG_TTL });
    await ready(again);
    for (const [address, answer] of seen) {
      const shown = await get(again, address);
      expect([address, shown.status]).toEqual([address, 200]);
      if (address !== '/sitemap.xml') expect(shown.body.equals(answer.body), address).toBe(true);
    }
  });

  it('stored data of a backend stays hidden while another backend serves different content', async ({
    startBackend,
    startProcess,
  }) => {
    const [first, second] = [await startBackend(), await startBackend()];
    const own = titledAs('Another company');
    second.fake.on('/api/pages', (_req, res) => sendJson(res, 200, own('about')));
    const before = await startProcess(first.url, { env: LONG_TTL });
    await visit(before, PAGES);
    await before.close();
    const other = await startProcess(second.url, { env: LONG_TTL });
    const about = await get(other, '/about');
    expect([about.status, about.text.includes('Another company')]).toEqual([200, true]);
    expect(about.headers['cache-status']).toMatch(/^site; fwd=miss; stored/);
  });

  it('an entry unpublished on one backend is still shown from another', async ({
    startBackend,
    startProcess,
  }) => {
    const [first, second] = [await startBackend(), await startBackend()];
    const env = { ...LONG_TTL, WEBHOOK_SECRET: SECRET };
    const inSecond = await startProcess(second.url, { env });
    await visit(inSecond, ['/about']);
    await inSecond.close();
    const inFirst = await startProcess(first.url, { env });
    await visit(inFirst, ['/about']);
    const [entry] = (capture('v5-flat', 'pages.json').data as { slug: string }[]).filter(
      ({ slug }) => slug === 'about',
    );
    await sendWebhook(inFirst.url, SECRET, { event: 'entry.unpublish', model: 'page', entry });
    await inFirst.close();
    first.goDown();
    second.goDown();
    expect((await get(await startProcess(second.url, { env }), '/about')).status).toBe(200);
    expect((await get(await startProcess(first.url, { env }), '/about')).status).toBe(503);
  });

  it.for<[string, number, boolean]>([
    ['are removed after the longest time that pages may be stale', LIFE_MS + 5_000, false],
    ['stay until that time', LIFE_MS - 60_000, true],
  ])('the folders of unused backends %s', async ([, unusedMs, isKept], { startBackend, startProcess }) => {
    const [first, second] = [await startBackend(), await startBackend()];
    const before = await startProcess(first.url, { env: LONG_TTL });
    await visit(before, PAGES);
    await before.close();
    const usedAt = new Date(Date.now() - unusedMs);
    await utimes(markOf(before), usedAt, usedAt);
    const other = await startProcess(second.url, { env: LONG_TTL });
    const folders = () => readdir(path.dirname(other.site.backendFolder.dir));
    await other.site.backendFolder.stop();
    expect((await folders()).length).toBe(isKept ? 2 : 1);
    const removed = other.log.filter(({ code }) => code === 'cache-backend-removed');
    expect(removed.map(({ folder }) => folder)).toEqual(
      isKept ? [] : [path.basename(before.site.backendFolder.dir)],
    );
  });

  it('a running process keeps the folder of its backend, even when the recorded time of use is old', async ({
    startBackend,
    startProcess,
  }) => {
    const [first, second] = [await startBackend(), await startBackend()];
    // Both processes keep pages for four seconds, so they record the use of their folders once a second.
    const env = { CONTENT_TTL_MS: '1000', STALE_IF_ERROR_MS: '3000' };
    const running = await startProcess(first.url, { env });
    await eventually(async () => expect(await readFile(markOf(running), 'utf8')).toContain(first.url));
    await utimes(markOf(running), new Date(0), new Date(0));
    await eventually(async () => {
      const other = await startProcess(second.url, { env });
      await other.close();
      expect(await readFile(markOf(running), 'utf8')).toContain(first.url);
    });
  });
});

describe('a new token', () => {
  const withToken = { ...LONG_TTL, CONTENT_TOKEN: 'another-token-of-the-backend' };

  it('a new token makes pages, content and media stale, and keeps them', async ({
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    await servePicture(backend);
    const before = await startProcess(backend.url, { env: LONG_TTL });
    const seen = await visit(before, ['/about', PICTURE]);
    await before.close();
    const same = await startProcess(backend.url, { env: LONG_TTL });
    expect((await get(same, '/about')).headers['cache-status'], 'with the same token').toMatch(/hit; ttl=\d/);
    await same.close();

    backend.fake.calls.length = 0;
    const next = await startProcess(backend.url, { env: withToken });
    const [about, picture] = [await get(next, '/about'), await get(next, PICTURE)];
    expect([about.status, picture.status]).toEqual([200, 200]);
    expect(about.body.equals(seen.get('/about')?.body ?? Buffer.alloc(0))).toBe(true);
    await eventually(() => {
      const asked = backend.fake.calls.map(({ url }) => url.split('?', 1)[0]);
      expect(asked).toEqual(expect.arrayContaining(['/api/pages', '/api/settings', PICTURE]));
    });
  });

  it('a new token that the backend refuses only makes pages stale', async ({
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    await servePicture(backend);
    const before = await startProcess(backend.url, { env: LONG_TTL });
    const seen = await visit(before, ['/', '/about', '/commerce/online-shops', PICTURE]);
    await before.close();
    refuse(backend, 401, 'UnauthorizedError');
    const next = await startProcess(backend.url, { env: withToken });
    for (const [address, answer] of seen) {
      const shown = await get(next, address);
      expect([address, shown.status, shown.body.equals(answer.body)]).toEqual([address, 200, true]);
      if (address !== PICTURE) expect(shown.headers['cache-status']).toMatch(/^site; hit; ttl=-/);
    }
    expect(await readFile(markOf(next), 'utf8')).not.toContain(withToken.CONTENT_TOKEN);
  });
});

describe('an embedded backend', () => {
  const contentDir = FIXTURE_CONTENT;

  it('an embedded backend keeps its data at another port, and not with another content folder', async ({
    dataDir,
    startProcess,
  }) => {
    const mailDir = path.join(dataDir, '../mail');
    const first = await startEmbeddedBackend({ contentDir, mailDir });
    const before = await startProcess(first.url, { backendName: first.name });
    await visit(before, ['/about']);
    await before.close();
    const sameFolder = await startEmbeddedBackend({ contentDir: `${contentDir}/pages/..`, mailDir });
    const otherFolder = await startEmbeddedBackend({ contentDir: path.dirname(dataDir), mailDir });
    await Promise.all([first.close(), sameFolder.close(), otherFolder.close()]);
    const again = await startProcess(sameFolder.url, { backendName: sameFolder.name });
    expect((await get(again, '/about')).headers['cache-status']).toMatch(/^site; hit; ttl=-/);
    const other = await startProcess(otherFolder.url, { backendName: otherFolder.name });
    expect((await get(other, '/about')).status).toBe(503);
  });
});
