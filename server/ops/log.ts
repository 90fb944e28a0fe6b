import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { sourceStack } from './source-stack.ts';
import { UNPRINTABLE } from './unprintable.ts';

export type { Logger } from 'pino';

/** The process's logger, which also writes complete lines. */
export interface ProcessLogger extends Logger {
  /** @param line a complete line with its line break. The caller checks the level and escapes the text. */
  writeLine(line: string): void;
}

/**
 * Creates the process's logger, which writes one JSON object a line. Callers keep secrets and visitors' texts out of the log. The
 * redaction below is a second line of defence, for an error object that carries headers.
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
 * Writes a line of level `info` in the format of pino. Every request writes one, and pino would take as long for the line as all the
 * other work on a cache hit takes.
 *
 * @param fields members of a JSON object: names and values, escaped and without secrets.
 * @param message a text without characters that JSON escapes.
 */
export function writeInfoLine(log: ProcessLogger, fields: string, message: string): void {
  if (log.isLevelEnabled('info'))
    log.writeLine(`{"level":"info"${timestamp()},${fields},"msg":"${message}"}\n`);
}

/** @returns a text from outside as a JSON string without characters that control a terminal. */
export function printableJson(text: string): string {
  return printable(JSON.stringify(text));
}

/** Printable ASCII, and the line break at the end of a line. */
const PLAIN_LINE = /^[ -~]*\n?$/;

/** Escapes the unprintable characters in a line of JSON, which keeps its value. The line break at the end stays. */
function printable(line: string): string {
  // PLAIN_LINE recognises the usual line in a tenth of the time that UNPRINTABLE takes.
  if (PLAIN_LINE.test(line)) return line;
  return line.replace(UNPRINTABLE, character =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

let timestampMs = 0;
let timestampText = '';

/** Formats the time once a millisecond: dozens of lines may be written in one. */
function timestamp(): string {
  const now = Date.now();
  if (now !== timestampMs) {
    timestampMs = now;
    timestampText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timestampText;
}

/** More characters than this are written without waiting for the end of the turn. */
const MAX_WAITING_CHARACTERS = 64 * 1024;

/**
 * @returns standard output with one write for all lines of a turn of the event loop: a write for each line would take a sixth
 * of the time of a cache hit. Waiting lines are written before the process exits; only a `kill -9` loses them.
 */
function standardOutput(): DestinationStream & { flushSync(): void } {
  // Bytes are written, although the type of `write` asks for a string: pino would measure a string twice before it encodes it.
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
      if (waiting.length > MAX_WAITING_CHARACTERS) flushSync();
    },
    flushSync,
  };
}

/** @returns an error with its causes, each with its stack, and without other properties: they may contain parts of a request. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack && sourceStack(error.stack),
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}
