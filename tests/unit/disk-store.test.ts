import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FolderHealth } from '../../server/cache/disk/disk-health.ts';
import { DiskStore, type DiskStoreOptions } from '../../server/cache/disk/disk-store.ts';
import { createLogger } from '../../server/ops/log.ts';

interface Meta {
  name: string;
}

const NOT_READ = 'disk-entry-unreadable';

let dir: string;
let lines: { level: string; msg: string; key?: string; err?: { message: string } }[];
let store: DiskStore<Meta>;

beforeEach(async () => {
  dir = path.join(await mkdtemp(path.join(os.tmpdir(), 'disk-store-')), 'made-when-needed');
  lines = [];
  store = open();
});
afterEach(() => rm(path.dirname(dir), { recursive: true }));

function open(options: Partial<DiskStoreOptions<Meta>> = {}): DiskStore<Meta> {
  const log = createLogger('debug', { write: line => void lines.push(JSON.parse(line)) });
  return new DiskStore<Meta>({
    dir,
    maxBytes: 100_000,
    decodeMeta: value => z.object({ name: z.string() }).parse(value),
    health: new FolderHealth({ dataDir: path.dirname(dir), log }),
    log,
    ...options,
  });
}

const write = (key: string, bytes: number, to = store) =>
  to.write(key, Buffer.alloc(bytes, key), () => ({ name: key }));

async function fileOf(key: string): Promise<string> {
  return (await store.read(key))?.file ?? expect.fail(`there is no entry ${key}`);
}

/** Sets the last-use time of an entry’s file, in seconds since the epoch. */
async function usedAt(key: string, seconds: number): Promise<void> {
  await utimes(await fileOf(key), seconds, seconds);
}

