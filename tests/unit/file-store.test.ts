import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileStore, type FileStore } from '../../server/cache/file-store.ts';

let dir: string;
let store: FileStore<{ name: string }>;

beforeEach(async () => {
  dir = path.join(await mkdtemp(path.join(os.tmpdir(), 'files-')), 'made-when-needed');
  store = createFileStore({ dir, maxBytes: 1_000 });
});
afterEach(() => rm(path.dirname(dir), { recursive: true }));

const write = (key: string, bytes: number) =>
  store.write(key, Readable.from([Buffer.alloc(bytes, key)]), () => ({ name: key }));

/** Gives a file a time at which it was used, in seconds since the epoch. */
async function usedAt(key: string, seconds: number): Promise<void> {
  const stored = await store.read(key);
  if (stored) await utimes(stored.file, seconds, seconds);
}

it('keeps files by keys of any kind, each with its description', async () => {
  expect(await store.read('a')).toBeNull();
  for (const key of ['a', '../../a', '/etc/passwd', 'https://a.example/?b']) await write(key, 10);
  for (const key of ['a', '../../a', '/etc/passwd', 'https://a.example/?b']) {
    const stored = await store.read(key);
    expect(stored?.meta).toEqual({ name: key });
    expect(path.dirname(stored?.file ?? '')).toBe(dir);
    expect(await readFile(stored?.file ?? '')).toEqual(Buffer.alloc(10, key));
  }
  await store.remove('a');
  expect(await store.read('a')).toBeNull();
  expect(await readdir(dir)).toHaveLength(6);
});

it('leaves nothing of a file whose body breaks off, and the old one as it was', async () => {
  await write('a', 10);
  const broken = new Readable({
    read() {
      this.push('half');
      this.destroy(new Error('gone'));
    },
  });
  await expect(store.write('a', broken, () => ({ name: 'new' }))).rejects.toThrow('gone');
  expect((await store.read('a'))?.meta).toEqual({ name: 'a' });
  expect(await readdir(dir)).toHaveLength(2);
});

it('takes a file whose description is damaged for none', async () => {
  const { file } = await write('a', 10);
  await writeFile(`${file}.json`, '{"na');
  expect(await store.read('a')).toBeNull();
});

it('stays within its bound: those unused for longest go first', async () => {
  await write('old', 400);
  await write('used', 300);
  await usedAt('old', 1_000);
  await usedAt('used', 900);
  await store.touch('used');
  await write('new', 400);
  expect(await store.read('old')).toBeNull();
  expect(await store.read('used')).not.toBeNull();
  expect(await store.read('new')).not.toBeNull();
});

it('counts what an earlier process has left', async () => {
  await write('left', 900);
  await usedAt('left', 1_000);
  store = createFileStore({ dir, maxBytes: 1_000 });
  await write('new', 200);
  expect(await store.read('left')).toBeNull();
  expect(await store.read('new')).not.toBeNull();
});
