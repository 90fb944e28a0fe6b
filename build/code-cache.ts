import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_FLAGS } from './node-flags.ts';
import { type OutputFile, projectRoot } from './output-files.ts';

/** The site is started, and asked for these pages of the sample content, so that V8 compiles what a first page needs. */
const PAGES = ['/', '/blog', '/_payload.json', '/'];
const LIMIT_MS = 60_000;

/** The bundles that have a code cache. */
const CACHED = ['server/site.js', 'server/compiler.js'];

/** @returns whether a file of the build is a bundle with a code cache. */
export function isCached(path: string): boolean {
  return CACHED.includes(path);
}

/** @returns a CommonJS bundle as the function that `loadBundle` calls. Its lines stay where they are, for the source map. */
export function asFunction({ path, contents }: OutputFile): OutputFile {
  const begin = Buffer.from('(function (require, module, exports, __filename, __dirname) {');
  return { path, contents: Buffer.concat([begin, contents, Buffer.from('})')]) };
}

/**
 * Writes the code caches of a production build: the code of all functions that run between the start of the process and its first pages
 * (`server/ops/code-cache.ts`). Without them the site works, and starts later.
 *
 * @param dist the folder of the build, beside the sample content.
 */
export async function writeCodeCache(dist: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'code-cache-'));
  const child = fork(join(projectRoot, 'build/fill-code-cache.ts'), [dist], {
    execArgv: [...NODE_FLAGS],
    env: { CONTENT: 'embedded', HOST: '127.0.0.1', PORT: '0', OPS_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  try {
    const url = await listening(child);
    for (const page of PAGES) await (await fetch(url + page)).arrayBuffer();
    child.send('write');
    const [code, signal] = await once(child, 'exit');
    if (code !== 0) throw new Error(`ended with ${signal ?? code}`);
  } catch (error) {
    console.warn(
      `The site will start a tenth of a second later, because its code caches could not be written: ${error instanceof Error ? error.message : error}`,
    );
  } finally {
    clearTimeout(limit);
    child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** @throws Error with the output of a server that does not listen. */
async function listening(child: ChildProcess): Promise<string> {
  let output = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const read = (chunk: Buffer) => {
    output += chunk;
    const lines = output.split('\n').slice(0, -1);
    const line = lines.find(text => text.includes('"msg":"listening"'));
    if (line !== undefined) resolve(`http://127.0.0.1:${JSON.parse(line).site.port}`);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  child.once('error', reject);
  child.once('exit', () => reject(new Error(output)));
  return promise;
}
