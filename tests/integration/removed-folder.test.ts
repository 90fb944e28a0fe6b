import { access, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { backendDirOf } from '../support/backend-dir.ts';
import { getPage, PATHS, statusesOf } from '../support/content-answers.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { outboxTest as it, message, SEND } from '../support/outbox-test.ts';
import { readProcessFile } from '../support/process-files.ts';
import { postJson, sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const UPLOAD = '/uploads/tower.png';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ANSWERED = Object.fromEntries(PATHS.map(address => [address, 200]));

/** Waits until the blog index can use the newest articles. Until then it loads one further list. */
const newestAreKnown = ({ site }: RunningSite) =>
  eventually(() => expect(site.content.cache.has('articles?newest&by=publishedAt')).toBe(true));

/** @returns the files of a folder and of its subfolders. */
const filesIn = async (dir: string) =>
  (await readdir(dir, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile()).length;

describe('a data folder that is removed while the site runs', () => {
  it('a removed data folder is created again with all its parts, so the next process needs no backend', async ({
    backend,
    dataDir,
    start,
    names,
    received,
  }) => {
    const env = { CONTENT_TTL_MS: '1000' };
    backend.on(UPLOAD, (_req, res) => void res.writeHead(200, { 'content-type': 'image/png' }).end(PNG));
    backend.on(SEND, failing(500));
    const site = await start({ env });
    const visit = async (of: RunningSite) => {
      expect(await statusesOf(of, PATHS)).toEqual(ANSWERED);
      expect((await sendRequest(of.url, UPLOAD)).status).toBe(200);
    };
    await newestAreKnown(site);
    await visit(site);
    await site.site.earlierBuilds.keep(path.join(site.site.distDir, 'client/assets'));
    await site.site.settled();
    const filesOf = async (part: string) => filesIn(path.join(await backendDirOf(dataDir), part));
    const before = { pages: await filesOf('pages'), content: await filesOf('content') };
    // The site may write into the folder meanwhile, so the removal is retried.
    await rm(dataDir, { recursive: true, maxRetries: 10, retryDelay: 20 });

    // Even the first message after the removal is accepted.
    expect((await postJson(site.url, SEND, message())).status).toBe(202);
    expect(await names('waiting')).toHaveLength(1);
    await eventually(async () => {
      await visit(site);
      await site.site.settled();
      const dir = await backendDirOf(dataDir);
      expect(JSON.parse(await readFile(path.join(dir, 'backend.json'), 'utf8'))).toEqual(expect.anything());
      for (const file of ['invalidations.json', 'absences.json', 'totals.json'])
        expect([file, await readProcessFile(path.join(dir, file))]).toEqual([file, expect.anything()]);
      // The next process has another origin, so it renders its pages from the content: all of it must be
      // back.
      for (const part of ['pages', 'content'] as const)
        expect(await filesOf(part), part).toBeGreaterThanOrEqual(before[part]);
      expect(await filesOf('media')).toBeGreaterThanOrEqual(1);
      expect(await filesIn(path.join(dataDir, 'assets'))).toBeGreaterThan(5);
      for (const folder of ['dead', 'delivered', 'leases'])
        await access(path.join(dataDir, 'outbox', folder));
    }, 20_000);
    const lines = site.log.filter(({ code }) => code === 'disk-folder-recreated');
    expect(lines).toHaveLength(1);
    await site.close();

    for (const type of ['articles', 'settings', 'landing', 'main-page', 'categories', 'authors', 'pages'])
      backend.on(`/api/${type}`, failing(503));
    backend.on(UPLOAD, failing(503));
    backend.on(SEND, {});
    const next = await start({ env });
    await eventually(() => visit(next));
    expect((await getPage(next, '/about')).status).toBe(200);
    await eventually(() => expect(received().length).toBeGreaterThan(1));
    await eventually(async () => expect(await names('waiting')).toEqual([]));
  });

  it('a removed part of the data folder is created again', async ({ backend, dataDir, start }) => {
    backend.on(UPLOAD, (_req, res) => void res.writeHead(200, { 'content-type': 'image/png' }).end(PNG));
    const site = await start({ env: { CONTENT_TTL_MS: '1000' } });
    const visit = async () => {
      expect(await statusesOf(site, PATHS)).toEqual(ANSWERED);
      expect((await sendRequest(site.url, UPLOAD)).status).toBe(200);
      await site.site.settled();
    };
    await newestAreKnown(site);
    await visit();
    const parts = ['pages', 'content', 'media'].map(async part => {
      const dir = path.join(await backendDirOf(dataDir), part);
      return { dir, files: await filesIn(dir) };
    });
    for (const part of parts) {
      const { dir, files } = await part;
      expect(files).toBeGreaterThanOrEqual(1);
      // Waits until the site has noticed the folder.
      await site.site.diskHealth.probe();
      await rm(dir, { recursive: true, maxRetries: 10, retryDelay: 20 });
      await eventually(async () => {
        await visit();
        expect([dir, await filesIn(dir).catch(() => 0)]).toEqual([dir, files]);
      }, 30_000);
    }
  });
});
