import { promises } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeDurably } from '../../server/outbox/write-durably.ts';

const { open, rename } = promises;
let dir: string;
/** What was done to the disk, in its order: the calls go on to the real file system. */
let steps: string[];

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'durably-'));
  for (const folder of ['drafts', 'waiting']) await mkdir(path.join(dir, folder));
  steps = [];
  const nameOf = (file: unknown) => {
    const [folder, name] = path.relative(dir, String(file)).split(path.sep);
    return folder === 'drafts' && name ? 'draft' : path.join(folder ?? '', name ?? '');
  };
  Object.assign(promises, {
    async open(...args: Parameters<typeof open>) {
      const handle = await open(...args);
      const what = nameOf(args[0]);
      for (const name of ['writeFile', 'sync', 'close'] as const) {
        const call = handle[name].bind(handle) as (...args: unknown[]) => Promise<void>;
        Object.assign(handle, {
          [name]: (...rest: unknown[]) => {
            steps.push(`${name} ${what}`);
            return call(...rest);
          },
        });
      }
      return handle;
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

it('a file is synced before it has its name, and its name before anybody is told', async () => {
  const file = path.join(dir, 'waiting', 'a.json');
  await writeDurably(file, path.join(dir, 'drafts'), 'text');
  expect(steps).toEqual([
    'writeFile draft',
    'sync draft',
    'close draft',
    'rename draft to waiting/a.json',
    'sync waiting',
    'close waiting',
  ]);
  expect(await readFile(file, 'utf8')).toBe('text');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(path.join(dir, 'drafts'))).toEqual([]);
});

it('one that cannot have its name leaves nothing behind', async () => {
  const nowhere = path.join(dir, 'no such folder', 'a.json');
  await expect(writeDurably(nowhere, path.join(dir, 'drafts'), 'text')).rejects.toMatchObject({
    code: 'ENOENT',
  });
  expect(await readdir(path.join(dir, 'drafts'))).toEqual([]);
});
