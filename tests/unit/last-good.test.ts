import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLastGood, type LastGoodOptions } from '../../server/cache/last-good.ts';
import { createLogger } from '../../server/ops/log.ts';
import { eventually } from '../support/eventually.ts';

interface Value {
  text: string;
  bytes?: Buffer;
  map?: Map<string, number>;
}

let dir: string;
let lines: { msg: string; level: string; key?: string }[];

beforeEach(async () => {
  dir = path.join(await mkdtemp(path.join(os.tmpdir(), 'last-good-')), 'pages');
  lines = [];
});
afterEach(() => rm(path.dirname(dir), { recursive: true, force: true }));

const open = (options: Partial<LastGoodOptions> = {}) =>
  createLastGood<Value>({
    dir,
    version: 'v1',
    maxBytes: 1_000_000,
    log: createLogger('debug', { write: line => void lines.push(JSON.parse(line)) }),
    ...options,
  });

const files = async (version = 'v1') =>
  (await readdir(path.join(dir, version))).map(name => path.join(dir, version, name));

async function onlyFile(): Promise<string> {
  const [file, ...others] = await files();
  expect(others).toEqual([]);
  return file ?? expect.fail('there is no file');
}

describe('a value that was good', () => {
  it('outlives the process, with its buffers and maps', async () => {
    const store = open();
    const value = { text: 'Łódź', bytes: Buffer.from([0, 1, 255]), map: new Map([['a', 1]]) };
    store.write('page /', value);
    await store.settled();
    const found = await open().read('page /');
    expect(found).toEqual(value);
    expect(Buffer.isBuffer(found?.bytes)).toBe(true);
  });

  it('can be read before it is on the disk, while it is written, and after', async () => {
    const store = open();
    for (let index = 0; index < 50; index++) store.write(`k${index}`, { text: `v${index}` });
    expect(store.waiting).toBe(50);
    const seen: number[] = [];
    while (store.waiting > 0) {
      seen.push(store.waiting);
      for (const index of [0, 3, 25, 49])
        expect(await store.read(`k${index}`)).toEqual({ text: `v${index}` });
      await setImmediate();
    }
    expect(seen.length).toBeGreaterThan(1);
    expect(await store.read('k49')).toEqual({ text: 'v49' });
  });

  it('is not there under another key, and null where there is none', async () => {
    const store = open();
    store.write('a', { text: 'a' });
    await store.settled();
    expect(await store.read('b')).toBeNull();
    expect(lines).toEqual([]);
  });

  it('is the one that was noted last, however fast they follow one another', async () => {
    const store = open();
    for (let index = 0; index < 200; index++) {
      store.write('a', { text: `${index} ${'x'.repeat((200 - index) * 1_000)}` });
      if (index % 10 === 0) await Promise.resolve();
    }
    await store.settled();
    expect((await open().read('a'))?.text).toMatch(/^199 /);
    expect(await files()).toHaveLength(1);
  });

  it('is whole at every moment, and no other file is left behind', async () => {
    const [store, reader] = [open(), open()];
    const versions = Array.from({ length: 20 }, (_, version) => `${version} ${'x'.repeat(300_000)}`);
    const seen = new Set<string>();
    for (const text of versions) {
      store.write('a', { text });
      while (store.waiting > 0) {
        seen.add((await reader.read('a'))?.text ?? 'none');
        await setImmediate();
      }
    }
    expect(seen.size).toBeGreaterThan(2);
    expect([...seen].filter(text => text !== 'none' && !versions.includes(text))).toEqual([]);
    expect(lines).toEqual([]);
    expect(await files()).toHaveLength(1);
  });
});

describe('a value that has gone', () => {
  it('has gone at once, and from the disk', async () => {
    const store = open();
    store.write('a', { text: 'a' });
    await store.settled();
    store.remove('a');
    expect(await store.read('a')).toBeNull();
    await store.settled();
    expect(await files()).toEqual([]);
  });

  it('does not come back when it goes while it is written', async () => {
    const store = open();
    for (let round = 0; round < 50; round++) {
      store.write(`k${round}`, { text: 'x'.repeat(200_000) });
      // The writer has begun.
      await Promise.resolve();
      store.remove(`k${round}`);
      expect(await store.read(`k${round}`)).toBeNull();
    }
    await store.settled();
    expect(await files()).toEqual([]);
  });

  it('and is written again is there', async () => {
    const store = open();
    store.write('a', { text: 'one' });
    store.remove('a');
    store.write('a', { text: 'two' });
    await store.settled();
    expect(await open().read('a')).toEqual({ text: 'two' });
  });
});

