import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type BuiltSite, type BuiltSiteOptions, startBuiltSite } from '../faults/built-site.ts';
import { backendDirOf } from '../support/backend-dir.ts';
import { eventually } from '../support/eventually.ts';
import { startFakeBackend } from '../support/fake-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const PICTURE = '/uploads/picture.png';
/** A user other than the superuser, because permissions do not apply to the superuser. */
const NOBODY = 65_534;
const LONG_AGO = new Date(Date.now() - 3 * 3_600_000);
const STOP_LIMIT_MS = 30_000;
const MIB = 1024 * 1024;

/** Gives each test a data folder, and processes of the built server on it. */
const it = test
  .extend('dataDir', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'data-folder-'));
    await chmod(folder, 0o755);
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return path.join(folder, 'data');
  })
  .extend('start', async ({ dataDir }, { onCleanup }) => {
    const running: BuiltSite[] = [];
    onCleanup(async () => {
      await Promise.all(running.map(site => site.dispose()));
    });
    return async (options: BuiltSiteOptions): Promise<BuiltSite> => {
      const site = await startBuiltSite({ dataDir, ...options });
      running.push(site);
      return site;
    };
  });

const get = (site: BuiltSite, address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });

/** Removes the write permission from everything below a folder. */
async function makeReadOnly(folder: string): Promise<void> {
  for (const name of ['.', ...(await readdir(folder, { recursive: true }))]) {
    const file = path.join(folder, name);
    await chmod(file, (await stat(file)).isDirectory() ? 0o555 : 0o444);
  }
}

it('stored sample content is found again after a restart on another port', async ({ dataDir, start }) => {
  const first = await start({ env: { PUBLIC_URL: 'https://www.example.com' } });
  expect((await get(first, '/about')).status).toBe(200);
  expect((await first.end('SIGTERM')).ms).toBeLessThan(STOP_LIMIT_MS);
  const second = await start({ env: { PUBLIC_URL: 'https://www.example.com' } });
  expect((await get(second, '/about')).headers['cache-status']).toMatch(/^site; hit/);
  const mark = JSON.parse(await readFile(path.join(await backendDirOf(dataDir), 'backend.json'), 'utf8'));
  expect(mark.backend).toBe(`embedded:${FIXTURE_CONTENT}`);
});

it('DISK_CACHE_BYTES bounds the stored pages', async ({ dataDir, start }) => {
  const site = await start({
    env: { PUBLIC_URL: 'https://www.example.com', DISK_CACHE_BYTES: String(MIB), SITE_INDEXING: 'on' },
  });
  const { text } = await get(site, '/sitemap.xml');
  const pages = Array.from(text.matchAll(/<loc>([^<]+)/g), ([, loc = '']) => new URL(loc).pathname);
  for (const page of pages) for (const kind of ['', '?nothing']) await get(site, page + kind);
  await site.end('SIGTERM');
  const folder = path.join(await backendDirOf(dataDir), 'pages');
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files
      .filter(file => file.isFile())
      .map(async file => (await stat(path.join(file.parentPath, file.name))).size),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(MIB / 2);
  expect(bytes).toBeLessThanOrEqual(MIB);
});

it('a process without write permission serves stored pages and media', async ({ dataDir, start }) => {
  const backend = await startFakeBackend();
  const picture = await sharp({ create: { width: 640, height: 320, channels: 3, background: '#456' } })
    .png()
    .toBuffer();
  backend.on(PICTURE, (req, res) =>
    req.headers['if-none-match'] === '"v1"'
      ? res.writeHead(304).end()
      : res.writeHead(200, { 'Content-Type': 'image/png', ETag: '"v1"' }).end(picture),
  );
  const stored = ['/about', PICTURE, `/images/320.webp?src=${PICTURE}`];
  const writer = await start({ contentBaseUrl: backend.url });
  // A picture that is still being scaled is a redirect to its original.
  for (const address of stored)
    await eventually(async () =>
      expect([address, (await get(writer, address)).status]).toEqual([address, 200]),
    );
  await writer.end('SIGTERM');
  // The last use of a rendition is recorded at most once an hour.
  const renditions = path.join(await backendDirOf(dataDir), 'renditions');
  for (const name of await readdir(renditions)) await utimes(path.join(renditions, name), LONG_AGO, LONG_AGO);
  await makeReadOnly(dataDir);

  const reader = await start({
    contentBaseUrl: backend.url,
    // Another token makes the stored files stale, so they are revalidated.
    env: { CONTENT_TOKEN: 'another-token-of-the-backend' },
    ...(process.getuid?.() === 0 ? { uid: NOBODY } : {}),
  });
  for (let round = 0; round < 3; round += 1)
    for (const address of [...stored, '/terms', '/'])
      expect([address, (await get(reader, address)).status]).toEqual([address, 200]);
  const readyz = await sendRequest(reader.opsUrl, '/readyz');
  expect([readyz.status, readyz.json()]).toEqual([
    200,
    expect.objectContaining({ disk: 'unwritable', diskReason: expect.stringContaining('EACCES') }),
  ]);
  const errors = reader.lines().filter(({ level }) => level === 'error' || level === 'fatal');
  expect(errors.map(({ code }) => code)).toEqual(['disk-down']);
  const warnings = reader
    .lines()
    .filter(({ level, code }) => level === 'warn' && /^(?:disk|media|cache)-/.test(code));
  expect(warnings).toEqual([]);
  await reader.end('SIGTERM');
  await backend.close();
});
