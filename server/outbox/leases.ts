import { lstat, readlink, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unlessMissing } from '../cache/missing-file.ts';

/** Age in ms at which a lease has expired. Every delivery ends sooner. */
export const LEASE_LIMIT_MS = 120_000;

/**
 * Leases: the right to deliver a message, for processes that share one folder. A lease is a symbolic link whose target is not a file but
 * the name of its process. The system creates a link with its target in one step, and for one process alone. A regular file
 * would stay empty if its process were killed between creating and writing it.
 */
export interface Leases {
  /** @returns whether this process may deliver the message now. */
  acquire(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
}

/** @param dir the folder `outbox`. */
export function createLeases(dir: string): Leases {
  const host = os.hostname();
  const fileOf = (id: string) => path.join(dir, 'leases', id);

  async function create(id: string): Promise<boolean> {
    try {
      await symlink(`${host}:${process.pid}`, fileOf(id));
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      // The disk is full or has no symbolic links. Deliver without a lease: a second delivery is better than none.
      return true;
    }
  }

  /** @returns whether a lease has expired: it is too old, or its process has ended. */
  async function isExpired(id: string): Promise<boolean> {
    const [owner, stats] = await Promise.all([
      unlessMissing(readlink(fileOf(id))),
      unlessMissing(lstat(fileOf(id))),
    ]);
    if (owner === null || stats === null || Date.now() - stats.mtimeMs > LEASE_LIMIT_MS) return true;
    const [ownerHost, pid] = owner.split(':');
    // A lease held by another host expires by age alone.
    if (ownerHost !== host) return false;
    // A lease with this process's own id comes from an earlier process: ids repeat in containers, and this process makes one attempt
    // for a message at a time.
    return Number(pid) === process.pid || !isAlive(Number(pid));
  }

  return {
    async acquire(id) {
      if (await create(id)) return true;
      if (!(await isExpired(id))) return false;
      await rm(fileOf(id), { force: true });
      return create(id);
    },
    release: id => rm(fileOf(id), { force: true }),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
