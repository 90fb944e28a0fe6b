import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * Ends this process when npm has ended. Importing this file is enough.
 *
 * npm runs a script in a shell and passes SIGINT and SIGTERM to that shell alone. The shell ends, and the script would run on, port
 * and all. A killed npm leaves both behind. The kernel tells no process of its parent's end on both Linux and macOS, so this file looks.
 *
 * Only the scripts `start`, `dev` and `cms` look: a server that nohup, systemd or a container runs has no npm to end with.
 */

/** Pause between two looks, in ms. A look is one or two system calls. */
const LOOK_EVERY_MS = 250;

const { npm_lifecycle_event: script, npm_lifecycle_script: command } = process.env;
if (script === 'start' || script === 'dev' || script === 'cms') watchParents();

/** Sends SIGTERM to this process, once, when its parent or the npm above its shell has ended. */
function watchParents(): void {
  const parent = process.ppid;
  const npm = npmAbove(parent);
  const timer = setInterval(() => {
    // The kernel gives the child of an ended process another parent.
    if (process.ppid === parent && (npm === null || isAlive(npm))) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** @returns the parent of the shell that runs npm's script. Null: there is no shell between, because it has replaced itself with Node. */
function npmAbove(parent: number): number | null {
  try {
    const above = describeProcess(parent);
    return command !== undefined && above.command.includes(command) ? above.parent : null;
  } catch {
    // The parent has just ended, or the system hides other processes. The parent is watched all the same.
    return null;
  }
}

/** @throws Error when there is no such process. */
function describeProcess(pid: number): { parent: number; command: string } {
  // A container may have no `ps`.
  if (existsSync('/proc/self/stat')) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The fields are: pid, the name in brackets, state, parent. The name may hold brackets and blanks.
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
