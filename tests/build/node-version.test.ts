import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DIST_DIR } from '../support/start-site.ts';

/** Makes Node report an old version, and removes what Node 20 lacks. */
const AS_NODE_20 = `data:text/javascript,
Object.defineProperty(process, 'version', { value: 'v20.20.2' });
delete Promise.withResolvers;
delete Intl.Locale.prototype.getTextInfo;`;

it.for(['main', 'data', 'outbox', 'doctor'])('%s.js reports at once that Node is too old', program => {
  const file = path.join(DIST_DIR, `server/${program}.js`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', AS_NODE_20, file, 'list'], {
    encoding: 'utf8',
    env: {},
  });
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    'This program needs Node 24, and runs on v20.20.2: start it by `npm start` (`npm run data`, `npm run doctor`), or write `node_modules/.bin/node` in place of `node`\n',
  ]);
});
