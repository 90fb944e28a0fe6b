// node build/ensure-built.mjs doctor
//
// Builds the site before `npm run doctor` and `npm run data` if dist/ lacks the program. An outdated
// program stays, because a site may be running from dist/. This file runs on the machine's Node, before
// node_modules exists, like `ensure-installed.mjs`.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const STDERR = 2;

if (!existsSync(join(root, 'dist', 'server', `${process.argv[2]}.js`))) {
  await import('./ensure-installed.mjs');
  // Print to standard error, because the command's own output may be JSON.
  console.error('The site is not built yet: building it …');
  // Use the `node` of the packages, which npm has put first on the path.
  const { status } = spawnSync('node', ['esbuild.config.mjs'], {
    cwd: root,
    stdio: ['ignore', STDERR, STDERR],
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}
