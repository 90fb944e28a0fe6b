import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGE_MODULES } from '../../build/bundles/entries.ts';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');
const LIST = 'site/routes.ts';
/** The file in which the compiler checks the page and the loader of each route. */
const CHECKED_IN = 'server/loading/route-contents.ts';
const descriptionOf = (id: string) => `site/routes/${id}/${id}.route.ts`;
const loaderOf = (id: string) => `site/routes/${id}/${id}.load.server.ts`;

/** A copy of the sources, whose route table is changed and compiled. */
let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(path.join(os.tmpdir(), 'route-table-'));
  await Promise.all(
    ['server', 'client', 'shared', 'site', 'build', 'tsconfig.json'].map(name =>
      cp(path.join(ROOT, name), path.join(copy, name), { recursive: true }),
    ),
  );
  await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

type Change = readonly [file: string, text: string, replacement: string];

/** @returns the files of the copy that do not compile after the changes, which are undone. */
async function brokenBy(...changes: readonly Change[]): Promise<string[]> {
  const originals = new Map<string, string>();
  for (const [file, text, replacement] of changes) {
    const source = await readFile(path.join(copy, file), 'utf8');
    expect(source).toContain(text);
    if (!originals.has(file)) originals.set(file, source);
    await writeFile(path.join(copy, file), source.replace(text, replacement));
  }
  const errors = await run(path.join(ROOT, 'node_modules/.bin/tsc'), ['--pretty', 'false'], {
    cwd: copy,
  }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  for (const [file, source] of originals) await writeFile(path.join(copy, file), source);
  return [...new Set(Array.from(errors.matchAll(/^(.+?)\(\d+,\d+\): error TS/gm), ([, file = '']) => file))];
}

// Each compilation takes seconds, so one compilation covers several mistakes.
describe('the compiler refuses', () => {
  it('the compiler refuses a route without page or loader, with unknown middleware or layout', async () => {
    const row = "id: 'commerce',";
    const wrong = "id: 'example', middleware: ['no-such'], layout: 'no-such',";
    expect(await brokenBy([descriptionOf('commerce'), row, wrong])).toEqual(
      expect.arrayContaining([CHECKED_IN, 'site/middleware.ts', 'site/layouts.ts']),
    );
  });

  it('the compiler refuses a page or loader without a route, a renamed parameter, and unknown data', async () => {
    const files = await brokenBy(
      [LIST, '  commerce,\n', ''],
      [descriptionOf('blog-article'), "path: '/blog/:category/:slug'", "path: '/blog/:category/:article'"],
      [descriptionOf('blog-category'), 'category: Shown<Category>;', 'label: Shown<Category>;'],
    );
    expect(files).toEqual(
      expect.arrayContaining([
        CHECKED_IN,
        loaderOf('blog-article'),
        loaderOf('blog-category'),
        'site/routes/blog-category/blog-category.tsx',
      ]),
    );
  });
});

it('the build finds the chunk of each page by the module that its route imports', async () => {
  const manifest: BuildManifest = JSON.parse(await readFile(path.join(ROOT, 'dist/manifest.json'), 'utf8'));
  for (const [id, chunks] of Object.entries(manifest.routes)) {
    const module = PAGE_MODULES[id as keyof typeof PAGE_MODULES];
    expect(chunks[0], id).toContain(`/${path.basename(module, '.tsx')}-`);
  }
});
