import { readlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Beside a busy thread of normal priority a thread gets a quarter of a core. With 10 it would get a tenth, and slow texts would miss their page's deadline. */
const NICE = 5;

/**
 * Lets the main thread, for which visitors wait, go before the calling thread where both share a core. Only Linux has a priority for
 * each thread (sched(7)); on other systems nothing changes.
 */
export function giveWayToMainThread(): void {
  try {
    const thread = Number(path.basename(readlinkSync('/proc/thread-self')));
    os.setPriority(thread, NICE);
  } catch {
    // The work of the thread does not need it.
  }
}
