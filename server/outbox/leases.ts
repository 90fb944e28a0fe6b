import { randomUUID } from 'node:crypto';
import { lstat, lutimes, readlink, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../cache/missing-file.ts';
import { boundedMap } from '../ops/bounded-map.ts';

/** A lease that its owner has not renewed for this time has expired, in ms. */
const EXPIRES_AFTER_MS = 15_000;
const RENEWED_EVERY_MS = 4_000;
/** Age in ms at which the file of a lease counts as left by a crash. */
export const LEASE_LIMIT_MS = 120_000;
/** Most leases of other processes that are watched. */
const MAX_WATCHED = 10_000;

/**
 * Leases: the right to deliver a message, for processes that share one folder. A lease is a symbolic link whose target is not a file but
 * the name of its owner. The system creates a link with its target in one step, and for one process alone. A regular file
 * would stay empty if its process were killed between creating and writing it.
 *
 * An owner is a random id. The names of hosts and processes repeat: each container may have the host name `site` and the process 1. The owner
 * renews its lease, and another process takes over a lease that it has seen unchanged for EXPIRES_AFTER_MS by a clock that never jumps.
 */
export interface Leases {
  /** @returns whether this process may deliver the message now. */
  acquire(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
}

/** Creates a symbolic link. @returns false for one that exists; null where the disk refuses it. */
export async function link(target: string, file: string): Promise<boolean | null> {
  try {
    await symlink(target, file);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST' ? false : null;
  }
}

/** A lease of another process. */
interface Watched {
  /** The target of the link, and the time of its last renewal. */
  state: string;
  seenAt: number;
}

/**
 * @param dir the folder `outbox`.
 * @param pace the number by which the times of leases are divided.
 */
export function createLeases(dir: string, pace: number): Leases {
  const expiresAfterMs = EXPIRES_AFTER_MS / pace;
  const clock = () => performance.now();
  const instance = randomUUID();
  /** The targets of the leases that this process holds, by message. */
  const held = new Map<string, string>();
  const watched = boundedMap<Watched>(MAX_WATCHED);
  let count = 0;
  let renewals: NodeJS.Timeout | undefined;
  const fileOf = (id: string) => path.join(dir, 'leases', id);

  /** @returns the owner of a lease that has not been renewed for EXPIRES_AFTER_MS; '' for a lease that is gone; null for a valid one. */
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

  /** Replaces an expired lease. Of several processes that try, the first to create the link that is named after the old owner succeeds. */
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
    async acquire(id) {
      count += 1;
      const target = `${instance}.${count}`;
      const isCreated = await link(target, fileOf(id));
      // The disk is full or has no symbolic links. Deliver without a lease: a second delivery is better than none.
      if (isCreated !== false) return isCreated ? keep(id, target) : true;
      const owner = await expiredOwner(id);
      if (owner === null) return false;
      if (owner === '') return (await link(target, fileOf(id))) === true && keep(id, target);
      return (await takeOver(id, owner, target)) && keep(id, target);
    },
    async release(id) {
      const target = held.get(id);
      held.delete(id);
      if (held.size === 0) {
        clearInterval(renewals);
        renewals = undefined;
      }
      // Another process may have taken the lease over.
      if (target !== undefined && (await unlessMissing(readlink(fileOf(id)))) === target)
        await rm(fileOf(id), { force: true });
    },
  };
}
