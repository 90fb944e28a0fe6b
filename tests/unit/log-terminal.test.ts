import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { createLogger } from '../../server/ops/log.ts';
import { inTerminal } from '../../server/ops/log-terminal.ts';

function shown(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('info', inTerminal({ write: line => void lines.push(line) })));
  return stripVTControlCharacters(lines.join(''));
}

it('in a terminal, a log entry is one line with time, level, code, message and fields, and a stack below', () => {
  const text = shown(log => {
    log.info({ code: 'start-listening', site: { port: 3_000 } }, 'listening');
    log.error({ code: 'render-failed', err: new Error('no such thing') }, 'a page failed');
  });
  const [first = '', second = '', ...stack] = text.trimEnd().split('\n');
  expect(first).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}start-listening listening site=\{"port":3000\}$/);
  expect(second).toMatch(/ error render-failed a page failed$/);
  expect(stack[0]).toMatch(/^ {4}Error: no such thing$/);
  expect(stack.length).toBeGreaterThan(1);
});

it('a text from outside cannot move the cursor of a terminal', () => {
  const hostile = 'a\u001b[2Kb\u009b31m\nforged';
  const text = shown(log =>
    log.warn({ code: 'browser-error', page: hostile, err: new Error(hostile) }, hostile),
  );
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}]/u);
  expect(text.split('\n').filter(line => line.startsWith('forged'))).toEqual([]);
});
