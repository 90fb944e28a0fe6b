import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { EarlierBuilds } from '../../server/assets/earlier-builds.ts';
import { FolderHealth } from '../../server/cache/disk/disk-health.ts';
import { createLogger } from '../../server/ops/log.ts';

const DAY_MS = 86_400_000;
const AGES = { day: DAY_MS, tenDays: 10 * DAY_MS, month: 30 * DAY_MS };

interface Deployment {
  /** The folder that the processes share. */
  dir: string;
  /** Writes a build with these files. @returns its folder. */
  build(files: Record<string, string>): Promise<string>;
  /** Starts a process on the shared folder. */
  start(options?: { staleIfErrorMs?: number }): EarlierBuilds;
  /** Makes a file of the shared folder older. */
  age(name: string, ms: number): Promise<void>;
}

const it = base.extend<Deployment & { root: string }>({
  root: async ({}, use) => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'earlier-builds-'));
    await use(root);
    await rm(root, { recursive: true, force: true });
  },
  dir: async ({ root }, use) => use(path.join(root, 'shared')),
  build: async ({ root }, use) => {
    await use(async files => {
      const folder = await mkdtemp(path.join(root, 'build-'));
      for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
      return folder;
    });
  },
  start: async ({ root, dir }, use) => {
    const lines: string[] = [];
    const log = createLogger('warn', { write: line => void lines.push(line) });
    const health = new FolderHealth({ dataDir: root, log });
    const config = { assetsDir: dir, dataDir: root };
    await use(
      ({ staleIfErrorMs = 0 } = {}) =>
        new EarlierBuilds({ ...config, staleIfErrorMs }, null, { health, log }),
    );
    expect(lines).toEqual([]);
    health.stop();
  },
  age: async ({ dir }, use) => {
    await use(async (name, ms) => {
      const then = new Date(Date.now() - ms);
      await utimes(path.join(dir, name), then, then);
    });
  },
});

const textOf = async (builds: EarlierBuilds, name: string) => (await builds.find(name))?.toString() ?? null;

describe('the assets of earlier builds', () => {
  it('a process finds the assets of earlier builds, and of a build that started later', async ({
    build,
    start,
  }) => {
    const [first, second] = [start(), start()];
    await first.keep(
      await build({ 'page-AAAA.js': 'one', 'page-AAAA.js.map': '{}', 'page-AAAA.js.br': 'x' }),
    );
    await second.keep(await build({ 'page-BBBB.js': 'two' }));
    for (const builds of [first, second]) {
      expect(await textOf(builds, 'page-AAAA.js')).toBe('one');
      expect(await textOf(builds, 'page-BBBB.js')).toBe('two');
      expect(await textOf(builds, 'page-AAAA.js.map')).toBeNull();
      expect(await textOf(builds, '../secret.js')).toBeNull();
    }
  });

  it('the assets of earlier builds are deleted after seven days without use, however many builds there are', async ({
    age,
    build,
    dir,
    start,
  }) => {
    for (let index = 0; index < 20; index++) await start().keep(await build({ [`page-${index}.js`]: 'x' }));
    await age('page-0.js', AGES.tenDays);
    await age('page-1.js', AGES.day);
    const current = start();
    const folder = await build({ 'page-20.js': 'x' });
    await current.keep(folder);
    expect(await readdir(dir)).toHaveLength(20);
    expect(await textOf(current, 'page-0.js')).toBeNull();
    expect(await textOf(current, 'page-1.js')).toBe('x');
    await age('page-20.js', AGES.month);
    await current.keep(folder);
    expect(await textOf(current, 'page-20.js')).toBe('x');
  });

  it('the assets of earlier builds stay as long as a cache may serve a stale page', async ({
    age,
    build,
    start,
  }) => {
    const builds = start({ staleIfErrorMs: 20 * DAY_MS });
    await builds.keep(await build({ 'old.js': 'x', 'older.js': 'x' }));
    await age('old.js', AGES.tenDays);
    await age('older.js', AGES.month);
    await builds.keep(await build({ 'new.js': 'x' }));
    expect(await textOf(builds, 'old.js')).toBe('x');
    expect(await textOf(builds, 'older.js')).toBeNull();
  });

  it('the assets of a build are complete when several processes store them at once', async ({
    build,
    dir,
    start,
  }) => {
    const text = 'x'.repeat(1_000_000);
    const folder = await build({ 'a.js': text, 'b.css': text });
    await Promise.all(Array.from({ length: 5 }, () => start().keep(folder)));
    expect((await readdir(dir)).sort()).toEqual(['a.js', 'b.css']);
    for (const name of ['a.js', 'b.css']) expect((await stat(path.join(dir, name))).size).toBe(1_000_000);
  });
});
