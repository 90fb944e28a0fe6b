import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NODE_FLAGS } from '../../server/ops/process/memory.ts';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8');

let backend: FakeBackend;
let site: BuiltSite;

beforeAll(async () => {
  backend = await startFakeBackend();
  site = await startBuiltSite({ contentBaseUrl: backend.url, nodeArguments: ['--stack-trace-limit=33'] });
});
afterAll(async () => {
  await site.dispose();
  await backend.close();
});

it('the built server fixes the size of V8’s young generation without flags', async () => {
  await eventually(async () => {
    const metrics = await (await fetch(`${site.opsUrl}/metrics`)).text();
    const [, bytes] = /^nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)$/m.exec(metrics) ?? [];
    // Half of the 16 MiB is in use. V8 reports the other half only where it is committed.
    expect([8_388_608, 16_777_216]).toContain(Number(bytes));
  });
});

it('the built server runs in the started process, with its own flags and the operator’s', ({ skip }) => {
  skip(!existsSync('/proc/self/cmdline'), 'This system has no /proc');
  const ofProcess = (file: string) => readFileSync(`/proc/${site.pid}/${file}`, 'utf8').split('\0');
  expect(ofProcess('cmdline').slice(1, -2)).toEqual([...NODE_FLAGS, '--stack-trace-limit=33']);
  expect(ofProcess('environ')).toContain('MALLOC_ARENA_MAX=2');
});

it('the built server takes the compiled code of its bundle from the build', async () => {
  const traced = await startBuiltSite({
    contentBaseUrl: backend.url,
    env: { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
  });
  await traced.end('SIGTERM');
  expect(traced.errors()).toMatch(/code cache for ESM \S+\/dist\/server\/site\.js was accepted/);
  await traced.dispose();
});

it('the image is built by the user who runs it, because each user has a compile cache', () => {
  const users = Array.from(read('Dockerfile').matchAll(/^USER (\S+)/gm), ([, user]) => user);
  expect(users).toEqual(['node', 'node']);
});

it('npm start and the image name no flags', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(scripts.start).toBe('node build/start.ts');
  expect(read('Dockerfile')).toMatch(/^CMD \["node", "dist\/server\/main\.js"\]$/m);
});

it('only the image sets NODE_ENV=production, so only the image requires a backend', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(read('Dockerfile')).toMatch(/^ENV NODE_ENV=production /m);
  expect([scripts.start, read('build/start.ts')].join()).not.toContain('NODE_ENV');
});
