import { rm } from 'node:fs/promises';
import path from 'node:path';
import { listFiles } from '../cache/list-files.ts';
import { LEASE_LIMIT_MS } from './leases.ts';
import type { OutboxFiles } from './outbox-files.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long a delivery and the place of a recipient are remembered, in ms. A repeated form post comes soon after the first. */
const REMEMBERED_MS = DAY_MS;
/** Most deliveries that are remembered. */
export const MAX_REMEMBERED = 20_000;
/** Age in ms at which a draft counts as left by a crash. */
const DRAFT_LIMIT_MS = 10 * 60 * 1_000;

/**
 * Removes expired files: dead letters, old drafts and leases, marks of deliveries, and places of recipients.
 *
 * @returns the number of dead letters removed.
 */
export async function removeExpired(
  files: OutboxFiles,
  deadLetterDays: number,
  now: number,
): Promise<number> {
  await removeOld(path.join(files.dir, 'drafts'), now - DRAFT_LIMIT_MS);
  await removeOld(path.join(files.dir, 'leases'), now - LEASE_LIMIT_MS);
  await removeOld(path.join(files.dir, 'delivered'), now - REMEMBERED_MS, MAX_REMEMBERED);
  await removeOld(path.join(files.dir, 'recipients'), now - REMEMBERED_MS);
  const deadLetters = await files.list('dead');
  const expired = deadLetters.filter(({ since }) => now - since > deadLetterDays * DAY_MS);
  for (const { id } of expired) await files.remove('dead', id);
  return expired.length;
}

/** Removes the files that are older than a time, and the oldest of the others until at most `max` are left. */
async function removeOld(folder: string, before: number, max = Number.POSITIVE_INFINITY): Promise<void> {
  const files: { file: string; time: number }[] = [];
  for await (const batch of listFiles(folder))
    for (const { name, stats } of batch) files.push({ file: path.join(folder, name), time: stats.mtimeMs });
  const newestFirst = files.sort((a, b) => b.time - a.time);
  const expired = newestFirst.filter(({ time }, index) => time < before || index >= max);
  for (const { file } of expired) await rm(file, { force: true });
}
