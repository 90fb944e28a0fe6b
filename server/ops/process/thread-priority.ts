import { readlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** This niceness leaves a quarter of a busy core. 10 would leave a tenth, too little for slow texts. */
const NICE = 5;

/** Lowers this thread's priority below the main thread's. Only Linux has priorities for threads. */
export function giveWayToMainThread(): void {
  if (isMainThread) return;
  try {
    const thread = Number(path.basename(readlinkSync('/proc/thread-self')));
    os.setPriority(thread, NICE);
  } catch {
    // Continue without a priority, because the thread works without it.
  }
}
