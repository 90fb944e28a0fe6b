// The file `dist/server/main.js` of a production build: runs the bundle of `main.ts` with its code cache (decision 053).

import './ops/check-node.ts';
import path from 'node:path';
import { loadBundle } from './ops/code-cache.ts';

loadBundle(path.join(import.meta.dirname, 'site.js')).run();
