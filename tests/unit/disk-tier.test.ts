import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { type DiskTierOptions, FolderTier } from '../../server/cache/disk/disk-tier.ts';
import { createLogger } from '../../server/ops/log.ts';
import { eventually } from '../support/eventually.ts';

interface Value {
  text: string;
  bytes?: Buffer;
}

const it = test.extend('stage', async ({}, { onCleanup }) => {
  const stage = await startStage();
  onCleanup(() => rm(path.dirname(stage.dir), { recursive: true, force: true }));
  return stage;
});

async function startStage() {
  const dir = path.join(await mkdtemp(path.join(os.tmpdir(), 'disk-tier-')), 'pages');
  const lines: { msg: string; level: string; key?: string }[] = [];
  const files = async (version = 'v1') =>
    (await readdir(path.join(dir, version))).map(name => path.join(dir, version, name));
  const codec: DiskTierOptions<Value>['codec'] = {
    encode: value => serialize(value),
    decode: bytes => deserialize(bytes),
  };
  const log = createLogger('debug', { write: line => void lines.push(JSON.parse(line)) });
  const open = (options: Partial<DiskTierOptions<Value>> = {}) => {
    const tier = new FolderTier<Value>({
      dir,
      version: 'v1',
      maxBytes: 1_000_000,
      codec,
      log,
      ...options,
    });
    return Object.assign(tier, {
      put: (key: string, value: Value) => tier.write(key, () => value),
    });
  };
  return {
    dir,
    lines,
    files,
    open,
    async onlyFile(): Promise<string> {
      const [file, ...others] = await files();
      expect(others).toEqual([]);
      return file ?? expect.fail('there is no file');
    },
    async newestFile(): Promise<string> {
      const dated = await Promise.all(
        (await files()).map(async file => ({ file, at: (await stat(file)).mtimeMs })),
      );
      return dated.toSorted((a, b) => b.at - a.at)[0]?.file ?? expect.fail('there is no file');
    },
  };
}

/** Calls `look` repeatedly until all queued records are on the disk. @returns the number of calls. */
async function untilSettled(tier: { settled(): Promise<void> }, look: () => Promise<void>): Promise<number> {
  let isSettled = false;
  let looks = 0;
  const settled = tier.settled().then(() => {
    isSettled = true;
  });
  while (!isSettled) {
    await look();
    looks += 1;
    await setImmediate();
  }
  await settled;
  return looks;
}

describe('a disk record', () => {
  it('a disk record with text and buffers is intact in the next process', async ({ stage: { open } }) => {
    const tier = open();
    const value = { text: 'Łódź', bytes: Buffer.from([0, 1, 255]) };
    tier.put('page /', value);
    await tier.settled();
    expect(await open().read('page /')).toEqual(value);
  });

  it('a disk record can be read before, during and after its write', async ({ stage: { open } }) => {
    const tier = open();
    const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
    for (const key of keys) tier.put(key, { text: key });
    const looks = await untilSettled(tier, async () => {
      for (const key of ['k0', 'k3', 'k25', 'k49']) expect(await tier.read(key)).toEqual({ text: key });
    });
    expect(looks).toBeGreaterThan(1);
    expect(await tier.read('k49')).toEqual({ text: 'k49' });
  });

  it('a disk record is not found under another key, and a missing record is null', async ({
    stage: { open, lines },
  }) => {
    const tier = open();
    tier.put('a', { text: 'a' });
    await tier.settled();
    expect(await tier.read('b')).toBeNull();
    expect(lines).toEqual([]);
  });

  it('the last of many quick writes is the disk record that stays', async ({ stage: { open, files } }) => {
    const tier = open();
    for (let index = 0; index < 200; index++) {
      tier.put('a', { text: `${index} ${'x'.repeat((200 - index) * 1_000)}` });
      if (index % 10 === 0) await Promise.resolve();
    }
    await tier.settled();
    expect((await open().read('a'))?.text).toMatch(/^199 /);
    expect(await files()).toHaveLength(1);
  });

  it('a disk record is complete at all times, and its writes leave no other file', async ({
    stage: { open, lines, files },
  }) => {
    const [tier, reader] = [open(), open()];
    const versions = Array.from({ length: 20 }, (_, version) => `${version} ${'x'.repeat(300_000)}`);
    const seen = new Set<string>();
    for (const text of versions) {
      tier.put('a', { text });
      await untilSettled(tier, async () => void seen.add((await reader.read('a'))?.text ?? 'none'));
    }
    expect(seen.size).toBeGreaterThan(2);
    expect([...seen].filter(text => text !== 'none' && !versions.includes(text))).toEqual([]);
    expect(lines).toEqual([]);
    expect(await files()).toHaveLength(1);
  });

  it('a disk record is encoded when its file is written, not when it is queued', async ({
    stage: { open },
  }) => {
    const tier = open();
    let text = 'at first';
    tier.write('a', () => ({ text }));
    text = 'by then';
    await tier.settled();
    expect(await open().read('a')).toEqual({ text: 'by then' });
  });

  it('a disk record that cannot be encoded is left out and logged, and the others are written', async ({
    stage: { open, lines },
  }) => {
    const tier = open();
    tier.write('a', () => {
      throw new Error('no record');
    });
    tier.put('b', { text: 'b' });
    await tier.settled();
    expect(await open().read('b')).toEqual({ text: 'b' });
    expect(lines).toMatchObject([{ level: 'warn', key: 'a', code: 'disk-record-unwritten' }]);
  });

  it('a disk record counts as absent and is logged when today’s codec cannot decode it', async ({
    stage: { open, lines },
  }) => {
    const tier = open();
    tier.put('a', { text: 'a' });
    await tier.settled();
    const decode = () => {
      throw new Error('a field is missing');
    };
    expect(await open({ codec: { encode: value => serialize(value), decode } }).read('a')).toBeNull();
    expect(lines).toMatchObject([{ level: 'warn', key: 'a', code: 'disk-record-undecodable' }]);
  });
});

