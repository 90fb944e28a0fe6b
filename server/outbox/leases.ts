import { randomUUID } from 'node:crypto';
import { lstat, lutimes, readlink, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { boundedMap } from '../ops/bounded-map.ts';

/** A lease expires after this time without renewal, in ms. */
const EXPIRES_AFTER_MS = 15_000;
const RENEWED_EVERY_MS = 4_000;
/** The age in ms from which a lease must have been left by a crash. */
export const LEASE_LIMIT_MS = 120_000;
const MAX_WATCHED = 10_000;

/** @returns false if the link exists; null if the disk refuses to create it. */
export async function link(target: string, file: string): Promise<boolean | null> {
  try {
    await symlink(target, file);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST' ? false : null;
  }
}

/**
 * The right to deliver a message, for processes that share one folder. A lease is a symbolic link,
 * created atomically with its owner as target. Owners have random ids, because containers repeat host names.
 * Another process takes over a lease that has not changed for EXPIRES_AFTER_MS.
 * @param dir the folder `outbox`. @param pace divides the times of leases, for tests.
 */
export function createLeases(dir: string, pace: number) {
  const expiresAfterMs = EXPIRES_AFTER_MS / pace;
  const clock = () => performance.now();
  const instance = randomUUID();
  const held = new Map<string, string>();
  const watched = boundedMap<{ state: string; seenAt: number }>(MAX_WATCHED);
  let count = 0;
  let renewals: NodeJS.Timeout | undefined;
  const fileOf = (id: string) => path.join(dir, 'leases', id);

  /** @returns the owner of an expired lease; '' for a removed lease; null for a valid one. */
  async function expiredOwner(id: string): Promise<string | null> {
    const [owner, stats] = await Promise.all([
      unlessMissing(readlink(fileOf(id))),
      unlessMissing(lstat(fileOf(id))),
    ]);
    if (owner === null || stats === null) return '';
    const state = `${owner} ${stats.mtimeMs}`;
    const before = watched.get(id);
    if (before?.state !== state) {
      watched.set(id, { state, seenAt: clock() });
      return null;
    }
    return clock() - before.seenAt >= expiresAfterMs ? owner : null;
  }

  /** Takes over a lease. Of several processes, only one can create the link named after the old owner. */
  async function takeOver(id: string, owner: string, target: string): Promise<boolean> {
    const claim = path.join(dir, 'leases', `${id}.after.${owner.replaceAll(/[^\w.-]/g, '-')}`);
    if ((await link(target, claim)) !== true) return false;
    if ((await unlessMissing(readlink(fileOf(id)))) === owner) {
      await rename(claim, fileOf(id));
      return true;
    }
    await rm(claim, { force: true });
    return false;
  }

  function keep(id: string, target: string): true {
    watched.delete(id);
    held.set(id, target);
    renewals ??= setInterval(renew, RENEWED_EVERY_MS / pace).unref();
    return true;
  }

  function renew(): void {
    const now = new Date();
    // A lease that cannot be renewed expires. The message is then delivered twice at worst.
    for (const id of held.keys()) void lutimes(fileOf(id), now, now).catch(() => {});
  }

  return {
    async acquire(id: string): Promise<boolean> {
      count += 1;
      const target = `${instance}.${count}`;
      const isCreated = await link(target, fileOf(id));
      // Deliver without a lease if the disk refuses the link: two deliveries are better than none.
      if (isCreated !== false) return isCreated ? keep(id, target) : true;
      const owner = await expiredOwner(id);
      if (owner === null) return false;
      if (owner === '') return (await link(target, fileOf(id))) === true && keep(id, target);
      return (await takeOver(id, owner, target)) && keep(id, target);
    },
    async release(id: string): Promise<void> {
      const target = held.get(id);
      held.delete(id);
      if (held.size === 0) {
        clearInterval(renewals);
        renewals = undefined;
      }
      // Leave the link if another process has taken the lease over.
      if (target !== undefined && (await unlessMissing(readlink(fileOf(id)))) === target)
        await rm(fileOf(id), { force: true });
    },
  };
}