async function totalBytes(): Promise<number> {
  const sizes = (await readdir(dir)).map(async name => (await stat(path.join(dir, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

describe('a disk entry', () => {
  const keys = ['a', '../../a', '/etc/passwd', 'https://a.example/?b', 'Łódź'];

  it('a health check during a write does not log the newly created folder as removed', async () => {
    const log = createLogger('debug', { write: line => void lines.push(JSON.parse(line)) });
    const health = new FolderHealth({ dataDir: path.dirname(dir), log });
    async function* lookedAt() {
      // The store reads the body after it has created the folder.
      await health.probe();
      yield Buffer.from('a');
    }
    await open({ health }).write('a', Readable.from(lookedAt()), () => ({ name: 'a' }));
    expect(lines).toEqual([]);
  });

  it('each key, whatever its characters, has one file in the folder, with metadata and body', async () => {
    expect(await store.read('a')).toBeNull();
    for (const key of keys) await write(key, 10);
    for (const key of keys) {
      const entry = await store.read(key);
      expect(entry).toMatchObject({ meta: { name: key }, bodyBytes: 10 });
      expect(path.dirname(entry?.file ?? '')).toBe(dir);
      expect((await store.readWithBody(key))?.body).toEqual(Buffer.alloc(10, key));
    }
    await store.remove('a');
    expect(await store.read('a')).toBeNull();
    expect(await readdir(dir)).toHaveLength(keys.length - 1);
    expect(lines).toEqual([]);
  });

  it('the file of a disk entry begins with the body, whether the body was streamed or not', async () => {
    const whole = await store.write('whole', Buffer.from('body'), () => ({ name: 'n' }));
    const streamed = await store.write(
      'streamed',
      Readable.from([Buffer.from('bo'), Buffer.from('dy')]),
      () => ({
        name: 'n',
      }),
    );
    for (const { file, bodyBytes } of [whole, streamed])
      expect((await readFile(file)).subarray(0, bodyBytes).toString()).toBe('body');
    expect((await open().readWithBody('streamed'))?.body.toString()).toBe('body');
  });

  it('a disk entry may have an empty body and long metadata', async () => {
    const name = 'x'.repeat(10_000);
    await store.write('a', Buffer.alloc(0), () => ({ name }));
    expect(await store.read('a')).toMatchObject({ meta: { name }, bodyBytes: 0 });
    expect((await store.readWithBody('a'))?.body).toEqual(Buffer.alloc(0));
  });

  it('during a replacement, a reader finds either the old disk entry or the new one', async () => {
    const reader = open();
    await write('a', 10);
    let isDone = false;
    const writing = (async () => {
      for (let round = 1; round <= 50; round++)
        await store.write('a', Buffer.alloc(round * 100, String(round)), () => ({ name: String(round) }));
      isDone = true;
    })();
    while (!isDone) {
      const entry = await reader.readWithBody('a');
      const name = entry?.meta.name ?? expect.fail('the entry was absent');
      if (name !== 'a') expect(entry?.body).toEqual(Buffer.alloc(Number(name) * 100, name));
    }
    await writing;
    expect(await readdir(dir)).toHaveLength(1);
    expect(lines).toEqual([]);
  });
});

describe('a failed write to the disk', () => {
  it('a failed write leaves the old disk entry unchanged when the body breaks off', async () => {
    await write('a', 10);
    const broken = new Readable({
      read() {
        this.push('half');
        this.destroy(new Error('gone'));
      },
    });
    await expect(store.write('a', broken, () => ({ name: 'new' }))).rejects.toThrow('gone');
    expect((await store.read('a'))?.meta).toEqual({ name: 'a' });
    expect(await readdir(dir)).toHaveLength(1);
  });

  it('a write to the disk rejects with the error of a body that has already failed', async () => {
    const broken = new Readable({ read() {} });
    const writing = store.write('a', broken, () => ({ name: 'a' }));
    broken.destroy(new Error('gone at once'));
    await expect(writing).rejects.toThrow('gone at once');
    expect(await readdir(dir)).toEqual([]);
  });

  it('a failed write to the disk destroys the body when the folder cannot be created', async () => {
    await writeFile(dir, 'a file in the place of the folder');
    const body = Readable.from([Buffer.from('a')]);
    await expect(store.write('a', body, () => ({ name: 'a' }))).rejects.toMatchObject({ code: 'EEXIST' });
    expect(body.destroyed).toBe(true);
    expect(await store.read('a')).toBeNull();
  });

  it('a failed rename leaves no temporary file on the disk, and the next write succeeds', async () => {
    const { file } = await write('a', 10);
    await rm(file);
    await mkdir(file);
    await expect(write('a', 10)).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await readdir(dir)).toEqual([path.basename(file)]);
    await rm(file, { recursive: true });
    await write('a', 10);
    expect((await store.read('a'))?.meta).toEqual({ name: 'a' });
  });
});

describe('a damaged or misplaced disk file', () => {
  const flip = (contents: Buffer, at: number) => {
    contents[at] = (contents[at] ?? 0) ^ 1;
    return contents;
  };
  const harms: [string, (contents: Buffer) => Buffer][] = [
    ['an empty file', () => Buffer.alloc(0)],
    ['a file cut off at its end', contents => contents.subarray(0, -5)],
    ['a file cut off at its beginning', contents => contents.subarray(5)],
    [
      'a file with bytes missing from its body',
      contents => Buffer.concat([contents.subarray(0, 5), contents.subarray(9)]),
    ],
    ['a file with bytes behind its end', contents => Buffer.concat([contents, Buffer.from('x')])],
    ['a file of another format', () => Buffer.from('Segmentation fault (core dumped)'.repeat(9))],
    ['a flipped bit in the description', contents => flip(contents, contents.indexOf('"name"') + 2)],
    ['a flipped bit in the length', contents => flip(contents, contents.byteLength - 9)],
  ];

  it.each(harms)(
    'a damaged or misplaced disk file counts as absent and is logged once: %s',
    async (_, harm) => {
      const { file } = await write('a', 100);
      await writeFile(file, harm(await readFile(file)));
      expect(await store.read('a')).toBeNull();
      expect(await store.readWithBody('a')).toBeNull();
      expect(lines).toMatchObject([{ level: 'warn', code: NOT_READ, key: 'a' }]);
      await write('a', 10);
      expect((await store.readWithBody('a'))?.body).toEqual(Buffer.alloc(10, 'a'));
    },
  );

  it('a disk file with a flipped bit in the body counts as absent when its body is read', async () => {
    const { file } = await write('a', 100);
    await writeFile(file, flip(await readFile(file), 50));
    expect(await store.readWithBody('a')).toBeNull();
    expect(lines).toMatchObject([{ err: { message: 'The body is not as it was written' } }]);
  });

  it('a disk file under the name of another key counts as absent', async () => {
    const { file } = await write('a', 10);
    await copyFile(file, (await write('b', 10)).file);
    expect(await store.read('b')).toBeNull();
    expect(await store.readWithBody('b')).toBeNull();
    expect(lines).toMatchObject([{ err: { message: 'The file holds the entry of another key' }, key: 'b' }]);
  });

  it('a disk file counts as absent when its metadata cannot be decoded', async () => {
    await write('a', 10);
    const other = open({ decodeMeta: value => z.object({ name: z.literal('other') }).parse(value) });
    expect(await other.read('a')).toBeNull();
    expect(lines).toMatchObject([{ code: NOT_READ, key: 'a' }]);
  });

  it('a disk file counts as absent when it is truncated, at every length', async () => {
    const { file } = await write('a', 20);
    for (let bytes = (await stat(file)).size - 1; bytes >= 0; bytes--) {
      await truncate(file, bytes);
      expect(await store.read('a')).toBeNull();
    }
    expect(lines).toHaveLength(1);
  });
});

describe('the maximum size of a disk store', () => {
  it('a full disk store removes the least recently used entries first', async () => {
    await write('old', 40_000);
    await write('used', 30_000);
    await usedAt('old', 1_000);
    await usedAt('used', 900);
    await store.touch('used');
    await write('new', 40_000);
    expect(await store.read('old')).toBeNull();
    expect(await store.read('used')).not.toBeNull();
    expect(await store.read('new')).not.toBeNull();
  });

  it('a full disk store removes entries down to nine tenths of its maximum', async () => {
    for (let index = 0; index < 10; index++) {
      await write(`k${index}`, 9_800);
      await usedAt(`k${index}`, index + 1);
    }
    expect(await readdir(dir)).toHaveLength(10);
    await write('k10', 9_800);
    expect(await readdir(dir)).toHaveLength(9);
    expect(await store.read('k1')).toBeNull();
    expect(await store.read('k2')).not.toBeNull();
  });

  it('a disk store counts an entry once, however often it is replaced', async () => {
    await write('rare', 40_000);
    await usedAt('rare', 1_000);
    for (let round = 0; round < 20; round++) await write('often', 40_000);
    expect(await store.read('rare')).not.toBeNull();
  });

  it('a disk store counts the entries of an earlier process', async () => {
    await write('left', 90_000);
    await usedAt('left', 1_000);
    store = open();
    await write('new', 20_000);
    expect(await store.read('left')).toBeNull();
    expect(await store.read('new')).not.toBeNull();
  });

  it('two stores on one folder together keep the maximum, and each removes entries of the other', async () => {
    const stores = [store, open()] as const;
    await Promise.all(
      stores.map(async (one, side) => {
        for (let index = 0; index < 40; index++) {
          await write(`${side}-${index}`, 5_000, one);
          await one.touch(`${side}-${index - 1}`);
          await one.readWithBody(`${1 - side}-${index}`);
        }
      }),
    );
    // Each store may have written a tenth of the maximum since it last counted all files.
    expect(await totalBytes()).toBeLessThanOrEqual(120_000);
    expect(await stores[0].read('1-39')).not.toBeNull();
    expect(await stores[1].read('0-39')).not.toBeNull();
    expect(lines).toEqual([]);
  });

  it('a full disk store removes the temporary files of a crashed process, but not those of a running one', async () => {
    const entry = await write('a', 10);
    const drafts = ['crashed', 'running'].map(name => `${entry.file}.${name}.part`);
    for (const draft of drafts) await writeFile(draft, 'half');
    await utimes(drafts[0] ?? '', 1_000, 1_000);
    await write('b', 10, open());
    expect((await readdir(dir)).filter(name => name.endsWith('.part'))).toEqual([
      path.basename(drafts[1] ?? ''),
    ]);
  });
});
