import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serverBundle } from '../../build/bundles.ts';
import { LATE_PACKAGES } from '../../build/late-packages.ts';
import { projectRoot } from '../../build/output-files.ts';

const require = createRequire(import.meta.url);
const names = Object.keys(LATE_PACKAGES);

interface Fixture {
  createApp(): RequestListener;
  packages: Record<string, Record<string, unknown>>;
  latePackages(): Set<() => unknown>;
}

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'late-packages-'));
  file = path.join(folder, 'fixture.js');
  const { entryPoints: _none, outdir: _also, ...bundle } = serverBundle('production');
  await build({
    ...bundle,
    sourcemap: false,
    write: true,
    outfile: file,
    stdin: {
      resolveDir: projectRoot,
      contents: `
        const express = require('express');
        exports.packages = { ${names.map(name => `'${name}': require('${name}')`).join(', ')} };
        Object.assign(exports, require('./server/ops/late-packages.ts'));
        exports.createApp = () => express()
          .use(exports.packages.compression({ threshold: 0 }))
          .post('/', express.json(), (req, res) => res.type('txt').send(req.body.text));`,
    },
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @returns the fixture as a process that has just started has it. */
function started(): Fixture {
  delete require.cache[file];
  return require(file);
}

it('packages that no first page needs are loaded by the first request that needs them', async () => {
  const { createApp, packages, latePackages } = started();
  expect(latePackages().size).toBe(names.length);
  const server = createServer(createApp()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(latePackages().size).toBe(names.length);
  try {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' },
      body: JSON.stringify({ text: 'words '.repeat(100) }),
    });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(await answer.text()).toBe('words '.repeat(100));
  } finally {
    server.close();
  }
  expect(packages.yaml?.parse).toBeTypeOf('function');
  // compression, body-parser and mime-types are loaded.
  expect(latePackages().size).toBe(names.length - 3);
});

it('all of them can be loaded behind the start', () => {
  const { packages, latePackages } = started();
  for (const load of latePackages()) load();
  expect(latePackages().size).toBe(0);
  const { lookup } = packages['mime-types'] as { lookup(name: string): string };
  expect(lookup('a.png')).toBe('image/png');
});

it('a late package has all exports of the real one', () => {
  const { packages } = started();
  for (const name of names) {
    const real: Record<string, unknown> = require(name);
    const { functions = [], steps = [] } = LATE_PACKAGES[name] ?? {};
    for (const key of [...functions, ...steps])
      if (key !== 'default') expect(real[key], `${name}.${key}`).toBeTypeOf('function');
    expect(typeof packages[name], name).toBe(steps.includes('default') ? typeof real : 'object');
    for (const key of Object.keys(real))
      expect(typeof packages[name]?.[key], `${name}.${key}`).toBe(typeof real[key]);
  }
});
