import { promises } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeFileAtomically } from '../../server/cache/disk/write-file-atomically.ts';

const { open, rename } = promises;
let dir: string;
/** Recorded calls to the file system. Each is passed on to the real file system. */
let steps: string[];
/** Bytes free on the disk. */
let freeBytes: number;

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'atomically-'));
  for (const folder of ['drafts', 'waiting']) await mkdir(path.join(dir, folder));
  steps = [];
  freeBytes = Number.POSITIVE_INFINITY;
  const nameOf = (file: unknown) => {
    const [folder, name] = path.relative(dir, String(file)).split(path.sep);
    return name?.endsWith('.part') ? `draft in ${folder}` : path.join(folder ?? '', name ?? '');
  };
  Object.assign(promises, {
    async open(...args: Parameters<typeof open>) {
      const handle = await open(...args);
      const what = nameOf(args[0]);
      const { writeFile: write, sync, close } = handle;
      const noted = (step: string) => steps.push(`${step} ${what}`);
      return Object.assign(handle, {
        async writeFile(contents: Parameters<typeof write>[0]) {
          noted('writeFile');
          if (freeBytes === Number.POSITIVE_INFINITY) return write.call(handle, contents);
          await handle.write(Buffer.alloc(freeBytes));
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        },
        sync() {
          noted('sync');
          return sync.call(handle);
        },
        close() {
          noted('close');
          return close.call(handle);
        },
      });
    },
    rename(from: string, to: string) {
      steps.push(`rename ${nameOf(from)} to ${nameOf(to)}`);
      return rename(from, to);
    },
  });
  syncBuiltinESMExports();
});
afterEach(async () => {
  Object.assign(promises, { open, rename });
  syncBuiltinESMExports();
  await rm(dir, { recursive: true });
});

const draftsDir = () => path.join(dir, 'drafts');
const fileA = () => path.join(dir, 'waiting', 'a.json');

it('a durable file is synced before its rename, and its folder before the promise resolves', async () => {
  await writeFileAtomically(fileA(), 'text', { durable: true, draftsDir: draftsDir(), mode: 0o600 });
  expect(steps).toEqual([
    'writeFile draft in drafts',
    'sync draft in drafts',
    'close draft in drafts',
    'rename draft in drafts to waiting/a.json',
    'sync waiting',
    'close waiting',
  ]);
  expect(await readFile(fileA(), 'utf8')).toBe('text');
  expect((await stat(fileA())).mode & 0o777).toBe(0o600);
  expect(await readdir(draftsDir())).toEqual([]);
});

it('a file that need not be durable is renamed into place without a sync', async () => {
  await writeFileAtomically(fileA(), 'text');
  expect(steps).toEqual([
    'writeFile draft in waiting',
    'close draft in waiting',
    'rename draft in waiting to waiting/a.json',
  ]);
});

it('chunks are written one after another', async () => {
  async function* chunks() {
    yield Buffer.from('one ');
    yield Buffer.from('two');
  }
  await writeFileAtomically(fileA(), chunks());
  expect(await readFile(fileA(), 'utf8')).toBe('one two');
});

it('a failed write to a full disk keeps the old file, and leaves no temporary file', async () => {
  await writeFile(fileA(), 'old');
  freeBytes = 2;
  await expect(writeFileAtomically(fileA(), 'text')).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await readFile(fileA(), 'utf8')).toBe('old');
  expect(await readdir(path.dirname(fileA()))).toEqual(['a.json']);
});

it('a file that cannot be renamed leaves no temporary file', async () => {
  const nowhere = path.join(dir, 'no such folder', 'a.json');
  await expect(writeFileAtomically(nowhere, 'text', { draftsDir: draftsDir() })).rejects.toMatchObject({
    code: 'ENOENT',
  });
  expect(await readdir(draftsDir())).toEqual([]);
});