describe('the bound in bytes', () => {
  it('lets the oldest files go, and leaves room', async () => {
    const store = open({ maxBytes: 100_000 });
    const text = 'x'.repeat(9_900);
    for (let index = 0; index < 10; index++) {
      store.write(`k${index}`, { text });
      await store.settled();
      const file = await newest();
      await utimes(file, index, index);
    }
    expect(await files()).toHaveLength(10);
    store.write('k10', { text });
    await store.settled();
    expect(await files()).toHaveLength(9);
    expect(await store.read('k0')).toBeNull();
    expect(await store.read('k1')).toBeNull();
    expect(await store.read('k2')).toEqual({ text });
    expect(await store.read('k10')).toEqual({ text });
    expect(lines).toEqual([]);
  });

  it('counts what an earlier process has left', async () => {
    const first = open();
    for (let index = 0; index < 20; index++) first.write(`k${index}`, { text: 'x'.repeat(9_900) });
    await first.settled();
    const second = open({ maxBytes: 100_000 });
    second.write('one more', { text: 'y' });
    await second.settled();
    const sizes = await Promise.all((await files()).map(async file => (await stat(file)).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(100_000);
    expect(await second.read('one more')).toEqual({ text: 'y' });
  });

  async function newest(): Promise<string> {
    const dated = await Promise.all(
      (await files()).map(async file => ({ file, at: (await stat(file)).mtimeMs })),
    );
    return dated.toSorted((a, b) => b.at - a.at)[0]?.file ?? expect.fail('there is no file');
  }
});

describe('a file that is damaged', () => {
  const harms: [string, (file: string, contents: Buffer) => Promise<unknown>][] = [
    ['empty', file => writeFile(file, '')],
    ['cut off', (file, contents) => writeFile(file, contents.subarray(0, contents.byteLength - 5))],
    ['cut off at its beginning', (file, contents) => writeFile(file, contents.subarray(0, 10))],
    ['no value at all', file => writeFile(file, 'Segmentation fault (core dumped)'.repeat(9))],
    [
      'wrong in one bit of the text',
      (file, contents) => {
        const at = contents.indexOf('the text');
        contents[at] = (contents[at] ?? 0) ^ 1;
        return writeFile(file, contents);
      },
    ],
  ];

  it.each(harms)('(%s) is logged and passed over, and replaced by the next good value', async (_, harm) => {
    const store = open();
    store.write('a', { text: 'the text' });
    await store.settled();
    const file = await onlyFile();
    await harm(file, await readFile(file));
    expect(await store.read('a')).toBeNull();
    expect(lines).toMatchObject([
      { level: 'warn', key: 'a', msg: 'last good: a damaged file is passed over' },
    ]);
    store.write('a', { text: 'again' });
    await store.settled();
    expect(await open().read('a')).toEqual({ text: 'again' });
  });

  it('is one that lies in the place of another', async () => {
    const store = open();
    store.write('a', { text: 'a' });
    await store.settled();
    const fileOfA = await onlyFile();
    await rename(fileOfA, path.join(dir, 'aside'));
    store.write('b', { text: 'b' });
    await store.settled();
    await rename(await onlyFile(), fileOfA);
    expect(await store.read('a')).toBeNull();
    expect(lines).toMatchObject([{ level: 'warn', key: 'a' }]);
  });
});

describe('values of another version', () => {
  it('are removed, and not read', async () => {
    const old = open();
    old.write('a', { text: 'old' });
    await old.settled();
    const store = open({ version: 'v2' });
    expect(await store.read('a')).toBeNull();
    await eventually(async () => expect(await readdir(dir)).toEqual(['v2']));
    store.write('a', { text: 'new' });
    await store.settled();
    expect(await store.read('a')).toEqual({ text: 'new' });
  });
});

describe('a disk that cannot be written', () => {
  it('is logged and harms nothing', async () => {
    // For the store the same as a disk that is full or read-only: every write is refused.
    await writeFile(dir, 'a file in the place of the folder');
    const store = open();
    store.write('a', { text: 'a' });
    store.remove('b');
    expect(await store.read('a')).toEqual({ text: 'a' });
    await store.settled();
    expect(store.waiting).toBe(0);
    expect(await store.read('a')).toBeNull();
    expect(lines.map(({ level, msg }) => `${level}: ${msg}`)).toEqual(
      expect.arrayContaining([
        'warn: last good: the folder cannot be used',
        'warn: last good: could not be written',
      ]),
    );
  });

  it('leaves no file behind when the last step fails, and works again when it can', async () => {
    const store = open();
    store.write('a', { text: 'a' });
    await store.settled();
    const file = await onlyFile();
    await rm(file);
    await mkdir(file);
    store.write('a', { text: 'b' });
    await store.settled();
    expect(lines).toMatchObject([{ level: 'warn', key: 'a', msg: 'last good: could not be written' }]);
    expect(await files()).toEqual([file]);
    await rm(file, { recursive: true });
    store.write('a', { text: 'c' });
    await store.settled();
    expect(await store.read('a')).toEqual({ text: 'c' });
  });
});
