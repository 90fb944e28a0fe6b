// node FLAGS build/fill-code-cache.ts dist   serves the site until its parent says `write`, then writes the code that V8 has compiled meanwhile

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import v8 from 'node:v8';
import { codeCacheOf, loadBundle } from '../server/ops/code-cache.ts';

// V8 takes a cache of the same flags alone, so the server must not change them while it runs.
v8.setFlagsFromString = () => {};
const file = join(resolve(process.argv[2] ?? ''), 'server/site.js');
const bundle = loadBundle(file);
process.once('message', () => {
  writeFileSync(codeCacheOf(file), bundle.codeCache());
  process.exit();
});
bundle.run();
