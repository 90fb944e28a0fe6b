import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** The server on one core and the load on another; undefined where that cannot be had. */
export const SERVER_CORE: number | undefined = canPin() ? 0 : undefined;
const LOAD_CORE = 1;

/** Puts this process, which makes the load, on its own core. */
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

/** CPU time that a process has used so far, in ms; null where the system does not tell. */
export function cpuMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // Fields 14 and 15 of proc(5), in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

/** Resident memory of a process in bytes; null where the system does not tell. */
export function residentBytes(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
  } catch {
    return null;
  }
}
