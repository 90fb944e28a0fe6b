import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';

/** The bytes that wait for the reader of the log at most. Further lines are dropped: about a thousand lines wait. */
const MAX_WAITING_BYTES = 256 * 1024;
/** More characters than this are written without waiting for the end of the turn. */
const MAX_TURN_CHARACTERS = 64 * 1024;
/** The pause before the next try while the reader is slow (EAGAIN), and after another error, such as a full disk, in ms. */
const SLOW_READER_MS = 5;
const BROKEN_OUTPUT_MS = 1_000;
/** How long the end of the process waits for a reader that takes nothing, and the pause between two tries meanwhile, in ms. */
const LAST_WAIT_MS = 200;
const LAST_PAUSE_MS = 5;

/** The destination of the log. */
export interface LogOutput {
  /** @param line a complete line with its line break. */
  write(line: string): void;
  /** Writes the lines of this turn as far as the reader takes them. pino calls it after a fatal line. */
  flushSync?(): void;
  /** The lines that were dropped since the start of the process. */
  readonly dropped?: number;
}

/**
 * Creates an output that never waits for its reader, so that a reader that has stopped stops nothing else. All lines of a turn of the event loop
 * are one write: a write for each line would take a sixth of the time of a cache hit. Lines that the reader does not take wait; beyond
 * MAX_WAITING_BYTES lines are dropped and counted. Waiting lines are written before the process exits, as long as the reader reads; only a
 * `kill -9` loses them.
 *
 * @param fd a pipe, a socket, a terminal or a file.
 * @param lineAbout a line that says how many lines were dropped. It is written when the reader reads again.
 */
export function createLogOutput(fd: number, lineAbout: (dropped: number) => string): LogOutput {
  const descriptor = withoutBlocking(fd);
  /** The lines of this turn. */
  let lines = '';
  /** Lines of earlier turns that the reader has not taken. */
  let chunks: Buffer[] = [];
  let waitingBytes = 0;
  let retry: NodeJS.Timeout | null = null;
  let dropped = 0;
  let reported = 0;

  function endTurn(): void {
    if (lines !== '') queue();
    // While the reader is slow, the timer tries alone: each try that fails costs an exception.
    if (retry === null) drain();
  }

  function queue(): void {
    const chunk = Buffer.from(lines);
    lines = '';
    chunks.push(chunk);
    waitingBytes += chunk.byteLength;
  }

  /** @returns the error that ended the writing; null when nothing waits any more. */
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
    // The log alone is no reason for the process to go on.
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
      if (lines === '') setImmediate(endTurn);
      lines += line;
      if (lines.length > MAX_TURN_CHARACTERS) endTurn();
    },
    flushSync: endTurn,
    get dropped() {
      return dropped;
    },
  };
}

function isSlowReader(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

/**
 * @returns a descriptor of the same output on which a write fails with EAGAIN instead of waiting for the reader. On Linux the output is opened
 *   once more, because O_NONBLOCK belongs to an open file and other processes may share this one. A socket, such as that of systemd, cannot be
 *   opened again, and neither can anything on other systems: there Node's stream for a pipe or socket sets the flag. A file never waits. A terminal
 *   that cannot be opened again does.
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
