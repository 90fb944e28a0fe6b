import type { Worker } from 'node:worker_threads';
import { NamedError } from '../ops/named-error.ts';
import type { SearchTask, SearchTaskResult, SearchWork, WorkName } from './search-types.ts';

export class SearchThreadError extends NamedError {
  constructor(reason: string) {
    super(`the index of the search: ${reason}`);
  }
}

interface SearchThreadOptions {
  worker: string;
  file: string;
  /** Called when an ended thread may restart, because the index may lack entries. */
  onRestart: () => void;
  restartMs?: number | undefined;
}

/** The limit of the thread's heap. A hundred of the largest texts need a third of it. */
const MAX_HEAP_MB = 96;
const RESTART_MS = 5_000;

/** A thread that starts with the first task and does not keep the process running. */
export class SearchThread {
  readonly #options: SearchThreadOptions;
  readonly #open = new Map<number, PromiseWithResolvers<never>>();
  #worker: Worker | null = null;
  #failure: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #lastId = 0;

  constructor(options: SearchThreadOptions) {
    this.#options = options;
  }

  /** Runs tasks in order. Rejects with SearchThreadError. */
  async run<Name extends WorkName>(
    name: Name,
    ...values: Parameters<SearchWork[Name]>
  ): Promise<ReturnType<SearchWork[Name]>> {
    if (this.#isClosed) throw new SearchThreadError('it has been closed');
    if (this.#failure !== null) throw new SearchThreadError(this.#failure);
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    const done = Promise.withResolvers<never>();
    this.#open.set(id, done);
    this.#worker.postMessage({ id, name, values } satisfies SearchTask);
    return done.promise;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#worker) await this.run('close').catch(() => {});
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { worker, file } = this.#options;
    const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
    const started = new Thread(worker, {
      workerData: { file },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      // Silence the warning of node:sqlite on standard error.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    started.unref();
    started.on('message', (answer: SearchTaskResult) => {
      const task = this.#open.get(answer.id);
      this.#open.delete(answer.id);
      if ('error' in answer) task?.reject(new SearchThreadError(answer.error));
      // The cast is safe: the thread answers with the result of the function of that name.
      else task?.resolve(answer.result as never);
    });
    started.on('error', error => this.#ended(started, error.message));
    started.on('exit', code => this.#ended(started, `its thread has ended with ${code}`));
    return started;
  }

  #ended(from: Worker, reason: string): void {
    if (this.#worker !== from) return;
    this.#worker = null;
    for (const task of this.#open.values()) task.reject(new SearchThreadError(reason));
    this.#open.clear();
    if (this.#isClosed) return;
    const { onRestart, restartMs = RESTART_MS } = this.#options;
    this.#failure = reason;
    this.#timer = setTimeout(() => {
      this.#failure = null;
      onRestart();
    }, restartMs);
    this.#timer.unref();
  }
}
