import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, vi } from 'vitest';
import { openBackendFolder } from '../../server/cache/disk/backend-folder.ts';
import { createLogger } from '../../server/ops/log.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { capture, failing } from '../support/fake-backend.ts';
import { get, it, type MortalBackend, ready, visit } from '../support/outage-test.ts';
import { processFiles } from '../support/process-files.ts';
import { postJson, sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const PICTURE = '/uploads/picture.png';
const PAGES = ['/', '/about', '/blog', '/commerce/online-shops', '/about/_payload.json', '/sitemap.xml'];
const SECRET = 'a-secret-of-the-backend';
const MESSAGE = {
  form: 'contact',
  name: 'Ada',
  email: 'ada@example.org',
  message: 'A few words',
  elapsedMs: 9_000,
};

async function servePicture({ fake }: MortalBackend): Promise<Buffer> {
  const picture = await sharp({ create: { width: 700, height: 350, channels: 3, background: '#456' } })
    .png()
    .toBuffer();
  fake.on(PICTURE, (_req, res) => res.writeHead(200, { 'Content-Type': 'image/png' }).end(picture));
  return picture;
}

/** Replaces a folder with a file, so that no process can write below it, whatever its permissions. */
async function block(dir: string): Promise<void> {
  await mkdir(path.dirname(dir), { recursive: true });
  await writeFile(dir, 'a file in the place of a folder');
}

const readyz = async (site: RunningSite) => {
  const answer = await sendRequest(site.opsUrl, '/readyz');
  return { ...answer.json<{ disk: string; diskReason?: string }>(), status: answer.status };
};
const gauge = async ({ site }: RunningSite) =>
  /^site_disk_writable (\d)$/m.exec(await site.metrics.registry.metrics())?.[1];
const codesOf = ({ log }: RunningSite, ...levels: string[]) =>
  log.filter(({ level }) => levels.includes(level)).map(({ code }) => code);
const unpublished = () => {
  const [entry] = capture('v5-flat', 'pages.json').data as object[];
  return { event: 'entry.unpublish', model: 'page', entry };
};

/** Resolves when the index of the search has been read, or after several failed attempts. */
async function searched({ site, log }: RunningSite): Promise<void> {
  const probe = vi.spyOn(site.diskHealth, 'probe');
  site.search.begin(0);
  await eventually(() => {
    const hasFailed =
      log.filter(({ code }) => code.startsWith('search-')).length + probe.mock.calls.length > 2;
    expect(hasFailed || !site.search.isReading).toBe(true);
  });
}

/** Uses everything that writes to the disk. */
async function useEverything(site: RunningSite): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await visit(site, PAGES);
    await get(site, '/made-up');
    for (let index = 0; index < 3; index += 1) await get(site, PICTURE);
    await get(site, `/images/320.webp?src=${PICTURE}`);
    expect((await postJson(site.url, '/api/email/send', MESSAGE)).status).toBe(503);
  }
  await sendWebhook(site.url, SECRET, unpublished());
  await site.site.settled();
}

