import { spawnSync } from 'node:child_process';
import path from 'node:path';

/**
 * `npm run test:cms`: runs the tests with the CMS. `--full` adds those of `tests/cms/full`. Other arguments
 * go to Vitest, such as a file.
 */
const full = process.argv.includes('--full');
const args = process.argv.slice(2).filter(arg => arg !== '--full');
const vitest = path.resolve(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', 'vitest.cms.config.ts', ...args], {
  stdio: 'inherit',
  env: { ...process.env, ...(full ? { TESTS_IN_FULL: '1' } : {}) },
});
process.exitCode = status ?? 1;
