import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

import { UNPRINTABLE } from './unprintable.ts';

export type { Logger } from 'pino';

/** The process's logger. It also writes lines that are finished already. */
export interface ProcessLogger extends Logger {
  /** @param line of the log with its line break; whoever calls this has looked at the level and escaped the text. */
  writeLine(line: string): void;
}

/**
 * Creates the process's logger: one JSON object a line. Callers keep secrets and visitors' texts out of it; the redaction below is a
 * second lock, for an error object that carries headers.
 *
 * @param destination of the lines; standard output unless a test collects them.
 */
export function createLogger(level: string, destination?: DestinationStream): ProcessLogger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp,
    formatters: { level: label => ({ level: label }) },
    redact: { paths: ['*.authorization', '*.cookie', 'headers', '*.headers'], remove: true },
    serializers: { err: serializeError },
  };
  const output = destination ?? standardOutput();
  const log = pino(options, { ...output, write: line => output.write(printable(line)) });
  return Object.assign(log, { writeLine: (line: string) => output.write(line) });
}

/**
 * Writes a line of level `info` in the form of pino. Each request has such a line, and pino itself takes as long for it as all the
 * other work on an answer from the cache.
 *
 * @param fields members of a JSON object: names and values, escaped, none of them a secret.
 * @param message a text in which no character has to be escaped.
 */
export function writeInfoLine(log: ProcessLogger, fields: string, message: string): void {
  if (log.isLevelEnabled('info'))
    log.writeLine(`{"level":"info"${timestamp()},${fields},"msg":"${message}"}\n`);
}

/** @returns a text from outside as JSON that no terminal takes for more than text. */
export function printableJson(text: string): string {
  return printable(JSON.stringify(text));
}

/** Printable ASCII, and the line break at the end of a line. */
const PLAIN_LINE = /^[ -~]*\n?$/;

/** Escapes unprintable characters of a line of JSON, where an escape means the same. The line break at its end stays. */
function printable(line: string): string {
  // The usual line is plain ASCII, which the short expression tells in a tenth of the time.
  if (PLAIN_LINE.test(line)) return line;
  return line.replace(UNPRINTABLE, character =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
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
  // As bytes, which its type leaves out: of a text it would count them twice before it makes them.
  const output = pino.destination({ fd: 1, sync: true, contentMode: 'buffer' });
  let waiting = '';
  const flushSync = () => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') output.write(Buffer.from(lines) as unknown as string);
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
