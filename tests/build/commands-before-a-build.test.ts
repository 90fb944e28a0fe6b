import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { close, listen } from '../support/listen.ts';
import { copyProject } from '../support/run-command.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Replaces the build, which takes many seconds. */
const BUILD = `const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync('dist/server', { recursive: true });
writeFileSync('dist/server/doctor.js', "console.log('examined', process.argv.slice(2).join(' '));");
console.log('Built.');`;

const run = (file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env) =>
  promisify(execFile)(file, args, { cwd, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  );

test('npm run doctor builds a missing build silently, and prints only its findings', async ({
  onTestFinished,
}) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'unbuilt-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, 'build'));
  for (const file of [
    'package.json',
    'package-lock.json',
    'build/ensure-built.mjs',
    'build/ensure-installed.mjs',
  ])
    await copyFile(path.join(ROOT, file), path.join(folder, file));
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(
    path.join(folder, 'esbuild.config.mjs'),
    `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${BUILD}`,
  );
  const first = await run('npm', ['run', '-s', 'doctor', '--', '--json'], folder);
  expect(first).toEqual({
    code: 0,
    stdout: 'examined --json\n',
    stderr: 'The site is not built yet: building it …\nBuilt.\n',
  });
  expect(await run('npm', ['run', '-s', 'doctor'], folder)).toEqual({
    code: 0,
    stdout: 'examined \n',
    stderr: '',
  });
});

test('npm run cms reports a port in use before it installs or starts anything', async ({
  onTestFinished,
}) => {
  const other = createServer((_req, res) => res.end());
  onTestFinished(() => close(other));
  const { port } = new URL(await listen(other));
  const { folder, remove } = await copyProject();
  onTestFinished(remove);
  const { code, stdout, stderr } = await run(process.execPath, ['build/cms/start.ts'], folder, {
    ...process.env,
    CMS_PORT: port,
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `Another program has port ${port} of this machine, perhaps a CMS that runs already. End it, or set CMS_PORT to another port: CMS_PORT=${Number(port) + 1} npm run cms\n`,
  );
});
