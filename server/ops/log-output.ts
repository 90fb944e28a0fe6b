import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';

/** The space for waiting lines, about a thousand of them. Further lines are dropped. */
const MAX_WAITING_BYTES = 256 * 1024;
/** A tick with more characters writes them at once, before its end. */
const MAX_TICK_CHARACTERS = 64 * 1024;
/** The pauses before the next try: while the reader is slow (EAGAIN), and after another error. */
const SLOW_READER_MS = 5;
const BROKEN_OUTPUT_MS = 1_000;
/** How long the end of the process waits for a reader that takes nothing, and the pause between two tries. */
const LAST_WAIT_MS = 200;
const LAST_PAUSE_MS = 5;

export interface LogOutput {
  /** @param line complete, with its line break. */
  write(line: string): void;
  /** pino calls it after a fatal line. */
  flushSync?(): void;
  /** Lines that were dropped since the start of the process. */
  readonly dropped?: number;
}

/**
 * Creates an output that never waits for its reader. Lines wait while the reader is slow; beyond
 * MAX_WAITING_BYTES they are dropped and counted.
 * @param lineAbout a line about dropped lines, written when the reader reads again.
 */
export function createLogOutput(fd: number, lineAbout: (dropped: number) => string): LogOutput {
  const descriptor = withoutBlocking(fd);
  /** The lines of this tick. */
  let lines = '';
  /** Lines of earlier ticks that the reader has not taken. */
  let chunks: Buffer[] = [];
  let waitingBytes = 0;
  let retry: NodeJS.Timeout | null = null;
  let dropped = 0;
  let reported = 0;

  function endTick(): void {
    if (lines !== '') queue();
    // While the reader is slow, only the timer tries: each failed try costs an exception.
    if (retry === null) drain();
  }

  function queue(): void {
    const chunk = Buffer.from(lines);
    lines = '';
    chunks.push(chunk);
    waitingBytes += chunk.byteLength;
  }

  function writeWaiting(): unknown {
    try {
      while (waitingBytes > 0) {
        const [chunk = Buffer.alloc(0)] = chunks.length > 1 ? [Buffer.concat(chunks)] : chunks;
        chunks = [chunk];
        const written = writeSync(descriptor, chunk);
        waitingBytes -= written;
        chunks = written < chunk.byteLength ? [chunk.subarray(written)] : [];
        if (dropped > reported && waitingBytes <= MAX_WAITING_BYTES / 2) report();
      }
      return null;
    } catch (error) {
      return error;
    }
  }

  function report(): void {
    lines = lineAbout(dropped - reported) + lines;
    reported = dropped;
    queue();
  }

  function drain(): void {
    retry = null;
    const error = writeWaiting();
    if (error === null) return;
    retry = setTimeout(drain, isSlowReader(error) ? SLOW_READER_MS : BROKEN_OUTPUT_MS);
    // A retry alone does not keep the process alive.
    retry.unref();
  }

  process.on('exit', () => {
    if (lines !== '') queue();
    for (let waited = 0; waited < LAST_WAIT_MS; ) {
      const before = waitingBytes;
      const error = writeWaiting();
      if (error === null || !isSlowReader(error)) return;
      waited = waitingBytes < before ? 0 : waited + LAST_PAUSE_MS;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_PAUSE_MS);
    }
  });

  return {
    write(line) {
      if (waitingBytes + lines.length > MAX_WAITING_BYTES) {
        dropped += 1;
        return;
      }
      if (lines === '') setImmediate(endTick);
      lines += line;
      if (lines.length > MAX_TICK_CHARACTERS) endTick();
    },
    flushSync: endTick,
    get dropped() {
      return dropped;
    },
  };
}

function isSlowReader(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

/**
 * Opens the output again, because O_NONBLOCK belongs to an open file that other processes may share. Off
 * Linux, and for a socket, Node's stream sets the flag. A file never waits.
 */
function withoutBlocking(fd: number): number {
  const kind = fstatSync(fd);
  if (kind.isFile()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    if (kind.isFIFO() || kind.isSocket()) new Socket({ fd, readable: false, writable: true }).unref();
    return fd;
  }
}
