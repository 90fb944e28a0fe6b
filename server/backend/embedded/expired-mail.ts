import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../../cache/missing-file.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const SWEEP_EVERY_MS = 60 * 60 * 1_000;
/** Time between two sweeps, in ms, beyond which the clock may have jumped. */
const LONGEST_GAP_MS = 7 * DAY_MS;
/** How long the process must have run until it believes a clock that may have jumped, in ms. */
const DOUBT_MS = DAY_MS;
/** A file beside the messages. Its time is that of the last sweep. */
const LAST_SWEEP = '.last-sweep';

/**
 * Removes messages when they are older than a number of days, now and each hour.
 *
 * @param onError called when the folder cannot be read or written. The next sweep tries again.
 * @returns a function that ends it.
 */
export function removeExpiredMail(
  mailDir: string,
  days: number,
  onError: (error: unknown) => void,
): () => void {
  const startedAt = performance.now();
  const sweep = () =>
    void sweepMail(mailDir, days, { now: Date.now(), upMs: performance.now() - startedAt }).catch(onError);
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  sweep();
  return () => clearInterval(timer);
}

/**
 * Removes the messages that are older than `days`. After a gap that a jump of the clock explains as well as a long rest of the site, nothing is removed
 * until the process has run for a day: a wrong clock is usually noticed by then.
 *
 * @param time `now` in ms since the epoch, and `upMs`, the time since the start of the process on a clock that never jumps.
 * @returns the number of messages removed.
 */
export async function sweepMail(
  mailDir: string,
  days: number,
  { now, upMs }: { now: number; upMs: number },
): Promise<number> {
  const names = await unlessMissing(readdir(mailDir));
  // No message has been received yet.
  if (names === null) return 0;
  const marker = path.join(mailDir, LAST_SWEEP);
  const last = await unlessMissing(lstat(marker));
  if (last && now - last.mtimeMs > LONGEST_GAP_MS && upMs < DOUBT_MS) return 0;
  let removed = 0;
  // One after the other, so that a folder of many messages does not keep other work waiting.
  for (const name of last ? names : []) {
    const file = path.join(mailDir, name);
    const stats = name.endsWith('.json') ? await unlessMissing(lstat(file)) : null;
    if (stats === null || now - stats.mtimeMs <= days * DAY_MS) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  await writeFile(marker, '');
  return removed;
}
