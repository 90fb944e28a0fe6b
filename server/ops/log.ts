import { type Logger, type LoggerOptions, pino } from 'pino';
import { createLogOutput, type LogOutput } from './log-output.ts';
import { sourceStack } from './source-stack.ts';
import { UNPRINTABLE } from './unprintable.ts';

export type { Logger } from 'pino';

/** The process's logger, which also writes complete lines. */
export interface ProcessLogger extends Logger {
  /** @param line a complete line with its line break. The caller checks the level and escapes the text. */
  writeLine(line: string): void;
  /** Fields of every line, as members of a JSON object, each with a comma before it. */
  readonly baseFields: string;
  /** @returns the lines that were dropped since the start of the process, because the reader of the log had stopped. */
  droppedLines(): number;
}

/**
 * Creates the process's logger, which writes one JSON object a line. Callers keep secrets and visitors' texts out of the log. The
 * redaction below is a second line of defence, for an error object that carries headers.
 *
 * @param output standard output unless a test collects the lines.
 * @param base fields of every line, such as the name of the replica.
 */
export function createLogger(
  level: string,
  output: LogOutput = createLogOutput(1, lineAboutDropped),
  base: Readonly<Record<string, string>> | null = null,
): ProcessLogger {
  const options: LoggerOptions = {
    level,
    base,
    timestamp,
    formatters: { level: label => ({ level: label }) },
    redact: { paths: ['*.authorization', '*.cookie', 'headers', '*.headers'], remove: true },
    serializers: { err: serializeError },
  };
  const log = pino(options, {
    write: (line: string) => output.write(printable(line)),
    ...(output.flushSync ? { flushSync: output.flushSync } : {}),
  });
  return Object.assign(log, {
    writeLine: (line: string) => output.write(line),
    baseFields: Object.entries(base ?? {})
      .map(([name, value]) => `,"${name}":${printableJson(value)}`)
      .join(''),
    droppedLines: () => output.dropped ?? 0,
  });
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
    log.writeLine(`{"level":"info"${timestamp()}${log.baseFields},${fields},"msg":"${message}"}\n`);
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

/** @returns a line about lines that were dropped, in the format of pino. */
function lineAboutDropped(dropped: number): string {
  return `{"level":"warn"${timestamp()},"dropped":${dropped},"msg":"log: lines were dropped, because the reader of the log had stopped"}\n`;
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
