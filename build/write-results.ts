import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { NODE_FLAGS } from '../server/ops/process/memory.ts';
import { pathTo } from '../shared/routing/routes.ts';
import { siteRoutes } from '../site/routes.ts';
import { contentDir, projectRoot } from './output-files.ts';

/** Rendering these pages produces the results. */
const PAGES = [pathTo(siteRoutes.home, {}), pathTo(siteRoutes.blog, {})];
const LIMIT_MS = 60_000;

/** Stores the results of compiling texts, which speeds up the first page (decision 097). */
export async function writeResults(dist: string, content = contentDir): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'results-'));
  const child = fork(join(projectRoot, 'build/fill-results.ts'), [resolve(dist)], {
    // V8 refuses code that was compiled under other flags.
    execArgv: [...NODE_FLAGS],
    env: { CONTENT_DIR: content, HOST: '127.0.0.1', PORT: '0', OPS_PORT: '0', DATA_DIR: dataDir },
    // Start in a folder without an `.env`.
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    timeout: LIMIT_MS,
  });
  const ended = once(child, 'exit');
  if (!child.stdout) throw new Error('The output of the site cannot be read');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes('"code":"start-listening"')) continue;
      const { port } = JSON.parse(line).site;
      for (const page of PAGES) await (await fetch(`http://127.0.0.1:${port}${page}`)).arrayBuffer();
      child.send('write');
    }
    const [code, signal] = await ended;
    if (code !== 0) throw new Error(`ended with ${signal ?? code}`);
  } catch (error) {
    console.warn(
      `The first page will come later, because the results of the build could not be written: ${error}`,
    );
  } finally {
    child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
}