describe('a data folder that cannot be written', () => {
  it.for<[string, (dataDir: string, backendDir: string) => string]>([
    ['as a whole', dataDir => dataDir],
    ['below the folder of the backend', (_, backendDir) => backendDir],
    ['below the folder of media', (_, backendDir) => path.join(backendDir, 'media')],
    ['below the outbox', dataDir => path.join(dataDir, 'outbox')],
    ['below a folder of the outbox', dataDir => path.join(dataDir, 'outbox', 'waiting')],
    ['below the folder of the search', (_, backendDir) => path.join(backendDir, 'search')],
  ])(
    '/readyz stays 200 and, like a gauge and one error entry, reports an unwritable data folder: %s',
    async ([, folderOf], { dataDir, startBackend, startProcess }) => {
      const backend = await startBackend();
      const log = createLogger('silent', { write: () => {} });
      const { dir } = openBackendFolder({ dataDir, backend: backend.url, credentials: null, lifeMs: 1, log });
      const blocked = folderOf(dataDir, dir);
      await block(blocked);
      const site = await startProcess(backend.url, { overrides: { retryFailedMs: 10 } });
      await site.site.backendFolder.stop();
      expect(
        site.log.filter(({ level }) => level === 'error'),
        'tried at the start',
      ).toMatchObject([
        {
          code: 'disk-down',
          effect: expect.stringContaining('messages of the forms are refused'),
          remedy: expect.stringContaining('remove the file'),
        },
      ]);
      for (let time = 0; time < 3; time += 1)
        expect(await readyz(site)).toMatchObject({
          ...{ status: 200, disk: 'unwritable', diskReason: expect.stringContaining(blocked) },
          diskRemedy: expect.stringContaining('remove the file'),
        });
      expect(await gauge(site)).toBe('0');
      await visit(site, PAGES);
      await searched(site);
      await site.site.settled();
      expect(codesOf(site, 'error', 'fatal')).toHaveLength(1);
      expect(codesOf(site, 'warn').filter(code => !code.startsWith('content-'))).toEqual([]);
    },
  );

  it('a data folder that cannot be written has one log entry, whatever the site does', async ({
    dataDir,
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    await servePicture(backend);
    await block(dataDir);
    const site = await startProcess(backend.url, { env: { WEBHOOK_SECRET: SECRET } });
    await useEverything(site);
    expect(codesOf(site, 'error', 'fatal')).toEqual(['disk-down']);
    const aboutFiles = codesOf(site, 'warn').filter(code => /^(?:disk|media|cache|outbox)-/.test(code));
    expect(aboutFiles).toEqual([]);
    expect(codesOf(site, 'warn')).toContain('form-not-accepted');
  });

  it('media are sent without a stored file while the data folder cannot be written', async ({
    dataDir,
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    const picture = await servePicture(backend);
    backend.fake.on('/uploads/broken.png', failing(500));
    backend.fake.on('/uploads/a.js', (_req, res) =>
      res.writeHead(200, { 'Content-Type': 'text/javascript' }).end('alert(1)'),
    );
    await block(dataDir);
    const site = await startProcess(backend.url);
    const answer = await get(site, PICTURE);
    expect([answer.status, answer.body.equals(picture)]).toEqual([200, true]);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=60',
    });
    const head = await sendRequest(site.url, PICTURE, { method: 'HEAD' });
    expect([head.status, head.headers['content-type'], head.body.byteLength]).toEqual([200, 'image/png', 0]);
    for (const address of [`/images/320.webp?src=${PICTURE}`, `/images${PICTURE}/320.webp`]) {
      const rendition = await get(site, address);
      expect([address, rendition.status, rendition.headers.location]).toEqual([address, 302, PICTURE]);
    }
    for (const [address, status] of [
      ['/uploads/none.png', 404],
      ['/uploads/a.js', 404],
      ['/uploads/broken.png', 503],
    ] as const)
      expect([address, (await get(site, address)).status]).toEqual([address, status]);
    expect(
      (await Promise.all(Array.from({ length: 20 }, () => get(site, PICTURE)))).map(({ status }) => status),
    ).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('stored media are still sent after the data folder was moved away and cannot be written', async ({
    dataDir,
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    const picture = await servePicture(backend);
    const site = await startProcess(backend.url);
    await visit(site, [PICTURE, `/images/320.webp?src=${PICTURE}`]);
    // Stop all writes, because a write would create the folder again.
    await site.site.backendFolder.stop();
    await site.site.settled();
    await rename(dataDir, `${dataDir}-away`);
    await block(dataDir);
    const answer = await get(site, PICTURE);
    expect([answer.status, answer.body.equals(picture)]).toEqual([200, true]);
    expect((await readyz(site)).disk).toBe('unwritable');
    await visit(site, ['/about']);
  });
});

describe('a data folder that can be written again', () => {
  it('a recovered data folder has one log entry, and gets the content and invalidations of the outage', async ({
    dataDir,
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    await block(dataDir);
    const site = await startProcess(backend.url, { env: { WEBHOOK_SECRET: SECRET } });
    await visit(site, PAGES);
    await sendWebhook(site.url, SECRET, unpublished());
    await site.site.settled();
    await rm(dataDir);
    expect((await readyz(site)).disk).toBe('writable');
    expect(await readyz(site)).not.toHaveProperty('diskReason');
    expect(await gauge(site)).toBe('1');
    expect(codesOf(site, 'warn').filter(code => code === 'disk-up')).toHaveLength(1);
    await site.site.settled();
    expect(await processFiles(path.join(site.site.backendFolder.dir, 'invalidations.json'))).toHaveLength(1);
    // The revalidation writes the pages, although they are unchanged.
    await eventually(async () => {
      await visit(site, ['/commerce/online-shops', '/']);
      await site.site.settled();
      expect(
        (await readdir(path.join(site.site.backendFolder.dir, 'pages'), { recursive: true })).length,
      ).toBeGreaterThan(2);
    });
    await site.close();
    backend.goDown();
    const next = await startProcess(backend.url);
    await ready(next);
    await visit(next, ['/commerce/online-shops', '/']);
  });

  it('the site notices a recovered data folder without a request', async ({
    dataDir,
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    await block(dataDir);
    const site = await startProcess(backend.url);
    await eventually(() => expect(site.site.diskHealth.state.isWritable).toBe(false));
    await rm(dataDir);
    await eventually(() => expect(site.site.diskHealth.state.isWritable).toBe(true));
  });

  it('a recovered data folder gets the assets of the running build, for tabs open over the next deploy', async ({
    dataDir,
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    await block(dataDir);
    const site = await startProcess(backend.url);
    const { earlierBuilds, manifest, distDir } = site.site;
    const entry = path.basename(manifest.entry);
    await earlierBuilds.keep(path.join(distDir, 'client/assets'));
    expect(codesOf(site, 'warn').filter(code => code.startsWith('assets-'))).toEqual([]);
    await rm(dataDir);
    expect((await readyz(site)).disk).toBe('writable');
    await eventually(async () =>
      expect(await readdir(path.join(dataDir, 'assets')).catch(() => [])).toContain(entry),
    );
  });
});
