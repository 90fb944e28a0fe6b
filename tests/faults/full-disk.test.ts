import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PATHS } from '../support/content-answers.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { message, SEND } from '../support/outbox-test.ts';
import { patient } from '../support/patience.ts';
import { AS_BROWSER, postForm, postJson, sendRequest } from '../support/send-request.ts';
import { type BuiltSite, startBuiltSite } from './built-site.ts';

const DISK_BYTES = 4 * 1024 * 1024;
const LONG = { timeout: patient(60_000) };
/** Larger than the space left on the full disk. */
const MEDIUM = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  Buffer.alloc(512 * 1024),
]);
const mount = (...options: string[]) => execFileSync('mount', options, { stdio: 'pipe' });

/** A separate file system in memory, which a test fills or mounts read-only. */
const it = test.extend('disk', async ({ skip }, { onCleanup }) => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'disk-'));
  onCleanup(async () => {
    // Without a mounted file system there is nothing to unmount.
    spawnSync('umount', ['-l', dir]);
    await rm(dir, { recursive: true, force: true });
  });
  try {
    mount('-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', dir);
  } catch {
    skip(true, 'a file system can be mounted by root alone');
  }
  const filler = path.join(dir, 'filler');
  return {
    dir,
    /** Writes until the file system has no byte left. */
    async fill() {
      for (let bytes = DISK_BYTES; bytes >= 1; bytes = Math.floor(bytes / 2))
        await writeFile(filler, Buffer.alloc(bytes), { flag: 'a' }).catch(() => {});
    },
    free: () => rm(filler),
    /** The system refuses to remount while a file is open for writing. */
    mountReadOnly: () => eventually(() => void mount('-o', 'remount,ro', dir)),
    mountWritable: () => void mount('-o', 'remount,rw', dir),
  };
});

async function serving(backend: FakeBackend, dataDir: string): Promise<BuiltSite> {
  for (const name of ['before.png', 'after.png'])
    backend.on(
      `/uploads/${name}`,
      (_req, res) => void res.writeHead(200, { 'content-type': 'image/png' }).end(MEDIUM),
    );
  const site = await startBuiltSite({
    contentBaseUrl: backend.url,
    dataDir,
    env: { CONTENT_TTL_MS: '1000' },
  });
  expect((await sendRequest(site.url, '/uploads/before.png')).body.equals(MEDIUM)).toBe(true);
  for (const address of ['/', '/about'])
    expect((await sendRequest(site.url, address, { headers: AS_BROWSER })).status).toBe(200);
  return site;
}

/**
 * Expects that pages and media are served, forms report the problem and keep the typed values, and the log
 * has one entry.
 */
async function expectHonest(site: BuiltSite): Promise<void> {
  const sent = { ...message(), page: '/' };
  for (let round = 0; round < 3; round += 1) {
    for (const address of PATHS)
      expect([address, (await sendRequest(site.url, address, { headers: AS_BROWSER })).status]).toEqual([
        address,
        200,
      ]);
    for (const name of ['before.png', 'after.png']) {
      const medium = await sendRequest(site.url, `/uploads/${name}`);
      expect([name, medium.status, medium.body.equals(MEDIUM)]).toEqual([name, 200, true]);
    }
    const answer = await postJson(site.url, SEND, sent);
    expect(answer.status).toBe(503);
    expect(answer.json()).toEqual({ message: expect.stringContaining('Nothing you typed is lost') });
    const form = await postForm(site.url, SEND, sent);
    expect(form.status).toBe(503);
    expect(form.text).toContain(sent.email);
  }
  const ready = await sendRequest(site.opsUrl, '/readyz');
  expect([ready.status, ready.json()]).toEqual([200, expect.objectContaining({ disk: 'unwritable' })]);
  expect(site.lines().filter(({ code }) => code === 'disk-down')).toHaveLength(1);
  expect(site.errors()).toBe('');
}

async function expectRecovered(site: BuiltSite): Promise<void> {
  await eventually(async () => expect((await postJson(site.url, SEND, message())).status).toBe(202), 20_000);
  // The site probes the disk every five seconds.
  await eventually(
    () => expect(site.lines().filter(({ code }) => code === 'disk-up')).toHaveLength(1),
    20_000,
  );
}

describe('a disk without space', () => {
  it('pages, media and forms are served while the disk is full', LONG, async ({ disk }) => {
    const backend = await startFakeBackend();
    const site = await serving(backend, path.join(disk.dir, 'data'));
    try {
      await disk.fill();
      await expectHonest(site);
      await disk.free();
      await expectRecovered(site);
    } finally {
      await site.dispose();
      await backend.close();
    }
  });
});

describe('a read-only disk', () => {
  it('pages, media and forms are served while the disk is read-only', LONG, async ({ disk }) => {
    const backend = await startFakeBackend();
    const site = await serving(backend, path.join(disk.dir, 'data'));
    try {
      await disk.mountReadOnly();
      await expectHonest(site);
      disk.mountWritable();
      await expectRecovered(site);
    } finally {
      await site.dispose();
      await backend.close();
    }
  });
});