describe('a removed disk record', () => {
  it('a removal skips the disk if a read has found no record, and none was written since', async ({
    stage: { open, files },
  }) => {
    const [tier, other] = [open(), open()];
    expect([await tier.read('a'), await tier.read('b')]).toEqual([null, null]);
    // A file of another process shows whether the tier touches the folder.
    other.put('a', { text: 'a' });
    await other.settled();
    tier.remove('a');
    await tier.settled();
    expect(await files()).toHaveLength(1);
    tier.put('b', { text: 'b' });
    await tier.settled();
    tier.remove('b');
    await tier.settled();
    expect(await files()).toHaveLength(1);
    expect([await tier.read('a'), await tier.read('b')]).toEqual([{ text: 'a' }, null]);
  });

  it('a removed disk record is not found any more, and its file is removed', async ({
    stage: { open, files },
  }) => {
    const tier = open();
    tier.put('a', { text: 'a' });
    await tier.settled();
    tier.remove('a');
    expect(await tier.read('a')).toBeNull();
    await tier.settled();
    expect(await files()).toEqual([]);
  });

  it('a disk record that is removed during its write does not come back', async ({
    stage: { open, files },
  }) => {
    const tier = open();
    const settled: Promise<void>[] = [];
    for (let round = 0; round < 50; round++) {
      const begun = Promise.withResolvers<void>();
      tier.write(`k${round}`, () => {
        begun.resolve();
        return { text: 'x'.repeat(200_000) };
      });
      settled.push(tier.settled());
      await begun.promise;
      tier.remove(`k${round}`);
      expect(await tier.read(`k${round}`)).toBeNull();
    }
    await Promise.all([...settled, tier.settled()]);
    expect(await files()).toEqual([]);
  });

  it('a removed disk record is found again after another write', async ({ stage: { open } }) => {
    const tier = open();
    tier.put('a', { text: 'one' });
    tier.remove('a');
    tier.put('a', { text: 'two' });
    await tier.settled();
    expect(await open().read('a')).toEqual({ text: 'two' });
  });
});

