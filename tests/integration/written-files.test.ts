import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { copyProject } from '../support/run-command.ts';

const BLOCK = `import { block } from '../../../shared/content/descriptions.ts';
import { text, title } from '../../components.ts';

export const promise = block('promise', { label: 'Promise', noun: 'a promise', fields: { title, text } });
`;
const WRITTEN = [
  'cms/src/api/landing/content-types/landing/schema.json',
  'cms/src/components/site/landing-position.json',
  'cms/src/components/site/promise-block.json',
  'cms/src/site/site-rules.js',
  'cms/src/site/types.json',
  'site/block-views.ts',
];

/** A copy of the project with a block that only the list of blocks contains. */
const it = test.extend('folder', async ({}, { onCleanup }) => {
  const copy = await copyProject(['cms/src', 'cms/site-rules.ts', 'docs']);
  onCleanup(() => copy.remove());
  const list = path.join(copy.folder, 'site/blocks.ts');
  const blocks = (await readFile(list, 'utf8'))
    .replace('\n\n/**', "\nimport { promise } from './blocks/promise/promise.block.ts';\n\n/**")
    .replace('  subscribe,\n', '  subscribe,\n  promise,\n');
  await writeFile(list, blocks);
  const own = path.join(copy.folder, 'site/blocks/promise');
  await mkdir(own);
  await writeFile(path.join(own, 'promise.block.ts'), BLOCK);
  return copy.folder;
});

const begin = (folder: string, env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, [path.join(folder, 'build/cms/write-schemas.ts')], {
    cwd: folder,
    env,
  });
const pathsIn = (output: string) => [...output.matchAll(/^ {2}(\S+)$/gm)].map(([, file]) => file).sort();

describe('the beginning of npm run check', () => {
  it('the beginning of a check writes all files generated from a new description, and lists them', async ({
    folder,
  }) => {
    expect(pathsIn((await begin(folder)).stdout)).toEqual(WRITTEN);
    const views = await readFile(path.join(folder, 'site/block-views.ts'), 'utf8');
    expect(views).toContain("import PromiseView from './blocks/promise/promise.tsx';");
    expect(views).toMatch(/^ {2}promise: PromiseView,$/m);
    const position = await readFile(path.join(folder, WRITTEN[1] ?? ''), 'utf8');
    expect(position).toContain('"promise"');
    expect((await begin(folder)).stdout, 'a second run').toBe('');
  });

  it('the beginning of a check fails in CI, and writes nothing', async ({ folder }) => {
    const failure = await begin(folder, { CI: 'true' }).catch(error => error);
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(pathsIn(failure.stderr)).toEqual(WRITTEN);
    await expect(readFile(path.join(folder, WRITTEN[2] ?? ''))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
