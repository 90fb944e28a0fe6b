import type { Worker } from 'node:worker_threads';
import type { SearchTask, SearchTaskResult } from './search-messages.ts';
import type { SearchWork, WorkName } from './search-types.ts';

/** The thread of the index cannot be started, has ended, or could not do a task. */
export class SearchThreadError extends Error {
  constructor(reason: string) {
    super(`the index of the search: ${reason}`);
    this.name = 'SearchThreadError';
  }
}

/** The index in a thread of its own. */
export interface SearchThread {
  /** Does a task, after those that were asked for before. Rejects with SearchThreadError. */
  run<Name extends WorkName>(
    name: Name,
    ...values: Parameters<SearchWork[Name]>
  ): Promise<ReturnType<SearchWork[Name]>>;
  /** Ends the thread after the tasks so far. */
  close(): Promise<void>;
}

export interface SearchThreadOptions {
  /** The worker's file in the build, `search-worker.js`. */
  worker: string;
  /** The file of the index. */
  file: string;
  /** Called when the thread has ended by itself and may start again: the index may have lost entries. */
  onRestart: () => void;
  restartMs?: number | undefined;
}

/** The bound of the thread's heap in MB. A hundred texts of the largest size take a third of it. */
const MAX_HEAP_MB = 96;
/** The pause after a thread that has ended by itself, in ms. */
const RESTART_MS = 5_000;

/** @returns the index, whose thread starts with the first task. The thread does not keep the process running. */
export function createSearchThread({
  worker: entry,
  file,
  onRestart,
  restartMs = RESTART_MS,
}: SearchThreadOptions): SearchThread {
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let worker: Worker | null = null;
  /** Why no thread starts now; null where one may. */
  let failure: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let lastId = 0;

  function start(): Worker {
    const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
    const started = new Thread(entry, {
      workerData: { file },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      // node:sqlite would write a line to standard error.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    started.unref();
    started.on('message', (answer: SearchTaskResult) => {
      const task = open.get(answer.id);
      open.delete(answer.id);
      if ('error' in answer) task?.reject(new SearchThreadError(answer.error));
      else task?.resolve(answer.result);
    });
    started.on('error', error => ended(started, error.message));
    started.on('exit', code => ended(started, `its thread has ended with ${code}`));
    return started;
  }

  function ended(from: Worker, reason: string): void {
    if (worker !== from) return;
    worker = null;
    for (const task of open.values()) task.reject(new SearchThreadError(reason));
    open.clear();
    if (isClosed) return;
    failure = reason;
    timer = setTimeout(() => {
      failure = null;
      onRestart();
    }, restartMs);
    timer.unref();
  }

  async function run(name: WorkName, values: readonly unknown[]): Promise<unknown> {
    if (isClosed) throw new SearchThreadError('it has been closed');
    if (failure !== null) throw new SearchThreadError(failure);
    worker ??= start();
    lastId += 1;
    const id = lastId;
    const done = Promise.withResolvers<unknown>();
    open.set(id, done);
    worker.postMessage({ id, name, values } satisfies SearchTask);
    return done.promise;
  }

  return {
    // The thread answers with what the function of that name returns.
    run: (name, ...values) => run(name, values) as Promise<never>,
    async close() {
      clearTimeout(timer);
      if (worker) await run('close', []).catch(() => {});
      isClosed = true;
      await worker?.terminate();
    },
  };
}
