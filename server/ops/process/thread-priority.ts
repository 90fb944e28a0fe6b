import { readlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** A quarter of a busy core. With 10 it would be a tenth, and slow texts would miss their deadline. */
const NICE = 5;

/** Lets the main thread go first where both share a core. Only Linux has a priority for each thread. */
export function giveWayToMainThread(): void {
  if (isMainThread) return;
  try {
    const thread = Number(path.basename(readlinkSync('/proc/thread-self')));
    os.setPriority(thread, NICE);
  } catch {
    // The work of the thread does not need it.
  }
}
