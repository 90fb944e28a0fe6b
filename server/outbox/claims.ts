import { lstat, readlink, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unlessMissing } from '../cache/missing-file.ts';

/** A claim older than this is void, in ms: no delivery takes as long. */
export const CLAIM_LIMIT_MS = 120_000;

/**
 * Who delivers a message, where several processes share one folder: a symbolic link whose target is no file but the name of the
 * process. It is made whole or not at all, and by one of them only; a file could be left empty by a process that is killed.
 */
export interface Claims {
  /** @returns whether the message is now this process's to deliver. */
  take(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
}

/** @param dir the folder `outbox`. */
export function createClaims(dir: string): Claims {
  const host = os.hostname();
  const fileOf = (id: string) => path.join(dir, 'claims', id);

  async function make(id: string): Promise<boolean> {
    try {
      await symlink(`${host}:${process.pid}`, fileOf(id));
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      // A disk that is full, or has no such links, must not keep a message from leaving it: twice is better than not at all.
      return true;
    }
  }

  /** Whether the process that has made a claim is gone, as far as that can be told. */
  async function isVoid(id: string): Promise<boolean> {
    const [owner, stats] = await Promise.all([
      unlessMissing(readlink(fileOf(id))),
      unlessMissing(lstat(fileOf(id))),
    ]);
    if (owner === null || stats === null || Date.now() - stats.mtimeMs > CLAIM_LIMIT_MS) return true;
    const [ownerHost, pid] = owner.split(':');
    // Of a process on another machine only the age tells.
    if (ownerHost !== host) return false;
    // In a container the next process has the number of the last.
    return Number(pid) === process.pid || !isAlive(Number(pid));
  }

  return {
    async take(id) {
      if (await make(id)) return true;
      if (!(await isVoid(id))) return false;
      await rm(fileOf(id), { force: true });
      return make(id);
    },
    release: id => rm(fileOf(id), { force: true }),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
