import { parentPort, workerData } from 'node:worker_threads';
import { giveWayToMainThread } from '../../ops/process/thread-priority.ts';
import type { SearchTask, SearchTaskResult, SearchWork } from '../search-types.ts';
import { isDamaged, openDatabase, removeDatabase } from './search-database.ts';
import { SearchIndex } from './search-index.ts';

// The thread of the index. `search-thread.ts` starts it and sends tasks.
giveWayToMainThread();
const { file } = workerData as { file: string };
const db = openDatabase(file);
const work = removingDamaged(() => new SearchIndex(db));

parentPort?.on('message', ({ id, name, values }: SearchTask) => {
  try {
    // The cast is safe: the main thread has checked the arguments for this name.
    const task = work[name] as (
      this: SearchWork,
      ...values: unknown[]
    ) => ReturnType<SearchWork[typeof name]>;
    answer({ id, result: removingDamaged(() => task.apply(work, [...values])) });
  } catch (error) {
    // End the thread, so that the next one replaces the file.
    if (isDamaged(error)) throw error;
    answer({ id, error: error instanceof Error ? error.message : String(error) });
  }
});

function removingDamaged<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isDamaged(error)) {
      db.close();
      removeDatabase(file);
    }
    throw error;
  }
}

function answer(result: SearchTaskResult): void {
  parentPort?.postMessage(result);
}
