import { styleText } from 'node:util';
import { printable, printableJson } from './log.ts';
import type { LogOutput } from './log-output.ts';

const COLORS = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red', fatal: 'red' } as const;

interface Entry {
  readonly level: keyof typeof COLORS;
  readonly time: string;
  readonly code: string;
  readonly msg: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
  readonly [field: string]: unknown;
}

/** Writes entries for a person at a terminal: time, level, code, sentence, fields, and a stack in lines. */
export function inTerminal(output: LogOutput): LogOutput {
  const write = (line: string) => output.write(readable(line));
  return Object.assign(Object.create(output) as LogOutput, { write });
}

export function readable(line: string): string {
  // The cast is safe: this process has written the line.
  const { level, time, code, msg, err, ...fields } = JSON.parse(line) as Entry;
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${printable(JSON.stringify(value))}`);
  const stack = (err?.stack ?? err?.message ?? '').split('\n').filter(text => text !== '');
  return [
    [
      time.slice(11, 23),
      styleText(COLORS[level], level.padEnd(5)),
      code,
      quoted(msg),
      styleText('gray', rest.join(' ')),
    ],
    ...stack.map(text => ['   ', quoted(text)]),
  ]
    .map(parts => `${parts.join(' ').trimEnd()}\n`)
    .join('');
}

/** Keeps characters that control a terminal escaped, as they are in the JSON. */
function quoted(text: string): string {
  return printableJson(text).slice(1, -1);
}
