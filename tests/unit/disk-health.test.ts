import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { FolderHealth } from '../../server/cache/disk/disk-health.ts';
import { createLogger } from '../../server/ops/log.ts';

const it = test.extend('stage', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'disk-health-'));
  const dataDir = path.join(folder, 'data');
  const lines: { level: string; msg: string }[] = [];
  const log = createLogger('debug', { write: line => void lines.push(JSON.parse(line)) });
  const health = new FolderHealth({ dataDir, log });
  onCleanup(async () => {
    health.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return { folder, dataDir, lines, health };
});

const systemError = (code: string) => Object.assign(new Error(code), { code });

/** File permissions do not restrict root, so the test probes as this user. */
const NOBODY = 65_534;

describe('the health of a disk', () => {
  it('a disk is healthy if every watched folder can be written, and the check leaves no file', async ({
    stage: { dataDir, health, lines },
  }) => {
    await mkdir(path.join(dataDir, 'a'), { recursive: true });
    health.watch(path.join(dataDir, 'a'));
    health.watch(path.join(dataDir, 'not-made-yet'));
    expect(await health.probe()).toEqual({ isWritable: true });
    expect([await readdir(dataDir), await readdir(path.join(dataDir, 'a'))]).toEqual([['a'], []]);
    expect(lines).toEqual([]);
  });

  it('a data folder on a network mount is logged with one warning, and a local one with none', async ({
    stage: { dataDir },
  }) => {
    for (const [type, count] of [
      [0x6969, 1],
      [0xff534d42, 1],
      [0xef53, 0],
    ] as const) {
      const codes: unknown[] = [];
      const log = createLogger('debug', { write: line => void codes.push(JSON.parse(line).code) });
      const looked = Promise.resolve(type);
      const health = new FolderHealth({ dataDir, log, typeOf: () => looked });
      health.begin();
      await looked;
      await new Promise(setImmediate);
      health.stop();
      expect(codes).toEqual(Array(count).fill('disk-network'));
    }
  });

  it('each change in a disk’s health is logged once, however many callers probe', async ({
    stage: { dataDir, health, lines },
  }) => {
    await writeFile(dataDir, 'a file');
    const recoveries: string[] = [];
    health.onRecovery(() => void recoveries.push('recovered'));
    for (let time = 0; time < 2; time += 1)
      await Promise.all(Array.from({ length: 50 }, () => health.probe()));
    expect(lines.map(({ level }) => level)).toEqual(['error']);
    await rm(dataDir);
    await Promise.all(Array.from({ length: 50 }, () => health.probe()));
    expect(lines.map(({ level }) => level)).toEqual(['error', 'warn']);
    expect(recoveries).toEqual(['recovered']);
  });

  it('explains() returns true only for a file system error on a disk that cannot be written', async ({
    stage: { dataDir, health, lines },
  }) => {
    expect(await health.explains(systemError('ENOSPC')), 'a disk that can be written').toBe(false);
    expect(lines).toEqual([]);
    await writeFile(path.join(dataDir, '../data-file'), 'x');
    await rm(dataDir, { recursive: true });
    await writeFile(dataDir, 'a file');
    expect(await health.explains(systemError('ECONNREFUSED'))).toBe(false);
    expect(health.state.isWritable, 'no try for an error of another kind').toBe(true);
    expect(await health.explains(new Error('outer', { cause: systemError('ENOTDIR') }))).toBe(true);
    expect(await health.explains(new Error('no error of the system'))).toBe(false);
  });

  it('a disk is not healthy if the user of the process has no permission', async ({
    stage: { folder, dataDir },
  }) => {
    await mkdir(dataDir);
    await chmod(folder, 0o755);
    await chmod(dataDir, 0o555);
    const script = `
      const { FolderHealth } = await import(process.argv[1]);
      const log = { error() {}, info() {}, warn() {} };
      const state = await new FolderHealth({ dataDir: process.argv[2], log }).probe();
      console.log(JSON.stringify([state.isWritable, state.error?.code, state.remedy]));
      process.exit();
    `;
    const source = path.resolve(import.meta.dirname, '../../server/cache/disk/disk-health.ts');
    const isRoot = process.getuid?.() === 0;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script, source, dataDir],
      { cwd: os.tmpdir(), ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}) },
    );
    expect(JSON.parse(stdout)).toEqual([false, 'EACCES', expect.stringMatching(/^give the folder/)]);
  });

  it('a disk is not healthy if the process cannot open more files, and the log entry names that limit', async ({
    stage: { dataDir },
  }) => {
    const script = `
      const { openSync } = await import('node:fs');
      const { FolderHealth } = await import(process.argv[1]);
      const log = { error: ({ err, remedy }) => console.log(JSON.stringify([err.code, remedy])), warn() {} };
      const health = new FolderHealth({ dataDir: process.argv[2], log });
      await health.probe();
      console.log('[]');
      let error;
      while (!error) try { openSync('/dev/null'); } catch (thrown) { error = thrown; }
      console.log(JSON.stringify([await health.explains(error)]));
      process.exit();
    `;
    const source = path.resolve(import.meta.dirname, '../../server/cache/disk/disk-health.ts');
    const command = [process.execPath, '--input-type=module', '-e', script, source, dataDir];
    const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...command]);
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines).toEqual([[], ['EMFILE', expect.stringContaining('limit of open files')], [true]]);
  });
});
