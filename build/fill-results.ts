// node build/fill-results.ts dist
//
// Serves the site until its parent process sends `write`. Then writes two caches: the compiled texts of the
// content, and V8's code cache.

import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  compileCache,
  NOTED_RESULTS,
  type NotedResult,
  RESULTS_FILE,
  resultsFile,
} from '../server/ops/process/built-results.ts';

const server = resolve(process.argv[2] ?? '', 'server');
const results: NotedResult[] = [];
subscribe(NOTED_RESULTS, result => results.push(result as NotedResult));
process.once('message', () => {
  writeFileSync(join(server, RESULTS_FILE), resultsFile(results));
  flushCompileCache();
  process.exit();
});
enableCompileCache(compileCache(server));
await import(pathToFileURL(join(server, 'site.js')).href);
