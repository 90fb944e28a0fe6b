import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NODE_FLAGS } from '../../build/node-flags.ts';
import { startBuiltSite } from '../faults/built-site.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { DIST_DIR } from '../support/start-site.ts';

const OPS = path.resolve(import.meta.dirname, '../../server/ops');

let folder: string;
let backend: FakeBackend;
/** A copy of the bundle, in a folder with everything else of the build. */
let site: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'code-cache-test-'));
  for (const name of ['client', 'manifest.json'])
    await symlink(path.join(DIST_DIR, name), path.join(folder, name));
  await cp(path.join(DIST_DIR, 'server'), path.join(folder, 'server'), { recursive: true });
  site = path.join(folder, 'server/site.js');
  backend = await startFakeBackend();
});
afterAll(async () => {
  await backend.close();
  await rm(folder, { recursive: true, force: true });
});

/** @returns whether Node takes the code of a bundle from its cache. `before` is run before the bundle is loaded. */
async function isCached(flags: readonly string[] = NODE_FLAGS, file = site, before = ''): Promise<boolean> {
  const program = `import { loadBundle } from ${JSON.stringify(path.join(OPS, 'code-cache.ts'))};
    ${before}; console.log(loadBundle(${JSON.stringify(file)}).isCached)`;
  const node = [...flags, '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, node);
  return JSON.parse(stdout);
}

it('V8 takes the code of the built server from its cache', async () => {
  expect(await isCached()).toBe(true);
});

it('V8 takes the code of the threads that compile from its cache, with the flags that the server has set before', async () => {
  const before = `(await import(${JSON.stringify(path.join(OPS, 'memory.ts'))})).keepHeapSmall()`;
  const file = path.join(DIST_DIR, 'server/compiler.js');
  expect([await isCached(NODE_FLAGS, file, before), await isCached(NODE_FLAGS, file)]).toEqual([true, false]);
});

it('a container may bound the memory of the process without losing the cache', async () => {
  expect(await isCached([...NODE_FLAGS, '--max-old-space-size=300'])).toBe(true);
});

it('a server whose code cache is of other flags, of another bundle, broken or missing starts without it', async () => {
  expect(await isCached([...NODE_FLAGS, '--no-lazy'])).toBe(false);
  const source = await readFile(site, 'latin1');
  await writeFile(site, source.replace('"content loaded"', '"content LOADED"'), 'latin1');
  expect(await isCached()).toBe(false);
  const changed = await startBuiltSite({
    contentBaseUrl: backend.url,
    main: path.join(folder, 'server/main.js'),
  });
  expect((await fetch(changed.url)).status).toBe(200);
  expect(changed.lines().map(({ msg }) => msg)).toContain('content LOADED');
  await changed.dispose();

  await writeFile(site, source, 'latin1');
  const code = await readFile(`${site}.code`);
  for (const byte of [100, 5_000, 1_000_000]) code[byte] = 255 - (code[byte] ?? 0);
  await writeFile(`${site}.code`, code);
  expect(await isCached()).toBe(false);
  await writeFile(`${site}.code`, code.subarray(0, 3));
  expect(await isCached()).toBe(false);
  await rm(`${site}.code`);
  expect(await isCached()).toBe(false);
});
