import { lstat, readlink, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unlessMissing } from '../cache/missing-file.ts';

/** A lease older than this has expired, in ms: no delivery takes as long. */
export const LEASE_LIMIT_MS = 120_000;

/**
 * The right to deliver a message, where several processes share one folder. A lease is a symbolic link whose target is the
 * name of its process and no file: the system makes a link whole or not at all, and for one process alone. A file could be
 * left empty by a process that is killed.
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
      // The disk is full or has no symbolic links. The message must leave it all the same, if need be twice.
      return true;
    }
  }

  /** @returns whether a lease no longer holds: it is too old, or its process has ended. */
  async function isExpired(id: string): Promise<boolean> {
    const [owner, stats] = await Promise.all([
      unlessMissing(readlink(fileOf(id))),
      unlessMissing(lstat(fileOf(id))),
    ]);
    if (owner === null || stats === null || Date.now() - stats.mtimeMs > LEASE_LIMIT_MS) return true;
    const [ownerHost, pid] = owner.split(':');
    // A lease held by another host expires by age alone.
    if (ownerHost !== host) return false;
    // In a container the next process often has the same number as the last.
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
