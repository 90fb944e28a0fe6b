import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { readable } from '../../server/ops/log-terminal.ts';

/** How long the old server may take to exit, in ms. It has already sent its responses and stored its work. */
const STOP_MS = 50;

/** How much of the end of the error output is kept, in characters. */
const MAX_ERRORS = 4_000;

export interface LogEntry {
  readonly code: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

type Waiting = ChildProcessByStdio<null, Readable, Readable>;

/** The site's server process. Reads its log for events, and prints it with the public port. */
export class SiteProcess {
  readonly #onEntry: (entry: LogEntry) => void;
  readonly #publicPort: () => number;
  #child: ChildProcess | null = null;
  #next: Waiting | null = null;
  #isEnding = false;

  constructor(publicPort: () => number, onEntry: (entry: LogEntry) => void) {
    this.#publicPort = publicPort;
    this.#onEntry = onEntry;
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  /** Starts the process for the next `start`, which has the same arguments and environment. */
  prepare(args: readonly string[], env: NodeJS.ProcessEnv): void {
    if (this.#next) return;
    const next = spawnWaiting(args, env);
    this.#next = next;
    next.once('exit', () => {
      if (this.#next === next) this.#next = null;
    });
  }

  /** @returns the port of the server; null if it exits before it listens. */
  async start(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | null> {
    const child = this.#next ?? spawnWaiting(args, env);
    this.#next = null;
    this.#child = child;
    child.send('start', () => {});
    const { promise, resolve } = Promise.withResolvers<number | null>();
    createInterface({ input: child.stdout }).on('line', line => {
      const entry = entryOf(line);
      let text = line.replace(/^( {2}The site is at \S+:)\d+$/, `$1${this.#publicPort()}`);
      if (entry?.code === 'start-listening') {
        // The cast is safe: `server/main.ts` writes the entry.
        const site = entry.site as { port: number };
        resolve(site.port);
        text = JSON.stringify({ ...entry, site: { ...site, port: this.#publicPort() } });
      }
      process.stdout.write(entry && process.stdout.isTTY ? readable(text) : `${text}\n`);
      if (entry) this.#onEntry(entry);
    });
    let errors = '';
    child.stderr.on('data', chunk => {
      process.stderr.write(chunk);
      errors = `${errors}${chunk}`.slice(-MAX_ERRORS);
    });
    child.once('close', (code, signal) => {
      resolve(null);
      if (this.#child !== child || this.#isEnding) return;
      this.#child = null;
      console.error(
        `The server has ended (${signal ?? `exit code ${code}`}). The next change starts it again.`,
      );
      this.#onEntry({ code: 'process-ended', err: { message: messageIn(errors), stack: errors } });
    });
    return promise;
  }

  stop(): void {
    const child = this.#child;
    if (!child) return;
    // Clear the variable first, so that the exit listener does not report this exit.
    this.#child = null;
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  }

  /** Lets the server finish open requests. */
  async end(): Promise<void> {
    this.#next?.kill('SIGKILL');
    const child = this.#child;
    if (!child) return;
    // Wait until its last log entries are printed.
    const ended = once(child, 'close');
    this.#isEnding = true;
    child.kill('SIGTERM');
    await ended;
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
    this.#next?.kill('SIGKILL');
  }
}

/** @returns a process that loads the packages, and then waits for a message (`packages-first.ts`). */
function spawnWaiting(args: readonly string[], env: NodeJS.ProcessEnv): Waiting {
  const child = spawn(process.execPath, args, { stdio: ['inherit', 'pipe', 'pipe', 'ipc'], env });
  // The cast is safe: both outputs are pipes.
  return child as ChildProcess as Waiting;
}

function messageIn(errors: string): string {
  return /^\w*Error: .+$/m.exec(errors)?.[0] ?? 'The server has ended. The terminal says why.';
}

function entryOf(line: string): LogEntry | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogEntry;
  } catch {
    return null;
  }
}
