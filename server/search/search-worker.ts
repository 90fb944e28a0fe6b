import { parentPort, workerData } from 'node:worker_threads';
import { giveWayToMainThread } from '../ops/thread-priority.ts';
import { openDatabase } from './search-database.ts';
import { createSearchIndex } from './search-index.ts';
import type { SearchTask, SearchTaskResult } from './search-messages.ts';
import type { SearchWork } from './search-types.ts';

// The thread of the index: `search-thread.ts` starts it and sends its tasks.
giveWayToMainThread();
const work = createSearchIndex(openDatabase((workerData as { file: string }).file));

parentPort?.on('message', ({ id, name, values }: SearchTask) => {
  try {
    // The main thread has checked the arguments against the name.
    const result = (work[name] as (...values: unknown[]) => ReturnType<SearchWork[typeof name]>)(...values);
    answer({ id, result });
  } catch (error) {
    answer({ id, error: error instanceof Error ? error.message : String(error) });
  }
});

function answer(result: SearchTaskResult): void {
  parentPort?.postMessage(result);
}
