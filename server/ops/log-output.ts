import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';

/** The memory for about a thousand waiting entries. Further entries are dropped. */
const MAX_WAITING_BYTES = 256 * 1024;
/** Entries are written at the end of the tick, or at once above this number of characters. */
const MAX_TICK_CHARACTERS = 64 * 1024;
/** The pauses before a retry: for a slow reader (EAGAIN), and after another error. */
const SLOW_READER_MS = 5;
const BROKEN_OUTPUT_MS = 1_000;
/** The longest wait at exit for a reader that takes no bytes, and the pause between tries, in ms. */
const LAST_WAIT_MS = 200;
const LAST_PAUSE_MS = 5;

export interface LogOutput {
  write(line: string): void;
  /** Flushes the output. pino calls it after a fatal entry. */
  flushSync?(): void;
  readonly dropped?: number;
}

/**
 * Creates an output that never waits for its reader (decision 046).
 * @param lineAbout makes the entry about dropped entries, written when the reader reads again.
 */
export function createLogOutput(fd: number, lineAbout: (dropped: number) => string): LogOutput {
  const descriptor = withoutBlocking(fd);
  let lines = '';
  /** Entries of earlier ticks that the reader has not read. */
  let chunks: Buffer[] = [];
  let waitingBytes = 0;
  let retry: NodeJS.Timeout | null = null;
  let dropped = 0;
  let reported = 0;

  function endTick(): void {
    if (lines !== '') queue();
    // Leave a slow reader to the timer, because each failed try costs an exception.
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
 * Reopens the output in non-blocking mode: O_NONBLOCK on the open file would also apply to other processes.
 * For sockets, and outside Linux, Node's stream sets the flag. Files never block.
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
