// node FLAGS build/fill-code-cache.ts dist   serves the site until its parent says `write`, then writes the code that V8 has compiled meanwhile,
// and what was made of the texts of the content

import { subscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import v8 from 'node:v8';
import { taskClockMemory } from '../server/content/rich-text/task-clock.ts';
import { NOTED_RESULTS, type NotedResult, RESULTS_FILE, resultsFile } from '../server/ops/built-results.ts';
import { codeCacheOf, loadBundle } from '../server/ops/code-cache.ts';
import { keepHeapSmall } from '../server/ops/memory.ts';
import { projectRoot } from './output-files.ts';

// V8 takes a cache of the same flags alone, so the server must not change them while it runs.
v8.setFlagsFromString = () => {};
const server = resolve(process.argv[2] ?? '', 'server');
const site = load('site.js');
const results: NotedResult[] = [];
subscribe(NOTED_RESULTS, result => results.push(result as NotedResult));
process.once('message', () => {
  site.write();
  writeFileSync(join(server, RESULTS_FILE), resultsFile(results));
  writeCompiler();
  process.exit();
});
site.bundle.run();

/** Compiles the articles of the sample content, as a thread does, which has the flags that the server sets. */
function writeCompiler(): void {
  keepHeapSmall();
  const { bundle, write } = load('compiler.js');
  const { default: compile } = bundle.run() as typeof import('../server/content/rich-text/compile-worker.ts');
  const folder = join(projectRoot, 'content/articles');
  for (const name of readdirSync(folder))
    compile({
      source: readFileSync(join(folder, name), 'utf8'),
      media: { contentBaseUrl: 'http://127.0.0.1', mediaOrigins: [] },
      maxSize: { nodes: Infinity, characters: Infinity },
      ...{ isJson: false, isPlain: false, plainBlocks: [], plainFrom: Infinity, clock: taskClockMemory() },
    });
  write();
}

function load(name: string) {
  const file = join(server, name);
  const bundle = loadBundle(file);
  return { bundle, write: () => writeFileSync(codeCacheOf(file), bundle.codeCache()) };
}
