import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DigestSet } from '../../server/cache/disk/disk-store.ts';
import { FolderTier } from '../../server/cache/disk/disk-tier.ts';
import { createLogger } from '../../server/ops/log.ts';
import { eventually } from '../support/eventually.ts';

const digestsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) =>
    createHash('sha256').update(`${name} ${number}`).digest('hex'),
  );

it('a set of digests finds every added digest, and has few false positives', () => {
  const set = new DigestSet();
  const own = digestsOf('own', 50_000);
  const others = digestsOf('other', 2_000);
  expect(others.some(digest => set.mayHave(digest))).toBe(false);
  for (const digest of own) set.add(digest);
  expect(own.every(digest => set.mayHave(digest))).toBe(true);
  expect(others.filter(digest => set.mayHave(digest)).length).toBeLessThan(200);
});

describe('a disk tier that lists its records', () => {
  const log = createLogger('silent', { write() {} });
  const codec = { encode: (text: string) => Buffer.from(text), decode: (bytes: Buffer) => bytes.toString() };

  it('a disk tier that has listed its records reports a key as absent until its record is written', async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'absent-records-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const open = (listsRecords: boolean) =>
      new FolderTier({ dir, version: 'v', maxBytes: 1e6, codec, log, listsRecords });
    const first = open(false);
    first.write('left by an earlier process', () => 'x');
    await first.settled();
    const tier = open(true);
    const asked = ['left by an earlier process', 'noted', 'never written'];
    const absent = () => asked.filter(key => tier.isAbsent(key));
    expect(absent(), 'before the folder is listed').toEqual([]);
    await eventually(() => expect(absent()).toEqual(['noted', 'never written']));
    tier.write('noted', () => 'y');
    expect(absent()).toEqual(['never written']);
    await tier.settled();
    expect(absent()).toEqual(['never written']);
    expect(
      asked.filter(key => open(false).isAbsent(key)),
      'a tier that lists nothing',
    ).toEqual([]);
  });

  it('a disk tier reports every key as absent while its folder does not exist', async () => {
    const tier = new FolderTier({
      ...{ dir: path.join(os.tmpdir(), 'absent-records', 'none'), version: 'v', maxBytes: 1e6, codec, log },
      listsRecords: true,
    });
    onTestFinished(() => rm(path.join(os.tmpdir(), 'absent-records'), { recursive: true, force: true }));
    await eventually(() => expect(tier.isAbsent('any')).toBe(true));
  });
});
