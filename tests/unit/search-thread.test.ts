import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { SearchThread, SearchThreadError } from '../../server/search/search-thread.ts';

const it = test.extend('dir', async ({}, { onCleanup }) => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'thread-'));
  onCleanup(() => rm(dir, { recursive: true }));
  return dir;
});

describe('the thread of the index', () => {
  it('each task of the index thread fails in a Node without SQLite, and the thread restarts after a pause', async ({
    dir,
  }) => {
    const worker = path.join(dir, 'worker.mjs');
    const starts = path.join(dir, 'starts');
    await writeFile(
      worker,
      `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(starts)}, 'x'); await import('node:no-sqlite');`,
    );
    const onRestart = vi.fn();
    const thread = new SearchThread({
      worker,
      file: path.join(dir, 'index.db'),
      onRestart,
      restartMs: 500,
    });
    const failing = () => expect(thread.run('state', 'pages')).rejects.toBeInstanceOf(SearchThreadError);
    await failing();
    // The next tasks do not start a new thread.
    for (let task = 0; task < 3; task += 1) await failing();
    expect((await readFile(starts)).length).toBe(1);
    await vi.waitFor(() => expect(onRestart).toHaveBeenCalledOnce(), { timeout: 5_000 });
    await failing();
    expect((await readFile(starts)).length).toBe(2);
    await thread.close();
    await expect(thread.run('state', 'pages')).rejects.toThrow('closed');
  });
});
