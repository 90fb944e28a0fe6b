import { expect, it } from 'vitest';
import { createLogger } from '../../server/ops/log.ts';
import { eventually } from '../support/eventually.ts';

interface Line {
  level: string;
  code: string;
  repeats?: number;
  id?: string;
}

/** A log that joins repeated entries within 50 ms. */
function start() {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  return { lines, log: createLogger('debug', { write }, null, 50) };
}

it('of 200 errors of one code, ten are written, and one more log entry counts the others', async () => {
  const { lines, log } = start();
  const request = log.child({ id: 'r-1' });
  for (let number = 0; number < 200; number += 1)
    request.error({ code: 'http-request-failed', err: new Error('x'.repeat(500)) }, 'request failed');
  log.warn({ code: 'media-file-failed' }, 'another code');
  expect(lines).toHaveLength(11);
  await eventually(() => expect(lines).toHaveLength(12));
  const { level, code, repeats, id } = lines[11] ?? {};
  expect([level, code, repeats, id]).toEqual(['error', 'http-request-failed', 190, undefined]);
  // In the next window, entries are written again.
  request.error({ code: 'http-request-failed' }, 'request failed');
  expect(lines.at(-1)).toMatchObject({ code: 'http-request-failed', id: 'r-1' });
});

it('log entries at info and debug, and those about single CMS entries, are never joined', () => {
  const { lines, log } = start();
  for (let number = 0; number < 30; number += 1) {
    log.info({ code: 'webhook-accepted' }, 'info');
    log.debug({ code: 'outbox-delivery-failed' }, 'debug');
    log.warn({ code: 'content-value-left-out' }, 'warn');
  }
  expect(lines).toHaveLength(90);
});
