import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { type LoggerOptions, pino } from 'pino';
import type { LogCode } from './log-codes.ts';
import { LogFloods } from './log-floods.ts';
import { createLogOutput, type LogOutput } from './log-output.ts';
import { NamedError } from './named-error.ts';
import { UNPRINTABLE } from './one-line.ts';
import { RecentWarnings } from './recent-warnings.ts';

/** Writes one log entry. The code is stable and listed in `docs/logs.md`; the message may be reworded. */
type WriteEntry = (
  fields: { readonly code: LogCode; readonly [field: string]: unknown },
  message: string,
) => void;

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface Logger extends Readonly<Record<Level, WriteEntry>> {
  child(fields: Readonly<Record<string, unknown>>): Logger;
}

export interface ProcessLogger extends Logger {
  /** @param line the complete, escaped entry with its line break. The caller checks the level. */
  writeLine(line: string): void;
  /** The fields of every entry as JSON members, each after a comma. */
  readonly baseFields: string;
  isLevelEnabled(level: 'info'): boolean;
  droppedLines(): number;
  /** The lowest level that is written. A change applies to requests that begin later. */
  level: string;
  readonly recentWarnings: RecentWarnings;
}

const WARN = 40;
const ERROR = 50;

/** Creates the process's logger. Callers must leave out secrets; redaction is a second defence. */
export function createLogger(
  level: string,
  output: LogOutput = processOutput(),
  base: Readonly<Record<string, string>> | null = null,
  floodMs?: number,
): ProcessLogger {
  const recentWarnings = new RecentWarnings();
  const floods = new LogFloods(
    (isError, fields, message) => log[isError ? 'error' : 'warn'](fields, message),
    floodMs,
  );
  const options: LoggerOptions = {
    level,
    base,
    timestamp,
    formatters: { level: label => ({ level: label }) },
    redact: { paths: ['*.authorization', '*.cookie', 'headers', '*.headers'], remove: true },
    serializers: { err: serializeError },
    hooks: {
      logMethod(args, method, level) {
        const [fields, message] = args as unknown as Parameters<WriteEntry>;
        const isError = level === ERROR;
        if ((isError || level === WARN) && floods.leavesOut(fields, isError, message)) return;
        if (level >= WARN) recentWarnings.note(level > WARN, fields, message);
        method.apply(this, args);
      },
    },
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
    recentWarnings,
  });
}

/**
 * Writes an entry without pino, which would take as long as the rest of a cache hit.
 * @param fields escaped JSON members without secrets.
 * @param message a text without characters that JSON escapes.
 */
export function writeInfoLine(log: ProcessLogger, fields: string, message: string): void {
  if (log.isLevelEnabled('info'))
    log.writeLine(`{"level":"info"${timestamp()}${log.baseFields},${fields},"msg":"${message}"}\n`);
}

/** Makes a JSON string of a text from outside, without characters that control a terminal. */
export function printableJson(text: string): string {
  return printable(JSON.stringify(text));
}

const PLAIN_LINE = /^[ -~]*\n?$/;

/** Escapes unprintable characters in a line of JSON. The value stays the same. */
export function printable(line: string): string {
  // Check PLAIN_LINE first, because it takes a tenth of UNPRINTABLE's time.
  if (PLAIN_LINE.test(line)) return line;
  return line.replace(UNPRINTABLE, character =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

let timestampMs = 0;
let timestampText = '';

/** Formats the time once per millisecond, because dozens of entries may share one. */
function timestamp(): string {
  const now = Date.now();
  if (now !== timestampMs) {
    timestampMs = now;
    timestampText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timestampText;
}

export function processOutput(): LogOutput {
  return createLogOutput(1, lineAboutDropped);
}

function lineAboutDropped(dropped: number): string {
  return `{"level":"warn"${timestamp()},"code":"log-entries-dropped","dropped":${dropped},"msg":"log: lines were dropped, because the reader of the log had stopped"}\n`;
}

/**
 * Writes an error with its causes, without properties that may contain parts of a request. A fault outside of
 * the program gets no stack. Its message says enough, and the first stack costs 150 ms for the source map.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const isOutside = error instanceof NamedError || 'syscall' in error;
  return {
    type: error.name,
    message: error.message,
    ...(isOutside || !error.stack ? {} : { stack: sourceStack(error.stack) }),
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}

const BUNDLE = import.meta.filename;
const POSITION = new RegExp(
  `(?:file://)?${BUNDLE.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}:(\\d+):(\\d+)`,
  'g',
);

/** The source map; undefined before it is read, null if there is none. */
let bundleMap: SourceMap | null | undefined;

/**
 * Maps positions to sources, such as `server/app.ts:12:3`. The first error reads the map.
 * `--enable-source-maps` would read it at the start, in 300 ms and 20 MB.
 */
function sourceStack(stack: string): string {
  return stack.replace(POSITION, (position, line: string, column: string) => {
    if (bundleMap === undefined) bundleMap = readMap();
    const entry = bundleMap?.findEntry(Number(line) - 1, Number(column) - 1);
    // Skip a frame of a package, which the map lacks: the search finds a position before it, in another file.
    if (!entry || !('originalSource' in entry) || entry.generatedLine !== Number(line) - 1) return position;
    const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '');
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function readMap(): SourceMap | null {
  try {
    const payload: SourceMapPayload = JSON.parse(readFileSync(`${BUNDLE}.map`, 'utf8'));
    return new SourceMap(payload);
  } catch {
    return null;
  }
}