describe('the maximum size of a disk tier', () => {
  it('a full disk tier removes the oldest files, down to nine tenths of its maximum', async ({
    stage: { open, files, newestFile, lines },
  }) => {
    const tier = open({ maxBytes: 102_000 });
    const text = 'x'.repeat(9_900);
    for (let index = 0; index < 10; index++) {
      tier.put(`k${index}`, { text });
      await tier.settled();
      await utimes(await newestFile(), index, index);
    }
    expect(await files()).toHaveLength(10);
    tier.put('k10', { text });
    await tier.settled();
    expect(await files()).toHaveLength(9);
    expect(await tier.read('k0')).toBeNull();
    expect(await tier.read('k1')).toBeNull();
    expect(await tier.read('k2')).toEqual({ text });
    expect(await tier.read('k10')).toEqual({ text });
    expect(lines).toEqual([]);
  });

  it('a disk tier counts the files of an earlier process', async ({ stage: { open, files } }) => {
    const first = open();
    for (let index = 0; index < 20; index++) first.put(`k${index}`, { text: 'x'.repeat(9_900) });
    await first.settled();
    const second = open({ maxBytes: 100_000 });
    second.put('one more', { text: 'y' });
    await second.settled();
    const sizes = await Promise.all((await files()).map(async file => (await stat(file)).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(100_000);
    expect(await second.read('one more')).toEqual({ text: 'y' });
  });
});

describe('a damaged disk file', () => {
  const harms: [string, (file: string, contents: Buffer) => Promise<unknown>][] = [
    ['empty', file => writeFile(file, '')],
    ['cut off', (file, contents) => writeFile(file, contents.subarray(0, contents.byteLength - 5))],
    ['cut off at its beginning', (file, contents) => writeFile(file, contents.subarray(0, 10))],
    ['of other contents', file => writeFile(file, 'Segmentation fault (core dumped)'.repeat(9))],
    [
      'wrong in one bit of the text',
      (file, contents) => {
        const at = contents.indexOf('the text');
        contents[at] = (contents[at] ?? 0) ^ 1;
        return writeFile(file, contents);
      },
    ],
  ];

  it.for(harms)(
    'a damaged disk file (%s) is logged, counts as absent, and is replaced by the next record',
    async ([, harm], { stage: { open, lines, onlyFile } }) => {
      const tier = open();
      tier.put('a', { text: 'the text' });
      await tier.settled();
      const file = await onlyFile();
      await harm(file, await readFile(file));
      expect(await tier.read('a')).toBeNull();
      expect(lines).toMatchObject([{ level: 'warn', key: 'a', code: 'disk-entry-unreadable' }]);
      tier.put('a', { text: 'again' });
      await tier.settled();
      expect(await open().read('a')).toEqual({ text: 'again' });
    },
  );

  it('an intact disk file under the name of another key counts as damaged', async ({
    stage: { dir, open, lines, onlyFile },
  }) => {
    const tier = open();
    tier.put('a', { text: 'a' });
    await tier.settled();
    const fileOfA = await onlyFile();
    await rename(fileOfA, path.join(dir, 'aside'));
    tier.put('b', { text: 'b' });
    await tier.settled();
    await rename(await onlyFile(), fileOfA);
    expect(await tier.read('a')).toBeNull();
    expect(lines).toMatchObject([{ level: 'warn', key: 'a' }]);
  });
});

describe('the disk folder of another version', () => {
  it('the disk folder of another version is removed, and not read', async ({ stage: { dir, open } }) => {
    const old = open();
    old.put('a', { text: 'old' });
    await old.settled();
    const tier = open({ version: 'v2' });
    expect(await tier.read('a')).toBeNull();
    tier.put('a', { text: 'new' });
    await tier.settled();
    await eventually(async () => expect(await readdir(dir)).toEqual(['v2']));
    expect(await tier.read('a')).toEqual({ text: 'new' });
  });
});

describe('a disk that cannot be written', () => {
  it('a write to a disk that refuses writes is logged and harms nothing', async ({
    stage: { dir, open, lines },
  }) => {
    // A full or read-only disk has the same effect on the tier: every write is refused.
    await writeFile(dir, 'a file in the place of the folder');
    const tier = open();
    tier.put('a', { text: 'a' });
    tier.remove('b');
    expect(await tier.read('a')).toEqual({ text: 'a' });
    await tier.settled();
    expect(await tier.read('a')).toBeNull();
    expect(lines.map(({ level, msg, key }) => `${level} ${key}: ${msg}`)).toContain(
      'warn a: disk tier: a record could not be written',
    );
  });

  it('a failed rename leaves no temporary file of a disk record, and the next write succeeds', async ({
    stage: { open, lines, files, onlyFile },
  }) => {
    const tier = open();
    tier.put('a', { text: 'a' });
    await tier.settled();
    const file = await onlyFile();
    await rm(file);
    await mkdir(file);
    tier.put('a', { text: 'b' });
    await tier.settled();
    expect(lines).toMatchObject([{ level: 'warn', key: 'a', code: 'disk-record-unwritten' }]);
    expect(await files()).toEqual([file]);
    await rm(file, { recursive: true });
    tier.put('a', { text: 'c' });
    await tier.settled();
    expect(await tier.read('a')).toEqual({ text: 'c' });
  });
});
