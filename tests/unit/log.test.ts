import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../server/ops/log.ts';
import { createMetrics } from '../../server/ops/metrics/metrics.ts';
import { oneLine } from '../../server/ops/one-line.ts';
import { logRequest } from '../../server/ops/requests/access-log.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  write(createLogger('info', { write: line => void lines.push(line) }));
  return lines;
}

/** Logs a request as the request listener does. */
function logVisit(log: ReturnType<typeof createLogger>, url: string): void {
  const req = { method: 'GET', headers: {} } as IncomingMessage;
  const metrics = createMetrics({ build: 'build', replica: '' });
  logRequest({ log, metrics, requestLines: () => true }, req, url, {
    ...{ id: 'a-b', route: 'page', status: 200, startedAt: performance.now(), bytes: 7 },
    ...{ pageCache: null, cause: null, contentCache: { hit: 4, miss: 1 }, message: null },
    ...{ host: 'www.example.com', client: 'browser' },
  });
}

const code = 'http-request';

/** Text with every character that could forge another log entry or move a terminal's cursor. */
const FORGED =
  'a\r\n{"level":"info","msg":"forged"}\n\u001b[2K\u001b]0;title\u0007\u009b31m\u2028\u2029\u202egnirts\u2066\u007f';

describe('a log entry', () => {
  it.each([
    ['a message', () => logged(log => log.info({ code }, FORGED))],
    ['a field', () => logged(log => log.info({ code, path: FORGED }, 'x'))],
    ['the name of a field', () => logged(log => log.info({ code, [FORGED]: 1 }, 'x'))],
    ['an error', () => logged(log => log.error({ code, err: new Error(FORGED, { cause: FORGED }) }, 'x'))],
    ['a field of a child', () => logged(log => log.child({ id: FORGED }).info({ code }, 'x'))],
    ['the path of a request', () => logged(log => logVisit(log, `/${FORGED}`))],
  ])('a log entry is one line of printable characters, whatever its source: %s', (_source, write) => {
    const lines = write();
    expect(lines).toHaveLength(1);
    const [line = ''] = lines;
    expect(line.endsWith('\n')).toBe(true);
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(JSON.stringify(JSON.parse(line))).toContain(JSON.stringify(FORGED).slice(1, -1));
  });

  it('a log entry omits the headers and credentials of logged objects', () => {
    const [line] = logged(log =>
      log.warn(
        {
          code,
          req: { authorization: 'Bearer s3cret', cookie: 's3cret', headers: { 'x-key': 's3cret' } },
          headers: 's3cret',
        },
        'x',
      ),
    );
    expect(line).not.toContain('s3cret');
  });
});

describe('the log entry of a request', () => {
  it('the log entry of a request begins like pino’s, with level and time, and adds the fields of the request', () => {
    const [byHand = '', byPino = ''] = logged(log => {
      logVisit(log, '/blog/"a"\\b?secret=1');
      log.info({ code, path: 'x' }, 'request');
    });
    expect(JSON.parse(byHand)).toEqual({
      ...JSON.parse(byPino),
      ...{ id: 'a-b', method: 'GET', path: '/blog/"a"\\b', route: 'page', status: 200, bytes: 7 },
      ...{ page: null, cache: { hit: 4, miss: 1 }, host: 'www.example.com', client: 'browser' },
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      ms: expect.any(Number),
    });
    const start = /^\{"level":"info","time":"[^"]+",/;
    expect(byHand).toMatch(start);
    expect(byPino).toMatch(start);
  });

  it('the log entry of a request is omitted at the log level warn', () => {
    const lines: string[] = [];
    logVisit(createLogger('warn', { write: line => void lines.push(line) }), '/');
    expect(lines).toEqual([]);
  });
});

describe('oneLine', () => {
  it('oneLine turns hostile text into one line of printable characters', () => {
    expect(oneLine(` ${FORGED} `)).toBe('a {"level":"info","msg":"forged"} [2K ]0;title 31m gnirts');
  });
});
