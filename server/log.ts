import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * The process's logger: one JSON object a line. What may hold a secret or a person's words never gets here; the
 * redaction below is the second lock, for an error object that carries headers.
 *
 * @param destination where the lines go; standard output unless a test collects them.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp,
    formatters: { level: label => ({ level: label }) },
    redact: { paths: ['*.authorization', '*.cookie', 'headers', '*.headers'], remove: true },
    serializers: { err: serializeError },
  };
  return pino(options, destination ?? standardOutput());
}

let timestampMs = 0;
let timestampText = '';

/** Written once a millisecond: dozens of lines may fall into one. */
function timestamp(): string {
  const now = Date.now();
  if (now !== timestampMs) {
    timestampMs = now;
    timestampText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timestampText;
}

/** Lines waiting for the end of the turn are written at once when they come to this many characters. */
const LONGEST_WAIT = 64 * 1024;

/**
 * Standard output, written to once for all lines of a turn of the event loop: a write for each line would take a sixth
 * of the time of an answer from the cache. What waits is written before the process ends, but for a `kill -9`.
 */
function standardOutput(): DestinationStream & { flushSync(): void } {
  const output = pino.destination({ fd: 1, sync: true });
  let waiting = '';
  const flushSync = () => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') output.write(lines);
  };
  process.on('exit', flushSync);
  return {
    write(line) {
      if (waiting === '') setImmediate(flushSync);
      waiting += line;
      if (waiting.length > LONGEST_WAIT) flushSync();
    },
    flushSync,
  };
}

/** An error with its causes, each with its stack: what one needs at three in the morning, and nothing of the request. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}
