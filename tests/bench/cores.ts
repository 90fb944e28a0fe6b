import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Core of the server. The load runs on another. Undefined if processes cannot be pinned. */
export const SERVER_CORE: number | undefined = canPin() ? 0 : undefined;
const LOAD_CORE = 1;

/** Pins this process, which makes the load, to a separate core. */
export function pinLoad(): void {
  if (SERVER_CORE !== undefined)
    spawnSync('taskset', ['-a', '-cp', String(LOAD_CORE), String(process.pid)], { stdio: 'ignore' });
}

/** Lets this process and its children use all cores: the dev loop and its browser share a machine. */
export function pinNothing(): void {
  if (SERVER_CORE === undefined) return;
  const all = `0-${os.cpus().length - 1}`;
  spawnSync('taskset', ['-a', '-cp', all, String(process.pid)], { stdio: 'ignore' });
}

function canPin(): boolean {
  return (
    process.platform === 'linux' &&
    os.availableParallelism() > 1 &&
    spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0
  );
}

/** @returns the CPU time of a process in ms, or null if the system does not report it. */
export function cpuMs(pid: number): number | null {
  const [user, system] = cpuTimes(pid) ?? [];
  return user === undefined || system === undefined ? null : user + system;
}

/**
 * @returns the CPU time of this process and its ended children in ms. Null if the system does not report it.
 */
export function ownCpuMs(): number | null {
  return cpuTimes(process.pid)?.reduce((sum, ms) => sum + ms) ?? null;
}

/**
 * @returns user and system time of a process, then of its ended children, in ms (fields 14 to 17 of
 *   `/proc/pid/stat`, proc(5)).
 */
function cpuTimes(pid: number): number[] | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // The file has hundredths of a second.
    return fields.slice(11, 15).map(field => Number(field) * 10);
  } catch {
    return null;
  }
}

/** @returns the resident memory of a process in bytes, or null if the system does not report it. */
export function residentBytes(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
  } catch {
    return null;
  }
}
