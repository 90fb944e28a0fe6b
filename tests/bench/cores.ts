import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** The core of the server; the load runs on another. Undefined if processes cannot be pinned. */
export const SERVER_CORE: number | undefined = canPin() ? 0 : undefined;
const LOAD_CORE = 1;

/** Pins this process, which makes the load, to a core of its own. */
export function pinLoad(): void {
  if (SERVER_CORE !== undefined)
    spawnSync('taskset', ['-a', '-cp', String(LOAD_CORE), String(process.pid)], { stdio: 'ignore' });
}

function canPin(): boolean {
  return (
    process.platform === 'linux' &&
    os.availableParallelism() > 1 &&
    spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0
  );
}

/** @returns the CPU time that a process has used, in ms. Null if the system does not tell. */
export function cpuMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // Fields 14 and 15 of `/proc/pid/stat` (proc(5)) are user and system time in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

/** @returns the resident memory of a process in bytes. Null if the system does not tell. */
export function residentBytes(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
  } catch {
    return null;
  }
}
