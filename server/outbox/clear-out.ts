import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../cache/missing-file.ts';
import { CLAIM_LIMIT_MS } from './claims.ts';
import type { OutboxFiles } from './outbox-files.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A delivery is remembered for so long, and so many of them at the most: a post that is repeated comes soon. */
const REMEMBERED_MS = DAY_MS;
export const MAX_REMEMBERED = 20_000;
/** A draft of this age is what a crash has left, in ms. */
const DRAFT_LIMIT_MS = 10 * 60 * 1_000;

/**
 * Erases what has had its time: dead letters, drafts and claims of processes that are gone, marks of deliveries.
 *
 * @returns the number of dead letters erased.
 */
export async function clearOut(files: OutboxFiles, deadLetterDays: number, now: number): Promise<number> {
  await eraseOld(path.join(files.dir, 'drafts'), now - DRAFT_LIMIT_MS);
  await eraseOld(path.join(files.dir, 'claims'), now - CLAIM_LIMIT_MS);
  await eraseOld(path.join(files.dir, 'delivered'), now - REMEMBERED_MS, MAX_REMEMBERED);
  const dead = await files.list('dead');
  const over = dead.filter(({ since }) => now - since > deadLetterDays * DAY_MS);
  for (const { id } of over) await files.erase('dead', id);
  return over.length;
}

/** Erases files from before a time, and the oldest of those that are too many. */
async function eraseOld(folder: string, before: number, most = Number.POSITIVE_INFINITY): Promise<void> {
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async name => {
      const file = path.join(folder, name);
      const stats = await unlessMissing(lstat(file));
      return { file, time: stats?.mtimeMs ?? 0 };
    }),
  );
  const newestFirst = files.sort((a, b) => b.time - a.time);
  const over = newestFirst.filter(({ time }, index) => time < before || index >= most);
  for (const { file } of over) await rm(file, { force: true });
}
