import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import { copyProject, type ProjectCopy } from '../support/run-command.ts';

const COPIED = [
  ...['tools', 'tests', 'deploy', 'docs', '.gitignore', 'biome.json', 'vitest.config.ts'],
  ...['cms/package.json', 'cms/src', 'cms/tools', 'cms/site-rules.ts', 'content/README.md'],
];
/** Tests that `CONTRIBUTING.md` names. */
const TESTS = [
  'unit/content-types',
  'unit/samples',
  'unit/cms-schemas',
  'integration/read-by',
  'integration/routes',
];

let project: ProjectCopy;
const node = (script: string, ...values: readonly string[]) =>
  promisify(execFile)(process.execPath, [script, ...values], {
    cwd: project.folder,
    env: { ...process.env, CI: '', CONTENT_BASE_URL: '' },
  });
/** Runs a command that may fail, and returns all that it prints. */
const outputOf = (script: string, ...values: readonly string[]) =>
  node(`node_modules/${script}`, ...values).then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
const make = (...values: readonly string[]) => node('tools/new/new.ts', ...values);
const read = (file: string) => readFile(path.join(project.folder, file), 'utf8');

beforeAll(async () => {
  project = await copyProject(COPIED);
});
afterAll(() => project.remove());

describe('npm run new', () => {
  it.each([
    [[], /^Say block, type or route, and a name/],
    [['part', 'promise'], /^Say block, type or route/],
    [['block', 'Promise'], /^'Promise' is no name: use small letters/],
    [['block', '../promise'], /is no name/],
    [['block', 'two', 'words'], /^'two words' is no name/],
    [['block', 'partners'], /^site\/blocks\/partners\/partners\.block\.ts exists: choose another name/],
    [['block', 'class'], /^'class' is a word of JavaScript: choose another name/],
    [['block', 'title'], /^'title' is a name in the code/],
    [['type', 'question'], /^The CMS has a model 'question'/],
    [['type', 'contact'], /^tests\/fixture\/content\/pages\/contacts\.md exists/],
    [['route', 'healthz'], /^The site answers \/healthz itself/],
  ])('npm run new refuses %j, and makes no file', async (values, message) => {
    const before = await readdir(path.join(project.folder, 'site'), { recursive: true });
    await expect(make(...values)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    expect(await readdir(path.join(project.folder, 'site'), { recursive: true })).toEqual(before);
  });

  it(
    'npm run new makes a block, a content type and a route that pass compiler, linter and tests',
    async () => {
      const { stdout } = await make('block', 'promise');
      expect(stdout).toContain('  site/blocks/promise/promise.tsx\n');
      expect(stdout).toContain('Changed: site/blocks.ts, site/words/panel-de.ts\n');
      expect((await make('type', 'case-study')).stdout).toContain(
        '  tests/fixture/content/case-studies/first.md\n',
      );
      await make('route', 'price-list');
      expect(await read('site/blocks.ts')).toMatch(/^ {2}promise,\n\] as const;/m);
      expect(await read('content/README.md')).toContain('| `case-studies/*.md` | case study |');

      await node('build/cms/write-schemas.ts');
      expect(await outputOf('typescript/bin/tsc')).toBe('');
      const style = ['ci', '--error-on-warnings', '.'];
      expect(await outputOf('@biomejs/biome/bin/biome', ...style)).toBe('');
      await node('esbuild.config.mjs');
      const files = TESTS.map(name => `tests/${name}.test.ts`);
      expect(await outputOf('vitest/vitest.mjs', 'run', ...files)).toBe('');
    },
    patient(180_000),
  );
});
