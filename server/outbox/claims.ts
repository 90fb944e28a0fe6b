import { randomUUID } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unlessMissing } from './outbox-files.ts';

/** A claim older than this is void, in ms: no delivery takes as long. */
export const CLAIM_LIMIT_MS = 120_000;

/** Who delivers a message, where several processes share one folder: a file beside the message, made by one of them. */
export interface Claims {
  /** @returns whether the message is now this process's to deliver. */
  take(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
}

/** @param dir the folder `outbox`. */
export function createClaims(dir: string): Claims {
  const host = os.hostname();
  const run = randomUUID();
  const fileOf = (id: string) => path.join(dir, 'claims', id);

  async function make(id: string): Promise<boolean> {
    try {
      await writeFile(fileOf(id), JSON.stringify([host, process.pid, run]), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      // A disk that is full must not keep a message from leaving it: delivered twice is better than not at all.
      return true;
    }
  }

  /** Whether the process that has made a claim is gone, as far as that can be told. */
  async function isVoid(id: string): Promise<boolean> {
    const [text, stats] = await Promise.all([
      unlessMissing(readFile(fileOf(id), 'utf8')),
      unlessMissing(stat(fileOf(id))),
    ]);
    if (text === null || stats === null || Date.now() - stats.mtimeMs > CLAIM_LIMIT_MS) return true;
    const owner = /^\["(.*)",(\d+),"(.*)"\]$/.exec(text);
    // Of a process on another machine, or of a claim that is being written, only the age tells.
    if (!owner || owner[1] !== host) return false;
    const pid = Number(owner[2]);
    // In a container the next process has the number of the last.
    return pid === process.pid || owner[3] === run || !isAlive(pid);
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
