import { readlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** The nice value of a thread that gives way: it gets a quarter of a core that another thread keeps busy. With 10 it would get a tenth, and a slow text would miss the deadline of its page. */
const NICE = 5;

/**
 * Lets the main thread, for which visitors wait, go before the calling thread where both share a core. Only Linux has a priority for
 * each thread (sched(7)); on other systems nothing changes. Called by the main thread, it does nothing: a process without privileges could
 * not raise the priority again.
 */
export function giveWayToMainThread(): void {
  if (isMainThread) return;
  try {
    const thread = Number(path.basename(readlinkSync('/proc/thread-self')));
    os.setPriority(thread, NICE);
  } catch {
    // The work of the thread does not need it.
  }
}
