import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { type LoggerOptions, pino } from 'pino';
import type { LogCode } from './log-codes.ts';
import { createLogOutput, type LogOutput } from './log-output.ts';
import { NamedError } from './named-error.ts';
import { UNPRINTABLE } from './one-line.ts';

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

/** Limit for the entries of a code in a minute. Further ones are only counted. */
const MOST_IN_A_MINUTE = 10;
const MINUTE_MS = 60_000;
/** Prefixes of codes without this limit: their entries are about different things, or have another limit. */
const SEPARATE = ['browser-', 'content-', 'doctor-', 'folder-', 'http-host-', 'media-'];

interface FloodEntry {
  readonly code: string;
  readonly repeats?: number;
}

/** After 10 warnings or errors of a code in a minute, one entry tells how many more came (decision 184). */
class LogFloods {
  readonly #write: (isError: boolean, fields: object, message: string) => void;
  readonly #everyMs: number;
  readonly #seen = new Map<string, { times: number; isError: boolean; message: string }>();

  constructor(write: (isError: boolean, fields: object, message: string) => void, everyMs = MINUTE_MS) {
    this.#write = write;
    this.#everyMs = everyMs;
  }

  leavesOut({ code, repeats }: FloodEntry, isError: boolean, message: string): boolean {
    if (repeats !== undefined || SEPARATE.some(begin => code.startsWith(begin))) return false;
    if (this.#seen.size === 0) setTimeout(() => this.#endMinute(), this.#everyMs).unref();
    const found = this.#seen.get(code) ?? { times: 0, isError, message };
    found.times += 1;
    this.#seen.set(code, found);
    return found.times > MOST_IN_A_MINUTE;
  }

  #endMinute(): void {
    const floods = [...this.#seen].filter(([, { times }]) => times > MOST_IN_A_MINUTE);
    this.#seen.clear();
    for (const [code, { times, isError, message }] of floods)
      this.#write(isError, { code, repeats: times - MOST_IN_A_MINUTE }, message);
  }
}

const REMEMBERED_WARNINGS = 50;

interface RecentWarning {
  readonly at: number;
  readonly isError: boolean;
  readonly code: string;
  readonly message: string;
  readonly remedy: string | null;
  /** The host of a refused request. It is text from outside. */
  readonly host: string | null;
}

/** The last warnings of the process for the ops page, without values that may be a visitor's words. */
class RecentWarnings {
  readonly #entries: RecentWarning[] = [];

  get entries(): readonly RecentWarning[] {
    return this.#entries;
  }

  note(isError: boolean, fields: Readonly<Record<string, unknown>>, message: string): void {
    const textOf = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null);
    const code = textOf('code') ?? '';
    this.#entries.push({
      ...{ at: Date.now(), isError, code, message },
      ...{ remedy: textOf('remedy'), host: textOf('host') },
    });
    if (this.#entries.length > REMEMBERED_WARNINGS) this.#entries.shift();
  }
}
