// The file `dist/server/compile-worker.js` of a production build: runs the bundle of `compile-worker.ts` with its code cache.

import path from 'node:path';
import { loadBundle } from '../../ops/code-cache.ts';

const compiler = loadBundle(path.join(import.meta.dirname, 'compiler.js')).run();
/** The bundle has the same exports as the module that it was made of. */
export default (compiler as typeof import('./compile-worker.ts')).default;
