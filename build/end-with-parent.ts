import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * Exits when npm has exited: npm passes signals only to its shell, and a killed npm would leave the server
 * running.
 */

const LOOK_EVERY_MS = 250;

const { npm_lifecycle_event: script, npm_lifecycle_script: command } = process.env;
if (script && ['start', 'dev', 'cms', 'export'].includes(script)) watchParents();

function watchParents(): void {
  const parent = process.ppid;
  const npm = npmAbove(parent);
  const timer = setInterval(() => {
    // Compare the parent, because the kernel gives an orphan another parent.
    if (process.ppid === parent && (npm === null || isAlive(npm))) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** @returns the parent of npm's shell; null if the shell has replaced itself with Node. */
function npmAbove(parent: number): number | null {
  try {
    const above = describeProcess(parent);
    return command !== undefined && above.command.includes(command) ? above.parent : null;
  } catch {
    // The parent has just exited, or the system hides other processes.
    return null;
  }
}

function describeProcess(pid: number): { parent: number; command: string } {
  if (existsSync('/proc/self/stat')) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Read the fields pid, name in brackets, state, parent. The name may contain brackets and blanks.
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  }
  const line = execFileSync('ps', ['-ww', '-o', 'ppid=', '-o', 'args=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  return { parent: Number.parseInt(line, 10), command: line };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
