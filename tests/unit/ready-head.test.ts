import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer } from '../../server/http/http-server.ts';
import { type Fields, fieldsOf, headLines, writeReadyHead } from '../../server/http/ready-head.ts';
import { close, listen } from '../support/listen.ts';
import { openRaw, sendRaw } from '../support/raw-connection.ts';
import { sendRequest } from '../support/send-request.ts';

const BODY = Buffer.from('a body with an umlaut: ü');
const FIELDS: Fields = [
  ['X-Text', 'a: b, c'],
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['X-Latin', 'caf\u00e9'],
];
const FULL: Fields = [...FIELDS, ['Content-Length', String(BODY.byteLength)]];

const write = {
  '/node': (_req: IncomingMessage, res: ServerResponse, status: number, fields: Fields) =>
    res.writeHead(status, fields.flat()),
  '/ready': (req: IncomingMessage, res: ServerResponse, status: number, fields: Fields) =>
    writeReadyHead(req, res, status, headLines(fields)),
};

const server = createHttpServer((req, res) => {
  const [, way = '', kind] = /^(\/\w+)-?(\w*)$/.exec(req.url ?? '') ?? [];
  if (kind === 'set')
    res.setHeader('X-Text', 'old').setHeader('X-Old', 'yes').setHeader('Server-Timing', 'kept');
  const writeHead = write[way as keyof typeof write];
  writeHead(req, res, kind === 'unchanged' ? 304 : 200, kind === 'unchanged' ? FIELDS : FULL);
  res.end(kind === 'unchanged' || req.method === 'HEAD' ? undefined : BODY);
});
let url: string;
beforeAll(async () => {
  url = await listen(server);
});
afterAll(() => close(server));

/** @returns the received responses without their dates. */
const withoutDate = (received: string) =>
  received.replaceAll(/^Date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\n/gm, 'Date\r\n');

describe('a prebuilt response head', () => {
  it.each([
    ['GET', '', 'HTTP/1.1', ''],
    ['HEAD', '', 'HTTP/1.1', ''],
    ['GET', '-unchanged', 'HTTP/1.1', ''],
    ['GET', '', 'HTTP/1.1', 'Connection: close\r\n'],
    ['GET', '', 'HTTP/1.0', ''],
    ['GET', '', 'HTTP/1.0', 'Connection: keep-alive\r\n'],
    ['GET', '-unchanged', 'HTTP/1.0', 'Connection: keep-alive\r\n'],
  ])(
    'writeReadyHead writes the same response head as Node: %s %s %s %s',
    async (method, kind, version, connection) => {
      const answers = await Promise.all(
        Object.keys(write).map(async way => {
          const request = (more: string) => `${method} ${way}${kind} ${version}\r\nHost: a\r\n${more}\r\n`;
          // Both requests are in one packet, so the second response waits for the first.
          const raw = await sendRaw(url, request(connection) + request('Connection: close\r\n'));
          return withoutDate(raw.received());
        }),
      );
      expect(answers[0]).toMatch(
        /^HTTP\/1\.1 (?:200 OK|304 Not Modified)\r\nX-Text: a: b, c\r\n[\s\S]*\r\nDate\r\n/,
      );
      expect(answers[1]).toBe(answers[0]);
    },
  );

  it('writeReadyHead keeps the connection open, and adds the date of the response', async () => {
    const raw = await openRaw(url, 'GET /ready HTTP/1.1\r\nHost: a\r\n\r\n');
    await raw.answers(1);
    raw.socket.write('GET /ready HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await raw.closed();
    expect(raw.statuses()).toEqual([200, 200]);
    const dates = Array.from(raw.received().matchAll(/^Date: (.+)$/gm), ([, date = '']) => Date.parse(date));
    expect(dates).toHaveLength(2);
    for (const date of dates) expect(Math.abs(Date.now() - date)).toBeLessThan(60_000);
  });

  it('writeReadyHead drops headers set earlier, except those about the connection and the request', async () => {
    const { headers, body } = await sendRequest(url, '/ready-set');
    expect(headers).toMatchObject({ 'x-text': 'a: b, c', 'server-timing': 'kept', connection: 'close' });
    expect(headers['x-old']).toBeUndefined();
    expect(body.equals(BODY)).toBe(true);
  });
});

describe('headLines', () => {
  it.each([
    ['X-A', 'a\r\nX-Evil: 1'],
    ['X-A', 'a\nb'],
    ['X-A', '\u4f8b'],
    ['X A', 'a'],
    ['X-A:', 'a'],
    ['', 'a'],
  ])('headLines refuses the header %j: %j', (name, value) => {
    expect(() => headLines([[name, value]])).toThrow(TypeError);
  });

  it('fieldsOf reads the headers back from headLines', () => {
    expect(fieldsOf(headLines(FULL))).toEqual(FULL);
    expect(fieldsOf('')).toEqual([]);
  });
});
